import pLimit from 'p-limit';
import { openReadClient } from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import { areDone, isObjectDone, readBase } from '../../apply/index.ts';
import type { Plan, Step, LiveRuleset, Scope } from '../../model/index.ts';
import { plannedScopes, allSteps, objectSteps } from '../../model/index.ts';
import { endAlike, withoutRest } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import { requireSameService } from '../service/same-service.ts';
import type { Service } from '../service/open-service.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/**
 * Whether live shows all steps of a plan as done. Writes nothing. Throws when the plan was made for another service.
 */
export function isDone(plan: Plan, options: ServiceOptions, report: OnEvent): Promise<boolean> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    requireSameService(plan, service.identity);
    return areScopesDone(plan, { service, concurrency: options.concurrency });
  });
}

/** Whether live shows all steps of some scopes of a plan as done. */
export async function areScopesDone(
  plan: Pick<Plan, 'scopes'>,
  reading: { readonly service: Pick<Service<ReadClient>, 'client'>; readonly concurrency: number },
): Promise<boolean> {
  return (
    (await areStepsDone(plan, () => true, reading)) &&
    areObjectsDone(plan, null, { service: reading.service, isMeant: () => true })
  );
}

/** A reviewed plan, a fresh one, and the reviewed steps that the fresh one lacks (`lacks`) or of which it lacks changes (`smaller`). */
export interface PartialApply {
  readonly reviewed: Plan;
  readonly fresh: Plan;
  readonly lacks: ReadonlySet<string>;
  readonly smaller: ReadonlySet<string>;
}

/**
 * Whether live shows as done what the fresh plan lacks of the reviewed one: the steps in `lacks` as a whole, and of those in
 * `smaller` so much that both plans lead to the same rules. The fresh plan is then what an interrupted run left. Writes nothing.
 * Throws when the reviewed plan was made for another service.
 */
export function isRestOf(
  { reviewed, fresh, lacks, smaller }: PartialApply,
  options: ServiceOptions,
  report: OnEvent,
): Promise<boolean> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    requireSameService(reviewed, service.identity);
    const { concurrency } = options;
    const isLacking = (id: string): boolean => lacks.has(id);
    if (
      !(await areStepsDone(reviewed, ({ id }) => lacks.has(id), { service, concurrency })) ||
      !(await areObjectsDone(reviewed, null, { service, isMeant: isLacking }))
    ) {
      return false;
    }
    if (!(await areObjectsDone(reviewed, fresh, { service, isMeant: (id) => smaller.has(id) }))) {
      return false;
    }
    const limit = pLimit(concurrency);
    const seen = new Map(allSteps(reviewed.scopes).map((step) => [step.id, step]));
    const ends = plannedScopes(fresh.scopes).flatMap(({ scope, tokenEnv, steps }) =>
      steps.flatMap((now) => {
        const before = smaller.has(now.id) ? seen.get(now.id) : undefined;
        return before === undefined
          ? []
          : [limit(() => endsAlike({ scope, before, now }, service.client(tokenEnv)))];
      }),
    );
    return (await Promise.all(ends)).every(Boolean);
  });
}

/** Whether live shows steps on lists and settings as done; of those that a fresh plan still has, what it no longer does. */
async function areObjectsDone(
  plan: Pick<Plan, 'scopes'>,
  fresh: Plan | null,
  {
    service,
    isMeant,
  }: {
    readonly service: Pick<Service<ReadClient>, 'client'>;
    readonly isMeant: (id: string) => boolean;
  },
): Promise<boolean> {
  const left = new Map(objectSteps(fresh?.scopes ?? []).map((step) => [step.id, step]));
  const done = plannedScopes(plan.scopes).flatMap(({ scope, tokenEnv, objects = [] }) =>
    objects.flatMap((step) =>
      isMeant(step.id)
        ? [isObjectDone(withoutRest(step, left.get(step.id)), { client: service.client(tokenEnv), scope })]
        : [],
    ),
  );
  return (await Promise.all(done)).every(Boolean);
}

function areStepsDone(
  plan: Pick<Plan, 'scopes'>,
  isMeant: (step: Step) => boolean,
  {
    service,
    concurrency,
  }: { readonly service: Pick<Service<ReadClient>, 'client'>; readonly concurrency: number },
): Promise<boolean> {
  const scopes = plannedScopes(plan.scopes).flatMap((scope) => {
    const steps = scope.steps.filter(isMeant);
    return steps.length === 0 ? [] : [{ plan: { ...scope, steps }, client: service.client(scope.tokenEnv) }];
  });
  return areDone(scopes, concurrency);
}

interface StepPair {
  readonly scope: Scope;
  readonly before: Step;
  readonly now: Step;
}

/** Whether both steps lead to the same rules. Reads the base of each by its version; false if a version is no longer kept. */
async function endsAlike({ scope, before, now }: StepPair, client: ReadClient): Promise<boolean> {
  const [then, live] = await Promise.all([
    readBase(client, scope, before.base),
    readBase(client, scope, now.base),
  ]);
  const isKnown = ({ base }: Step, on: LiveRuleset | null): boolean => on !== null || base.kind === 'absent';
  return (
    isKnown(before, then) &&
    isKnown(now, live) &&
    endAlike({ step: before, on: then }, { step: now, on: live })
  );
}
