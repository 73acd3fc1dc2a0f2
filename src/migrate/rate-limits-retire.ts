import type { OldRateLimit, LiveRule } from '../model/index.ts';
import { rateLimitName } from '../model/index.ts';
import { convertRateLimit, rateLimitRef } from './rate-limits-convert-rule.ts';
import { RATE_LIMIT_PHASE, convertRateLimits } from './rate-limits-conversion.ts';
import type { RetirementCandidate, RetirementResult, RetiringZone } from './retire-plan.ts';
import { retirementPlan } from './retire-plan.ts';
import { whyNotLive } from './same-effect.ts';

/** Plans the deletion of the old rate limits whose conversion is live and does the same. */
export function planRateLimitRetirement(
  input: RetiringZone & { readonly limits: readonly OldRateLimit[] },
): RetirementResult {
  const { limits, entrypoint, scope } = input;
  const live = entrypoint?.rules ?? [];
  const conversion = convertRateLimits(limits, live, scope.plan);
  if (conversion.kind === 'refused') {
    return { ...conversion, code: 'ratelimits/unclear-world' };
  }
  const candidates = limits.map((limit): RetirementCandidate => ({
    target: { kind: 'rate_limit', id: limit.id },
    name: rateLimitName(limit),
    reason: whyNotEqual(limit, live, scope.plan),
    replacedBy: rateLimitRef(limit.id),
    before: limit,
  }));
  return {
    kind: 'planned',
    plan: retirementPlan({ ...input, phase: RATE_LIMIT_PHASE, candidates, differences: [] }),
  };
}

/** Returns why an old rate limit is not proven to be live and equal, as a whole or as the plan allows it; null when it is. */
function whyNotEqual(
  limit: OldRateLimit,
  live: readonly LiveRule[],
  plan: string | undefined,
): string | null {
  const converted = convertRateLimit(limit, plan);
  if (converted.kind === 'left') {
    return converted.reason;
  }
  const wanted = [converted, convertRateLimit(limit, plan, 'plan')];
  return whyNotLive(
    live,
    converted.ref,
    wanted.flatMap((one) => (one.kind === 'converted' ? [one.content] : [])),
  );
}
