import type { ConversionNote, ConvertedRule } from '../model/firewall-conversion.ts';
import type { JsonObject } from '../model/json.ts';
import type { OldRateLimit } from '../model/old-rate-limit.ts';
import { requestExpression, responseExpression } from './rate-limits-expression.ts';

/** Whether to convert all of an old rate limit, or only what the plan of its zone allows. */
export type PlanFit = 'whole' | 'plan';

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
