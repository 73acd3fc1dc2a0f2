import { openReadClient } from '../../api/index.ts';
import { outcomesSince } from '../../apply/index.ts';
import { canonicalJson } from '../../data/index.ts';
import type { Outcome, PlannedScope, Plan } from '../../model/index.ts';
import { plannedScopes } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { basesByPlace, placeOf } from './expect.ts';

/** A reviewed plan, and a fresh one. */
interface ReviewedPlan {
  readonly reviewed: Plan;
  readonly fresh: Plan;
}

/**
 * Returns the outcomes of reviewed steps whose rulesets have changed live since, as applying the reviewed plan unchanged would report them: skipped
 * if live matches the step already, otherwise refused, with what changed. Leaves out what cannot be read. Writes nothing.
 */
export async function movedSince(
  { reviewed, fresh }: ReviewedPlan,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly Outcome[]> {
  const moved = movedScopes({ reviewed, fresh });
  if (moved.length === 0 || reviewed.baseUrl !== fresh.baseUrl) {
    return [];
  }
  return withService({ options, open: openReadClient, report }, async (service) => {
    const scopes = moved.map((plan) => ({ plan, client: service.client(plan.tokenEnv) }));
    return outcomesSince(scopes, options.concurrency);
  });
}

/** Returns the reviewed steps whose rulesets the fresh plan found at other versions, in scopes that both plans include. */
function movedScopes({ reviewed, fresh }: ReviewedPlan): readonly PlannedScope[] {
  const now = basesByPlace(fresh);
  const scopes = new Map(plannedScopes(fresh.scopes).map(({ scope, tokenEnv }) => [scope.id, tokenEnv]));
  return plannedScopes(reviewed.scopes).flatMap((plan): readonly PlannedScope[] => {
    const steps = plan.steps.filter(({ target, base }) => {
      const is = now.get(placeOf(plan.scope, target));
      return is !== undefined && is !== canonicalJson(base);
    });
    return steps.length === 0 || !scopes.has(plan.scope.id)
      ? []
      : [{ ...plan, steps, tokenEnv: scopes.get(plan.scope.id) }];
  });
}
