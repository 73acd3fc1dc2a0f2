import type { ReadClient } from '../../api/index.ts';
import type { RateLimit } from '../legacy-objects.ts';
import { rateLimits } from '../legacy-objects.ts';
import { getEntrypoint } from '../../api/index.ts';
import type {
  OldRateLimit,
  RateLimitConversion,
  ConvertedRateLimits,
  RateLimitsReport,
} from '../conversion.ts';
import type { LiveRuleset, Scope, FailedScope } from '../../model/index.ts';
import type { OnEvent, ChosenZones, Reached, ServiceOptions, ZoneChoice } from '../../app/index.ts';
import { eachZone, readingZone } from '../../app/index.ts';
import type { RetirementResult } from '../retirement-plan.ts';
import { planRetirement } from '../retire.ts';
import type { FileRule, ConvertedFile, ConvertedZone } from '../converted-file.ts';
import { claimOf, convertedFile, convertedSettings } from '../converted-file.ts';
import { checkRateLimits } from './rate-limits-equivalence.ts';
import {
  rateLimitRef,
  RATE_LIMIT_PHASE,
  convertRateLimits,
  planRateLimitRetirement,
} from './rate-limits-conversion.ts';

/** The zone to convert, and decisions on the conversion. */
export interface RateLimitsConvertOptions extends ZoneChoice {
  /** Whether to leave out what the plan level of the zone does not take. */
  readonly fitPlan: boolean;
}

/** Reads the old rate limits of a zone and converts them; writes nothing. */
export function convertZoneRateLimits(
  choice: RateLimitsConvertOptions,
  options: ServiceOptions,
  report: OnEvent,
): Promise<ConvertedZone<ConvertedRateLimits>> {
  const { fitPlan, guards } = choice;
  return readingZone(choice, { options, report }, async (zone) => {
    const { scope, entrypoint, ...found } = await read(zone);
    const limits = found.limits.map(decisive);
    const live = entrypoint?.rules ?? [];
    const result = convertRateLimits(limits, live, scope.plan, fitPlan ? 'plan' : 'whole');
    const equivalence =
      result.kind === 'converted'
        ? checkRateLimits(result.rules.filter((rule) => rule.kind === 'converted'))
        : null;
    const made = fileOf(scope, result, guards);
    return {
      report: { scope, limits, result, equivalence, yaml: made?.yaml ?? null },
      added: made?.added ?? [],
    };
  });
}

/** The old rate limits of a zone. */
export interface ListedRateLimits extends RateLimitsReport {
  readonly kind: 'listed';
}

/** Reads the old rate limits of zones; a zone that fails fails alone. */
export function listRateLimits(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly (ListedRateLimits | FailedScope)[]> {
  return eachZone(zones, { options, report }, async (client, scope) => {
    const limits = (await rateLimits.list(client, scope.id)).map(decisive);
    return { kind: 'listed', scope, limits } as const;
  });
}

/** Plans which old rate limits of a zone can be deleted. Writes nothing. */
export function planRetiredRateLimits(
  choice: ZoneChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RetirementResult> {
  return planRetirement(choice, { options, report }, async (zone, baseUrl) =>
    planRateLimitRetirement({ ...(await read(zone)), baseUrl, tokenEnv: zone.tokenEnv }),
  );
}

async function read({ client, scope }: Reached<ReadClient>): Promise<{
  readonly scope: Scope;
  readonly limits: readonly RateLimit[];
  readonly entrypoint: LiveRuleset | null;
}> {
  const limits = await rateLimits.list(client, scope.id);
  return { scope, limits, entrypoint: await getEntrypoint(client, scope, RATE_LIMIT_PHASE) };
}

/** Returns what a rate limit decides, without the object that it was read from. */
function decisive(limit: RateLimit): OldRateLimit {
  const { id, disabled, description, threshold, period, request, response } = limit;
  const { bypassUrls, action, correlateBy } = limit;
  return {
    id,
    disabled,
    description,
    threshold,
    period,
    request,
    response,
    bypassUrls,
    action,
    correlateBy,
  };
}

function fileOf(
  scope: Scope,
  result: RateLimitConversion,
  { ownership, scopes }: ZoneChoice['guards'],
): ConvertedFile | null {
  if (result.kind !== 'converted') {
    return null;
  }
  const rules: readonly FileRule[] = [
    ...result.existing.map((rule) => ({ kind: 'live', rule }) as const),
    ...result.rules.flatMap((rule) =>
      rule.kind === 'converted'
        ? [
            {
              kind: 'new',
              ref: rule.ref,
              content: rule.content,
              comments: rule.notes.map(({ message }) => message),
            } as const,
          ]
        : [],
    ),
  ];
  const head = `Converted from the old rate limits of ${scope.name}; what is lost is written above each rule.`;
  const settings = convertedSettings(ownership, rateLimitRef('*'), 'last');
  const declared = claimOf(scopes, scope, [RATE_LIMIT_PHASE]) !== null;
  return convertedFile(scope, { head, phases: [{ phase: RATE_LIMIT_PHASE, rules, settings, declared }] });
}
