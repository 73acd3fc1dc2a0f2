import { openReadClient } from '../../api/client.ts';
import { areDone } from '../../apply/base/check-bases.ts';
import type { Plan } from '../../model/plan.ts';
import type { Report } from '../events.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/**
 * Whether live shows these steps of a reviewed plan as done: then a run that was interrupted may go on with the rest. Writes nothing.
 */
export async function isPartDone(
  { reviewed, steps }: { readonly reviewed: Plan; readonly steps: ReadonlySet<string> },
  options: ServiceOptions,
  report: Report,
): Promise<boolean> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    const scopes = reviewed.scopes.flatMap((scope) => {
      const done = scope.kind === 'planned' ? scope.steps.filter(({ id }) => steps.has(id)) : [];
      return scope.kind === 'planned' && done.length > 0
        ? [{ plan: { ...scope, steps: done }, client: service.client(scope.tokenEnv) }]
        : [];
    });
    return areDone(scopes, options.concurrency);
  });
}
