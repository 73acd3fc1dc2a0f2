import { openReadClient } from '../../api/client.ts';
import { checkBases } from '../../apply/base/check-bases.ts';
import { canonicalJson } from '../../model/json.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlannedScope, Plan } from '../../model/plan.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
import type { Report } from '../run/events.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { basesByPlace, placeOf } from './expect.ts';

/** A plan that somebody reviewed, and the one that was made now. */
interface ReviewedPlan {
  readonly reviewed: Plan;
  readonly fresh: Plan;
}

/**
 * The steps of a reviewed plan that live has moved away from, each with what changed live since: as the reviewed plan would say it if it
 * was carried out as it is. What cannot be read is left out. Writes nothing.
 */
export async function movedSince(
  { reviewed, fresh }: ReviewedPlan,
  options: ServiceOptions,
  report: Report,
): Promise<readonly Outcome[]> {
  const moved = movedScopes({ reviewed, fresh });
  if (moved.length === 0 || reviewed.baseUrl !== fresh.baseUrl) {
    return [];
  }
  return withService({ options, open: openReadClient, report }, async (service) => {
    const scopes = moved.map((plan) => ({ plan, client: service.client(plan.tokenEnv) }));
    const outcomes = (await checkBases(scopes, options.concurrency)) ?? [];
    return outcomes.filter(({ kind }) => kind === 'refused');
  });
}

/** The reviewed steps that the fresh plan found on other versions, in scopes that both are about. */
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
