import pLimit from 'p-limit';
import { openReadClient } from '../../api/client.ts';
import type { ReadClient } from '../../api/client.ts';
import { areDone } from '../../apply/base/check-bases.ts';
import { readBase } from '../../apply/base/look-up.ts';
import type { Plan, PlannedScope, Step } from '../../model/plan.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
import { endAlike } from '../../plan/difference/rest-of-step.ts';
import type { Report } from '../events.ts';
import { requireSameService } from '../service/same-service.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/**
 * Whether live shows these steps of a plan as done, all of them unless given: then a run that was interrupted may go on with the
 * rest. Writes nothing. Throws when the plan was made for another service.
 */
export async function isPartDone(
  { plan, steps }: { readonly plan: Plan; readonly steps?: ReadonlySet<string> },
  options: ServiceOptions,
  report: Report,
): Promise<boolean> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    requireSameService(plan, service.identity);
    const scopes = plannedScopes(plan.scopes).flatMap((scope) => {
      const done = scope.steps.filter(({ id }) => steps?.has(id) ?? true);
      return done.length === 0
        ? []
        : [{ plan: { ...scope, steps: done }, client: service.client(scope.tokenEnv) }];
    });
    return areDone(scopes, options.concurrency);
  });
}

/** Two plans, and steps that both have. */
interface Compared {
  readonly reviewed: Plan;
  readonly fresh: Plan;
  readonly steps: ReadonlySet<string>;
}

/**
 * Whether a fresh plan ends where the reviewed one would have, in the rulesets of these steps: what it lacks of their changes is live
 * already then, and nothing else has changed there. Writes nothing.
 */
export async function isRestOf(
  { reviewed, fresh, steps }: Compared,
  options: ServiceOptions,
  report: Report,
): Promise<boolean> {
  const seen = new Map(
    plannedScopes(reviewed.scopes).flatMap((scope) => scope.steps.map((step) => [step.id, step])),
  );
  return withService({ options, open: openReadClient, report }, async (service) => {
    const limit = pLimit(options.concurrency);
    const pairs = plannedScopes(fresh.scopes).flatMap((scope) =>
      scope.steps.flatMap((step) => {
        const before = steps.has(step.id) ? seen.get(step.id) : undefined;
        return before === undefined ? [] : [{ scope, before, now: step }];
      }),
    );
    const ends = await Promise.all(
      pairs.map((pair) => limit(() => endsAlike(pair, service.client(pair.scope.tokenEnv)))),
    );
    return ends.every(Boolean);
  });
}

interface Pair {
  readonly scope: PlannedScope;
  readonly before: Step;
  readonly now: Step;
}

/** What a plan was made on is read by its version: one that is not kept any more tells nothing. */
async function endsAlike({ scope: { scope }, before, now }: Pair, client: ReadClient): Promise<boolean> {
  const [reviewed, live] = await Promise.all(
    [before, now].map(async (step) => ({ step, on: await readBase(client, scope, step.base) })),
  );
  return (
    reviewed !== undefined &&
    live !== undefined &&
    [reviewed, live].every(({ step, on }) => on !== null || step.base.kind === 'absent') &&
    endAlike(reviewed, live)
  );
}
