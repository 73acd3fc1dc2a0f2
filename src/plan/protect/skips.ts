import type { JsonObject, JsonValue } from '../../model/json.ts';
import { canonicalJson, isJsonArray, isJsonObject, objectOf } from '../../model/json.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, weaker } from './verdict.ts';

/** Compares what two skip rules skip (api.md 5.4), and whether they log it. */
export function compareSkips(before: JsonObject, after: JsonObject): Verdict {
  const old = skipped(objectOf(before['parameters']));
  const now = skipped(objectOf(after['parameters']));
  if ([...now].some((target) => !old.has(target))) {
    return weaker('skips more');
  }
  const loud = objectOf(before['logging'])['enabled'] !== false;
  const stillLoud = objectOf(after['logging'])['enabled'] !== false;
  if (loud && !stillLoud) {
    return weaker('skips silently');
  }
  return now.size < old.size || (!loud && stillLoud)
    ? stronger(now.size < old.size ? 'skips less' : 'logs its skips')
    : SAME;
}

/** Returns everything that a skip rule skips, one text each. */
function skipped(parameters: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(parameters).flatMap(([key, value]) => {
      if (isJsonArray(value)) {
        return value.map((item) => `${key} ${canonicalJson(item)}`);
      }
      if (key === 'rules' && isJsonObject(value)) {
        return Object.entries(value).flatMap(([ruleset, ids]) => skippedIn(ruleset, ids));
      }
      return [`${key} ${canonicalJson(value)}`];
    }),
  );
}

/** Returns what a skip rule skips in one ruleset. No ids mean the whole ruleset (api.md 5.4, recorded), as if `rulesets` named it. */
function skippedIn(ruleset: string, ids: JsonValue): readonly string[] {
  return isJsonArray(ids) && ids.length > 0
    ? ids.map((id) => `rules ${ruleset} ${canonicalJson(id)}`)
    : [`rulesets ${canonicalJson(ruleset)}`];
}
