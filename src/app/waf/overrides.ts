import type { ReadClient } from '../../api/index.ts';
import type { Clock } from '../../network/index.ts';
import { getEntrypoint, wafOverrides } from '../../api/index.ts';
import { fitOf, planOverrideRemoval } from '../../migrate/index.ts';
import type { Scope } from '../../model/index.ts';
import { MANAGED_PHASE } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { RetirementResult } from '../../migrate/index.ts';
import { planRetirement } from '../retire/retire.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { ZoneChoice } from '../service/with-scope.ts';
import { writeSnapshot } from './snapshot.ts';
import { standingOf } from './standings.ts';

/** Plans the deletion of a zone's URI-based overrides; only a zone that waits for its migration has any. Writes nothing. */
export function planRemovedOverrides(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async ({ client, scope, tokenEnv }, baseUrl) => {
    const standing = await standingOf(client, scope);
    const state = standing.kind === 'known' ? standing.status.state : 'default';
    const fit = fitOf('finish', { state, plan: scope.plan });
    if (fit.kind === 'refused') {
      return fit;
    }
    const overrides = fit.kind === 'take' ? await wafOverrides.list(client, scope.id) : [];
    const entrypoint = await getEntrypoint(client, scope, MANAGED_PHASE);
    return planOverrideRemoval({ baseUrl, scope, tokenEnv, overrides, entrypoint });
  });
}

/** Returns a function that saves everything about the old WAF of a zone in a file below `folder`, and returns its path. */
export function snapshotIn(
  folder: string,
  clock: Clock,
): (client: ReadClient, scope: Scope) => Promise<string> {
  return (client, scope) => writeSnapshot(client, scope, { folder, now: clock.now() });
}
