import type { OldRateLimit, RateLimitConversion, LiveRule } from '../model/index.ts';
import { rateLimitName, ruleQuota } from '../model/index.ts';
import type { PlanFit } from './rate-limits-convert-rule.ts';
import { convertRateLimit, rateLimitRef } from './rate-limits-convert-rule.ts';
import { sameEffect } from './same-effect.ts';

/** The phase that replaces old rate limits. */
export const RATE_LIMIT_PHASE = 'http_ratelimit';

/**
 * Converts the old rate limits of a zone. Refused where a rate limit has an equal rule that no conversion made: the two may be one object that
 * both interfaces show.
 */
export function convertRateLimits(
  old: readonly OldRateLimit[],
  live: readonly LiveRule[],
  plan: string | undefined,
  fit: PlanFit = 'whole',
): RateLimitConversion {
  if (old.length === 0) {
    return { kind: 'nothing' };
  }
  const rules = old.map((limit) => convertRateLimit(limit, plan, fit));
  const refs = new Set(old.map(({ id }) => rateLimitRef(id)));
  const existing = live.filter(({ ref }) => !refs.has(ref));
  const twin = rules.find(
    (rule) => rule.kind === 'converted' && existing.some(({ content }) => sameEffect(content, rule.content)),
  );
  if (twin !== undefined) {
    return {
      kind: 'refused',
      message: `a rate limiting rule does the same as “${rateLimitName(twin.old)}” and was not made by a conversion: they may be one rule that both interfaces show`,
      hint: 'compare both with rulewright ratelimits list; delete by hand the copies that were made by hand',
    };
  }
  const total = existing.length + rules.filter(({ kind }) => kind === 'converted').length;
  const quota = ruleQuota(RATE_LIMIT_PHASE, 'zone', plan);
  return {
    kind: 'converted',
    rules,
    existing,
    warnings:
      quota !== undefined && total > quota.limit
        ? [`${total} rate limiting rules result, and the plan level of the zone has room for ${quota.limit}`]
        : [],
  };
}
