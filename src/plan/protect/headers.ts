import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, jsonEqual } from '../../model/json.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, weaker } from './verdict.ts';

/** Response headers by which a browser protects its user. */
const SECURITY_HEADERS: ReadonlySet<string> = new Set([
  'content-security-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

/** The security headers that a header rule sets or removes, by lower-case name. */
function securityHeaders(parameters: JsonObject): ReadonlyMap<string, JsonObject> {
  const { headers } = parameters;
  return new Map(
    isJsonObject(headers)
      ? Object.entries(headers).flatMap(([name, change]): readonly [string, JsonObject][] =>
          SECURITY_HEADERS.has(name.toLowerCase()) && isJsonObject(change)
            ? [[name.toLowerCase(), change]]
            : [],
        )
      : [],
  );
}

/** Whether a header rule sets security headers, or takes some away. */
export function headerEffects(parameters: JsonObject): {
  readonly raises: boolean;
  readonly lowers: boolean;
} {
  const changes = [...securityHeaders(parameters).values()];
  return {
    raises: changes.some((change) => change['operation'] !== 'remove'),
    lowers: changes.some((change) => change['operation'] === 'remove'),
  };
}

/** Compares what two header rules do to security headers; another value counts as weaker, since we cannot weigh values. */
export function compareHeaders(before: JsonObject, after: JsonObject): Verdict {
  const old = securityHeaders(before);
  const now = securityHeaders(after);
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const changed = names.filter((name) => !jsonEqual(old.get(name), now.get(name)));
  const doubtful = changed.find((name) => {
    const [was, change] = [old.get(name), now.get(name)];
    return was === undefined ? change?.['operation'] === 'remove' : was['operation'] !== 'remove';
  });
  if (doubtful !== undefined) {
    return weaker(`does not set the header ${doubtful} as before`);
  }
  return changed.length === 0 ? SAME : stronger(`sets the header ${changed.join(', ')}`);
}
