import type { OldRateLimit, RateLimitConversion, ConversionNote, ConvertedRule } from '../conversion.ts';
import type { LiveRule } from '../../model/index.ts';
import { rateLimitName } from '../conversion.ts';
import { ruleQuota } from '../../model/index.ts';
import { sameEffect, whyNotLive } from '../same-effect.ts';
import type { JsonObject } from '../../data/index.ts';
import { quoteText } from '../../expression/index.ts';
import type { RetirementCandidate, RetirementResult, RetiringZone } from '../retirement-plan.ts';
import { retirementPlan } from '../retirement-plan.ts';
import { counted } from '../../text/index.ts';

/** Whether to convert all of an old rate limit, or only what the plan of its zone allows. */
type PlanFit = 'whole' | 'plan';

/** Returns the `ref` for the conversion of an old rate limit. */
export function rateLimitRef(id: string): string {
  return `rate-limit-${id}`;
}

/** Times that the service accepts, in seconds, and the longest ones by plan (api.md 8.3). */
const PERIODS = [10, 60, 120, 300, 600, 3600];
const TIMEOUTS = [10, 60, 120, 300, 600, 3600, 86_400];
const LONGEST: ReadonlyMap<string, Times> = new Map([
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

/** Plans that neither count by the response nor tell visitors behind one address apart (api.md 8.3). */
const BELOW_BUSINESS: readonly (string | undefined)[] = ['free', 'pro'];

/**
 * Returns the rate limiting rule that comes nearest to an old rate limit (api.md 9.6); its notes say what is lost. With `plan` as `fit`, what the
 * plan of the zone does not allow is left out.
 */
export function convertRateLimit(
  old: OldRateLimit,
  plan: string | undefined,
  fit: PlanFit = 'whole',
): ConvertedRule<OldRateLimit> {
  const action = ACTIONS.get(old.action.mode);
  if (action === undefined) {
    const reason = `its action ${old.action.mode} has no equal among rate limiting rules`;
    return { kind: 'left', old, reason };
  }
  const below = BELOW_BUSINESS.includes(plan);
  const times = timesOf(old, action, plan);
  const page = action === 'block' ? old.action.response : null;
  return {
    kind: 'converted',
    old,
    ref: rateLimitRef(old.id),
    content: {
      action,
      expression: requestExpression(old),
      description: old.description,
      enabled: !old.disabled,
      ...(page === null
        ? {}
        : {
            action_parameters: {
              response: { status_code: 429, content_type: page.contentType, content: page.body },
            },
          }),
      ratelimit: ratelimitOf(old, times, below && fit === 'plan'),
    },
    notes: [
      ...timeNotes(old, action, times),
      ...planNotes(old, below ? fit : 'taken'),
      ...actionNotes(old, action, plan),
      ...(old.disabled ? [{ kind: 'kept', message: 'disabled, since the rate limit is' } as const] : []),
    ],
  };
}

/** Times in seconds. */
interface Times {
  readonly period: number;
  readonly timeout: number;
}

function timesOf(old: OldRateLimit, action: string, plan: string | undefined): Times {
  const longest = LONGEST.get(plan ?? '') ?? { period: 3600, timeout: 86_400 };
  return {
    period: nearest(PERIODS, old.period, longest.period),
    timeout: isChallenge(action) ? 0 : nearest(TIMEOUTS, old.action.timeout ?? 0, longest.timeout),
  };
}

function ratelimitOf(old: OldRateLimit, { period, timeout }: Times, leavesOut: boolean): JsonObject {
  const response = leavesOut ? null : responseExpression(old);
  const visitor = old.correlateBy === 'nat' && !leavesOut ? 'cf.unique_visitor_id' : 'ip.src';
  return {
    characteristics: ['cf.colo.id', visitor],
    period,
    requests_per_period: old.threshold,
    mitigation_timeout: timeout,
    requests_to_origin: old.response.originTraffic,
    ...(response === null
      ? {}
      : { counting_expression: `${inParentheses(requestExpression(old))} and ${response}` }),
  };
}

function timeNotes(old: OldRateLimit, action: string, { period, timeout }: Times): readonly ConversionNote[] {
  const wanted = old.action.timeout ?? 0;
  const notes = [
    period === old.period
      ? null
      : lossy(`its period of ${old.period} s becomes ${period} s, with the same threshold`),
    isChallenge(action) || timeout === wanted
      ? null
      : lossy(`its timeout of ${wanted} s becomes ${timeout} s`),
    isChallenge(action) && wanted > 0 ? lossy('a challenge has no timeout of its own') : null,
  ];
  return notes.filter((note) => note !== null);
}

/** Returns the notes on counting by the response and on telling visitors apart. `taken`: the plan allows both. */
function planNotes(old: OldRateLimit, fit: PlanFit | 'taken'): readonly ConversionNote[] {
  const refused = fit === 'whole' ? ', and the service refuses it here: --fit-plan leaves it out' : '';
  const notes = [
    responseExpression(old) === null
      ? null
      : lossy(
          fit === 'plan'
            ? 'it counts every request, because counting by the response needs the Business plan'
            : `it counts by the response, which needs the Business plan${refused}`,
        ),
    old.correlateBy === 'nat'
      ? lossy(
          fit === 'plan'
            ? 'visitors behind one address count as one, because telling them apart needs the Business plan'
            : `visitors behind one address are told apart by a cookie, which needs the Business plan${refused}`,
        )
      : null,
  ];
  return notes.filter((note) => note !== null);
}

function actionNotes(
  { action: { response } }: OldRateLimit,
  action: string,
  plan: string | undefined,
): readonly ConversionNote[] {
  const notes = [
    action === 'log' && plan !== undefined && plan !== 'enterprise'
      ? lossy('it only logs, which needs the Enterprise plan: the service refuses it here')
      : null,
    response !== null && action !== 'block' ? lossy('its response is gone: only a block has one') : null,
  ];
  return notes.filter((note) => note !== null);
}

function lossy(message: string): ConversionNote {
  return { kind: 'not-same', message };
}

function isChallenge(action: string): boolean {
  return action.endsWith('challenge');
}

function inParentheses(expression: string): string {
  return expression === 'true' ? expression : `(${expression})`;
}

/** Returns the nearest allowed value up to `longest`; of two equally near values, the smaller. */
function nearest(allowed: readonly number[], wanted: number, longest: number): number {
  return allowed
    .filter((value) => value <= longest)
    .reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best));
}

