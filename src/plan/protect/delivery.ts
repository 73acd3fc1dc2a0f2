import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonObject, jsonEqual, objectOf } from '../../model/json.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, weaker } from './verdict.ts';

/** Whether cached answers are checked against what they are asked as (`cache_deception_armor`). */
export function armed(parameters: JsonObject): boolean {
  const key = parameters['cache_key'];
  return isJsonObject(key) && key['cache_deception_armor'] === true;
}

/** Whether what a cache rule matches stays out of the cache (api.md 5.11): a page that is one visitor's is shown to nobody else. */
export function bypassesCache(parameters: JsonObject): boolean {
  return parameters['cache'] === false;
}

/** What other parameters of a cache rule do to protection. */
export function compareCaching(old: JsonObject, now: JsonObject): Verdict {
  return together([
    byFlag(armed(old), armed(now), [
      'switches cache deception armor off',
      'switches cache deception armor on',
    ]),
    byFlag(bypassesCache(old), bypassesCache(now), ['lets be cached what was not', 'keeps out of the cache']),
  ]);
}

function byFlag(before: boolean, after: boolean, [off, on]: readonly [off: string, on: string]): Verdict {
  return before === after ? SAME : after ? stronger(on) : weaker(off);
}

/** The host that an origin rule sends requests to, whichever way it says it (api.md 5.8); undefined where it names none. */
export function destinationOf(parameters: JsonObject): readonly JsonValue[] | undefined {
  const named = [
    parameters['host_header'],
    objectOf(parameters['origin'])['host'],
    objectOf(parameters['sni'])['value'],
  ];
  return named.every((one) => one === undefined) ? undefined : named.map((one) => one ?? null);
}

/** What other parameters of an origin rule do: whoever gets the requests of visitors reads them. */
export function compareDestinations(old: JsonObject, now: JsonObject): Verdict {
  return jsonEqual(destinationOf(old), destinationOf(now)) ? SAME : weaker('sends requests to another host');
}
