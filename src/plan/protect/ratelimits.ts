import { currentName } from '../../expression/current-names.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { jsonEqual, listOf } from '../../model/json.ts';
import { DEFAULT_MITIGATION_TIMEOUT } from '../../model/normalise.ts';
import type { RuleContent } from '../../model/rule.ts';
import { compareReach } from './reach.ts';
import type { Verdict } from './verdict.ts';
import { byDepth, byHeight, SAME, stronger, together, unproven, weaker } from './verdict.ts';

const COMPARED = [
  'requests_per_period',
  'score_per_period',
  'period',
  'mitigation_timeout',
  'characteristics',
  'counting_expression',
  'mitigation_expression',
  'requests_to_origin',
] as const;

const DEFAULTS: JsonObject = { mitigation_timeout: DEFAULT_MITIGATION_TIMEOUT };

/** Compares the limits of two rate limiting rules (api.md 3.4). */
export function compareRatelimits(before: RuleContent, after: RuleContent): Verdict {
  const old = before.ratelimit;
  const now = after.ratelimit;
  if (old === undefined || now === undefined) {
    return old === now
      ? SAME
      : now === undefined
        ? stronger('stops every request, not only many')
        : weaker('stops only many requests');
  }
  return together([
    // A rule that acts after fewer requests protects more.
    ...(['requests_per_period', 'score_per_period'] as const).map((key) =>
      compareNumber(key, old, now, byDepth),
    ),
    // A longer period counts more requests, and a longer timeout stops longer.
    compareNumber('period', old, now, byHeight),
    compareNumber('mitigation_timeout', { ...DEFAULTS, ...old }, { ...DEFAULTS, ...now }, byHeight),
    compareCharacteristics(old['characteristics'], now['characteristics']),
    compareReach(counted(before), counted(after), { role: 'protects', action: after.action }),
    compareOrigin(old, now),
    compareRest(old, now),
  ]);
}

function compareNumber(
  key: string,
  { [key]: before }: JsonObject,
  { [key]: after }: JsonObject,
  compare: typeof byHeight,
): Verdict {
  if (before === after) {
    return SAME;
  }
  return typeof before === 'number' && typeof after === 'number'
    ? compare(before, after, key)
    : unproven(`changes ${key}`);
}

/** Compares characteristics; with fewer of them, more requests share one counter. */
function compareCharacteristics(before: JsonValue | undefined, after: JsonValue | undefined): Verdict {
  const old = namesOf(before);
  const now = namesOf(after);
  if (now.some((item) => !old.includes(item))) {
    return unproven('counts by other characteristics');
  }
  return old.length === now.length ? SAME : stronger('counts by fewer characteristics');
}

/**
 * Returns the characteristics, under their current names if that means the same: it does if `cf.colo.id` is one, as each HTTP rate limit also
 * counts by data centre.
 */
function namesOf(characteristics: JsonValue | undefined): readonly JsonValue[] {
  const names = listOf(characteristics);
  return names.includes('cf.colo.id')
    ? names.map((name) => (typeof name === 'string' ? currentName(name) : name))
    : names;
}

function counted(content: RuleContent): string {
  const counting = content.ratelimit?.['counting_expression'];
  return typeof counting === 'string' && counting !== '' ? counting : content.expression;
}

function compareOrigin(before: JsonObject, after: JsonObject): Verdict {
  const old = before['requests_to_origin'] === true;
  const now = after['requests_to_origin'] === true;
  return old === now
    ? SAME
    : now
      ? weaker('counts only requests to the origin')
      : stronger('counts cached answers too');
}

function compareRest(before: JsonObject, after: JsonObject): Verdict {
  const rest = (limit: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(limit).filter(([key]) => !COMPARED.some((known) => known === key)));
  return jsonEqual(rest(before), rest(after)) ? SAME : unproven('changes other rate limit parameters');
}
