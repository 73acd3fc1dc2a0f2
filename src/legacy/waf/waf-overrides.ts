import type { RetirementResult, RetiringZone } from '../retirement-plan.ts';
import { retirementPlan } from '../retirement-plan.ts';
import type { ReadClient } from '../../api/index.ts';
import type { Clock } from '../../network/index.ts';
import { getEntrypoint } from '../../api/index.ts';
import { wafOverrides } from '../legacy-objects.ts';
import type { Scope } from '../../model/index.ts';
import type { OnEvent, ServiceOptions, ZoneChoice } from '../../app/index.ts';
import { planRetirement } from '../retire.ts';
import { writeSnapshot, standingOf } from './waf-readings.ts';
import type { OldOverride } from './waf-migration.ts';
import { MANAGED_PHASE } from './waf-migration.ts';
import { fitOf } from './waf-fit.ts';

/**
 * Plans the deletion of the URI-based overrides of a zone, each of which keeps the zone from migrating (specification 3.1 rule 4). Nothing
 * replaces them: their names say what they do, for those who build it again.
 */
function planOverrideRemoval(
  input: RetiringZone & { readonly overrides: readonly OldOverride[] },
): RetirementResult {
  return {
    kind: 'planned',
    plan: retirementPlan({
      ...input,
      entrypoints: new Map([[MANAGED_PHASE, input.entrypoint]]),
      candidates: input.overrides.map((override) => ({
        target: { kind: 'waf_override', id: override.id },
        name: nameOf(override),
        reason: null,
        replacedBy: null,
        before: override,
      })),
      differences: [],
    }),
  };
}

/** Returns where an override applies, what it does, and its description. */
function nameOf({ urls, groups, rules, rewriteAction, paused, description }: OldOverride): string {
  const does = Object.entries({ ...groups, ...rules, ...rewriteAction }).map(
    ([what, action]) => `${what} ${action}`,
  );
  return `${urls.join(', ')}: ${does.join(', ')}${paused ? ' (paused)' : ''}${description === '' ? '' : ` · ${description}`}`;
}

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
