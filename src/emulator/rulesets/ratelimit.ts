import { checkBounds } from '../decode/bounds.ts';
import { invalidValue } from '../protocol/refusal.ts';
import type { ValueOf } from '../decode/body-shape.ts';
import { numberAt, textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { CallLocation } from '../call/call-location.ts';
import { ratelimit } from './rule-body.ts';
import { notEntitled, hasFeature, planOf } from './visible-phases.ts';
import type { RuleInput } from './rule-body.ts';

const COLO = 'cf.colo.id';
const CHALLENGES = ['challenge', 'js_challenge', 'managed_challenge'];

/** The possible counting periods, in seconds (api.md 8.3). */
const PERIODS = [
  10, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 300, 480, 600, 900, 1200, 1800, 2400, 3600, 65_535, 86_400,
];

/** What a rate limit may count by (api.md 8.3): plain fields, fields with a key, and function calls. */
const CHARACTERISTICS: readonly RegExp[] = [
  /^cf\.colo\.id$/u,
  /^ip\.src(?:\.[a-z0-9_.]+)?$/u,
  /^ip\.geoip\.[a-z_]+$/u,
  /^cf\.(?:unique_visitor_id|bot_management\.ja3_hash|bot_management\.ja4)$/u,
  /^http\.host$/u,
  /^http\.request\.uri\.path$/u,
  /^http\.request\.(?:headers|cookies|uri\.args|body\.form)\[".+"\]$/u,
  /^http\.request\.body\.(?:raw|size)$/u,
  /^[a-z]\w*\(.+\)$/u,
  /^cf\.[a-z0-9_.]+$/u,
];

const PHASES = ['http_ratelimit', 'magic_transit_ratelimit'];

/** Checks the form of a rule's rate limit, and whether its phase requires or allows one (api.md 3.4, 8.3). */
export function checkRatelimitForm(action: string, input: RuleInput, place: CallLocation): void {
  const at = `${input.pointer}/ratelimit`;
  if (input.ratelimit === undefined) {
    if (PHASES.includes(place.phase) && action !== 'execute' && action !== 'skip') {
      throw invalidValue('', at, `it is required in the phase ${place.phase}`);
    }
    return;
  }
  if (!PHASES.includes(place.phase)) {
    throw invalidValue(input.ratelimit, at, `it is not allowed in the phase ${place.phase}`);
  }
  checkBounds(ratelimit, input.ratelimit, at);
  checkCharacteristics(input.ratelimit, at);
}

function checkCharacteristics(limit: ValueOf<typeof ratelimit>, at: string): void {
  const { characteristics: names, period } = limit;
  const pointer = `${at}/characteristics`;
  const unknown = names.findIndex((name) => !CHARACTERISTICS.some((pattern) => pattern.test(name)));
  if (unknown >= 0) {
    throw invalidValue(names[unknown], `${pointer}/${unknown}`, 'it is not a known characteristic');
  }
  if (!names.includes(COLO)) {
    throw invalidValue(names, pointer, `${COLO} is missing from characteristics`);
  }
  if (names.length < 2) {
    throw invalidValue(names, pointer, `it needs a characteristic beside ${COLO}`);
  }
  if (names.includes('cf.unique_visitor_id') && names.includes('ip.src')) {
    throw invalidValue(names, pointer, 'cf.unique_visitor_id cannot be used together with ip.src');
  }
  if (!PERIODS.includes(period)) {
    throw invalidValue(period, `${at}/period`, `it must be one of ${PERIODS.join(', ')}`);
  }
}

/** The largest values that each plan allows, and the characteristics that it may use (undefined: all) (api.md 8.3). */
const LIMITS = {
  free: { period: 10, timeout: 10, characteristics: 1, counted: ['ip.src'] },
  pro: { period: 60, timeout: 3600, characteristics: 1, counted: ['ip.src'] },
  business: {
    period: 600,
    timeout: 86_400,
    characteristics: 2,
    counted: ['ip.src', 'cf.unique_visitor_id'],
  },
  enterprise: { period: 65_535, timeout: 86_400, characteristics: 4, counted: undefined },
} as const;

const HIGHER = 'an higher Advanced Rate Limiting plan';

/** Checks a stored rate limit against the plan of its scope (api.md 8.3). */
export function checkRatelimitEntitlement(action: string, limit: WireObject, place: CallLocation): void {
  const plan = planOf(place.scope);
  const row = LIMITS[plan];
  const period = numberAt(limit, 'period') ?? 0;
  const timeout = numberAt(limit, 'mitigation_timeout') ?? 0;
  const names = textsAt(limit, 'characteristics').filter((name) => name !== COLO);
  const counted: readonly string[] | undefined = row.counted;
  const foreign = counted === undefined ? undefined : names.find((name) => !counted.includes(name));
  if (foreign !== undefined) {
    throw notEntitled(`field ${foreign}`, HIGHER);
  }
  if (names.length > row.characteristics) {
    throw notEntitled(`${names.length} characteristics`, HIGHER);
  }
  if (period > row.period) {
    throw notEntitled(`period ${period}`, HIGHER);
  }
  if (timeout > row.timeout) {
    throw notEntitled(`mitigation_timeout ${timeout}`, HIGHER);
  }
  if (limit['score_per_period'] !== undefined && !hasFeature(place.scope, 'advanced_rate_limiting')) {
    throw notEntitled('score_per_period', HIGHER);
  }
  if (plan !== 'enterprise') {
    checkSmallPlan(action, limit, { plan, timeout });
  }
}

function checkSmallPlan(
  action: string,
  limit: WireObject,
  { plan, timeout }: { readonly plan: 'free' | 'pro' | 'business'; readonly timeout: number },
): void {
  if (CHALLENGES.includes(action) && timeout !== 0) {
    throw notEntitled(`mitigation_timeout ${timeout} with the ${action} action`, 'an Enterprise plan');
  }
  if (!CHALLENGES.includes(action) && timeout === 0) {
    throw notEntitled('throttling', 'an Enterprise plan');
  }
  const counting = textAt(limit, 'counting_expression') ?? '';
  if (counting !== '' && plan !== 'business') {
    throw notEntitled('counting_expression', 'a Business plan');
  }
}

/** Fills in the default timeout: 0, whatever the action (api.md 5.17). */
export function fillRatelimit(limit: WireObject): WireObject {
  return { ...limit, mitigation_timeout: limit['mitigation_timeout'] ?? 0 };
}
