import { isObject, parsedJson, textAt } from '../protocol/json.ts';
import type { Store } from '../store/store.ts';

/** A request as faults see it. */
export interface RequestFacts {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly bodyText: string;
}

/** The zone or account that a path stands below, as `zones/<id>` or `accounts/<id>`. */
export function ownerOf(path: string): string | undefined {
  return /^\/((?:zones|accounts)\/[0-9a-f]{32})(?:\/|$)/u.exec(path)?.[1];
}

/** The phase whose ruleset a request names: by its path, by the id of a ruleset, or in the body of a creation. */
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

/** Whether a path is one that a pattern means: `*` is one segment, `**` any number of them. */
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
