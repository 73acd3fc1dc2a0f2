import type { ConversionNote, ConvertedRule } from '../model/firewall-conversion.ts';
import type { JsonObject } from '../model/json.ts';
import type { OldRateLimit, RateLimitConversion } from '../model/old-rate-limit.ts';
import { rateLimitName } from '../model/old-rate-limit.ts';
import { ruleQuota } from '../model/quota.ts';
import type { LiveRule } from '../model/rule.ts';
import { requestExpression, responseExpression } from './rate-limits-expression.ts';
import { sameEffect } from './same-effect.ts';

/** The phase that takes over from old rate limits. */
export const RATE_LIMIT_PHASE = 'http_ratelimit';

/** The `ref` that the conversion of an old rate limit gets. */
export function rateLimitRef(id: string): string {
  return `rate-limit-${id}`;
}

/** What the service takes, and the longest by plan (api.md 8.3). */
const PERIODS = [10, 60, 120, 300, 600, 3600];
const TIMEOUTS = [10, 60, 120, 300, 600, 3600, 86_400];
const LONGEST: ReadonlyMap<string, { readonly period: number; readonly timeout: number }> = new Map([
  ['free', { period: 10, timeout: 10 }],
  ['pro', { period: 60, timeout: 3600 }],
  ['business', { period: 600, timeout: 86_400 }],
]);

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['ban', 'block'],
  ['simulate', 'log'],
  ['challenge', 'challenge'],
  ['js_challenge', 'js_challenge'],
  ['managed_challenge', 'managed_challenge'],
]);

/** What counts by the response, or tells visitors behind one address apart, takes a plan of this level (api.md 8.3). */
const BELOW_BUSINESS: readonly (string | undefined)[] = ['free', 'pro'];

/**
 * The rate limiting rule that comes nearest to an old rate limit (api.md 9.6); the notes say what is lost. `fit` leaves
 * out what the plan of the zone does not take.
 */
export function convertRateLimit(
  old: OldRateLimit,
  plan: string | undefined,
  fit: 'whole' | 'plan' = 'whole',
): ConvertedRule<OldRateLimit> {
  const action = ACTIONS.get(old.action.mode);
  if (action === undefined) {
    return {
      kind: 'left',
      old,
      reason: `its action ${old.action.mode} has no equal among rate limiting rules`,
    };
  }
  const expression = requestExpression(old);
  const below = BELOW_BUSINESS.includes(plan);
  const leaves = below && fit === 'plan';
  const response = leaves ? null : responseExpression(old);
  const apart = old.correlateBy === 'nat' && !leaves;
  const longest = LONGEST.get(plan ?? '') ?? { period: 3600, timeout: 86_400 };
  const period = nearest(PERIODS, old.period, longest.period);
  const challenges = action.endsWith('challenge');
  const wanted = old.action.timeout ?? 0;
  const timeout = challenges ? 0 : nearest(TIMEOUTS, wanted, longest.timeout);
  const visitor = apart ? 'cf.unique_visitor_id' : 'ip.src';
  const ratelimit: JsonObject = {
    characteristics: ['cf.colo.id', visitor],
    period,
    requests_per_period: old.threshold,
    mitigation_timeout: timeout,
    requests_to_origin: old.response.originTraffic,
    ...(response === null ? {} : { counting_expression: `${inParentheses(expression)} and ${response}` }),
  };
  const custom = old.action.response;
  const notes: readonly (ConversionNote | null)[] = [
    period === old.period
      ? null
      : lossy(`its period of ${old.period} s becomes ${period} s, with the same threshold`),
    challenges || timeout === wanted ? null : lossy(`its timeout of ${wanted} s becomes ${timeout} s`),
    challenges && wanted > 0 ? lossy('a challenge has no timeout of its own') : null,
    ...planNotes(old, below ? fit : 'taken'),
    action === 'log' && plan !== undefined && plan !== 'enterprise'
      ? lossy('it only logs, which needs the Enterprise plan: the service refuses it here')
      : null,
    custom !== null && action !== 'block' ? lossy('its response is gone: only a block has one') : null,
    old.disabled ? { kind: 'kept', message: 'disabled, since the rate limit is' } : null,
  ];
  return {
    kind: 'converted',
    old,
    ref: rateLimitRef(old.id),
    content: {
      action,
      expression,
      description: old.description,
      enabled: !old.disabled,
      ...(custom === null || action !== 'block'
        ? {}
        : {
            action_parameters: {
              response: { status_code: 429, content_type: custom.contentType, content: custom.body },
            },
          }),
      ratelimit,
    },
    notes: notes.filter((note) => note !== null),
  };
}

/** What is said of counting by the response and of telling visitors apart. `taken`: the plan takes both. */
function planNotes(old: OldRateLimit, fit: 'whole' | 'plan' | 'taken'): readonly ConversionNote[] {
  const refused = fit === 'whole' ? ', and the service refuses it here: --fit-plan leaves it out' : '';
  return [
    ...(responseExpression(old) === null
      ? []
      : [
          lossy(
            fit === 'plan'
              ? 'it counts every request, because counting by the response needs the Business plan'
              : `it counts by the response, which needs the Business plan${refused}`,
          ),
        ]),
    ...(old.correlateBy === 'nat'
      ? [
          lossy(
            fit === 'plan'
              ? 'visitors behind one address count as one, because telling them apart needs the Business plan'
              : `visitors behind one address are told apart by a cookie, which needs the Business plan${refused}`,
          ),
        ]
      : []),
  ];
}

function lossy(message: string): ConversionNote {
  return { kind: 'not-same', message };
}

function inParentheses(expression: string): string {
  return expression === 'true' ? expression : `(${expression})`;
}

/** The allowed value that is nearest; of two equally near the smaller. */
function nearest(allowed: readonly number[], wanted: number, longest: number): number {
  return allowed
    .filter((value) => value <= longest)
    .reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best));
}

/**
 * Converts the old rate limits of a zone. Refused where one has an equal that no conversion of ours made: then they may
 * be one thing that two interfaces show.
 */
export function convertRateLimits(
  old: readonly OldRateLimit[],
  live: readonly LiveRule[],
  plan: string | undefined,
  fit: 'whole' | 'plan' = 'whole',
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