/** Returns the condition for the requests that an old rate limit applies to: URL, methods and schemes, without the URLs that do not count. */
export function requestExpression({ request, bypassUrls }: OldRateLimit): string {
  const { methods, schemes, url } = request;
  const terms = [
    ...urlTerms(url),
    ...(methods.length === 0 || methods.includes('_ALL_') ? [] : [methodTerm(methods)]),
    ...(schemes.length !== 1 || schemes[0] === '_ALL_' ? [] : [schemes[0] === 'HTTPS' ? 'ssl' : 'not ssl']),
    ...bypassUrls.map((bypass) => `not (${urlTerms(bypass).join(' and ') || 'true'})`),
  ];
  return terms.length === 0 ? 'true' : terms.join(' and ');
}

/** Returns the condition for the responses that count; null when all do. */
export function responseExpression({ response: { statuses, headers } }: OldRateLimit): string | null {
  const terms = [
    ...(statuses.length === 0 ? [] : [`http.response.code in {${statuses.join(' ')}}`]),
    ...headers.map(({ name, op, value }) => {
      const term = `any(http.response.headers[${quoteText(name.toLowerCase())}][*] eq ${quoteText(value)})`;
      return op === 'ne' ? `not ${term}` : term;
    }),
  ];
  return terms.length === 0 ? null : terms.join(' and ');
}

function methodTerm(methods: readonly string[]): string {
  const [only, ...others] = methods;
  return only !== undefined && others.length === 0
    ? `http.request.method eq ${quoteText(only)}`
    : `http.request.method in {${methods.map(quoteText).join(' ')}}`;
}

/** Returns the conditions for a URL with `*`, perhaps with a scheme; none where every URL matches. */
function urlTerms(url: string): readonly string[] {
  const [, scheme, rest = ''] = /^(?:(https?|\*):\/\/)?(.*)$/isu.exec(url) ?? [];
  const slash = rest.indexOf('/');
  const host = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  return [
    ...(scheme === undefined || scheme === '*' ? [] : [scheme.toLowerCase() === 'https' ? 'ssl' : 'not ssl']),
    ...hostTerm(host.toLowerCase()),
    ...pathTerm(path),
  ];
}

/** Returns the condition for a host, which reaches the rules as the visitor wrote it, in any case. */
function hostTerm(pattern: string): readonly string[] {
  if (/^\**$/u.test(pattern)) {
    return [];
  }
  return pattern.includes('*')
    ? [`http.host wildcard ${wildcard(pattern)}`]
    : [`lower(http.host) eq ${quoteText(pattern)}`];
}

function pathTerm(pattern: string): readonly string[] {
  if (/^(?:\**|\/\*+)$/u.test(pattern)) {
    return [];
  }
  return pattern.includes('*')
    ? [`http.request.uri.path strict wildcard ${wildcard(pattern)}`]
    : [`http.request.uri.path eq ${quoteText(pattern)}`];
}

function wildcard(pattern: string): string {
  return quoteText(pattern.replaceAll('\\', '\\\\').replaceAll(/\*+/gu, '*'));
}

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
        ? [
            `${counted(total, 'rate limiting rule results', 'rate limiting rules result')}, and the plan level of the zone has room for ${quota.limit}`,
          ]
        : [],
  };
}

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
    plan: retirementPlan({
      ...input,
      entrypoints: new Map([[RATE_LIMIT_PHASE, entrypoint]]),
      candidates,
      differences: [],
    }),
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
