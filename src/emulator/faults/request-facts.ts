import { isObject, parsedJson, textAt } from '../protocol/json.ts';
import type { Store } from '../store/store.ts';

/** What faults look at in a request. */
export interface RequestFacts {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly bodyText: string;
}

/** Returns the zone or account that a path is below, as `zones/<id>` or `accounts/<id>`. */
export function ownerOf(path: string): string | undefined {
  return /^\/((?:zones|accounts)\/[0-9a-f]{32})(?:\/|$)/u.exec(path)?.[1];
}

/** Returns the phase of the ruleset that a request names: by its path, by a ruleset id, or in the body of a creation. */
export function phaseOf(facts: RequestFacts, store: Store): string | undefined {
  const named = /\/rulesets\/phases\/([a-z0-9_]+)(?:\/|$)/u.exec(facts.path)?.[1];
  if (named !== undefined) {
    return named;
  }
  const id = /\/rulesets\/([0-9a-f]{32})(?:\/|$)/u.exec(facts.path)?.[1];
  if (id !== undefined) {
    return store.rulesets.get(id)?.phase;
  }
  if (facts.method !== 'POST' || !facts.path.endsWith('/rulesets')) {
    return undefined;
  }
  const body = parsedJson(facts.bodyText);
  return isObject(body) ? textAt(body, 'phase') : undefined;
}

/** Whether a path matches a pattern, in which `*` matches within one segment and `**` any number of segments. */
export function matchesPath(pattern: string, path: string): boolean {
  const source = pattern
    .split('/')
    .map((segment) =>
      segment === '**' ? '.*' : segment.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&').replaceAll('*', '[^/]*'),
    )
    .join('/')
    .replaceAll('/.*', '(?:/.*)?');
  return new RegExp(`^${source}$`, 'u').test(path);
}
