import type { OldRateLimit } from '../model/old-rate-limit.ts';
import { rateLimitName } from '../model/old-rate-limit.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import {
  RATE_LIMIT_PHASE,
  convertRateLimit,
  convertRateLimits,
  rateLimitRef,
} from './rate-limits-convert.ts';
import type { RetirementResult } from './retire-plan.ts';
import { retirementPlan } from './retire-plan.ts';
import { sameEffect } from './same-effect.ts';

/** Plans the deletion of the old rate limits whose conversion is live and does the same. */
export function planRateLimitRetirement(input: {
  readonly baseUrl: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
  readonly limits: readonly OldRateLimit[];
  readonly entrypoint: LiveRuleset | null;
}): RetirementResult {
  const { limits, entrypoint, scope } = input;
  const live = entrypoint?.rules ?? [];
  const conversion = convertRateLimits(limits, live, scope.plan);
  if (conversion.kind === 'refused') {
    return { ...conversion, code: 'ratelimits/unclear-world' };
  }
  const sorted = limits.map((limit) => {
    const converted = convertRateLimit(limit, scope.plan);
    const fitted = convertRateLimit(limit, scope.plan, 'plan');
    const own = live.find(({ ref }) => ref === rateLimitRef(limit.id));
    const reason =
      converted.kind === 'left'
        ? converted.reason
        : own === undefined
          ? `no live rule has the ref ${converted.ref}`
          : [converted, fitted].some(
                (one) => one.kind === 'converted' && sameEffect(own.content, one.content),
              )
            ? null
            : `the live rule ${converted.ref} is not proven to do the same`;
    return {
      limit,
      target: { kind: 'rate_limit', id: limit.id } as const,
      name: rateLimitName(limit),
      reason,
    };
  });
  return {
    kind: 'planned',
    plan: retirementPlan({
      ...input,
      phase: RATE_LIMIT_PHASE,
      retired: sorted.flatMap(({ limit, target, name, reason }) =>
        reason === null ? [{ target, name, replacedBy: rateLimitRef(limit.id), before: limit }] : [],
      ),
      kept: sorted.flatMap(({ target, name, reason }) => (reason === null ? [] : [{ target, name, reason }])),
      differences: [],
    }),
  };
}
