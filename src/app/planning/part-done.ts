import { openReadClient } from '../../api/client.ts';
import { areDone } from '../../apply/base/check-bases.ts';
import type { Plan } from '../../model/plan.ts';
import { plannedScopes } from '../../model/scope-plans.ts';
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
