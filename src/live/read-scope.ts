import type { AccountLists } from './account-lists.ts';
import { createAccountLists } from './account-lists.ts';
import { readByList } from './read-listed.ts';
import { entrypointsToRead, readPlain } from './read-plain.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { NO_CACHE } from './ruleset-cache.ts';
import type { ReadClient } from '../api/client.ts';
import { resolveScope } from '../api/resolve-scope.ts';
import type { RulewrightError } from '../model/error.ts';
import { knownError } from '../model/error.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, DesiredScope, LiveScope } from '../model/state.ts';

/** State that the readings of many scopes share. */
export interface ReadScopeOptions {
  readonly scope?: Scope;
  readonly accountLists?: AccountLists;
  /** No cache unless given. */
  readonly cache?: RulesetCache;
}

/** The result of reading a scope. The errors are in the order of declaration; there is at least one. */
export type ScopeReading<Desired = DesiredScope> =
  | { readonly kind: 'read'; readonly desired: Desired; readonly live: LiveScope }
  | { readonly kind: 'failed'; readonly desired: Desired; readonly errors: readonly RulewrightError[] };

/**
 * Reads the live rulesets that planning a scope needs (design: planning, step 1), with its list (`readByList`) or, when that takes fewer
 * requests, each entry point on its own (`readPlain`). Failures are returned as values, so a failed read is never taken for an empty
 * ruleset. Rejects only for bugs.
 */
export async function readScope<Desired extends DeclaredScope>(
  client: ReadClient,
  desired: Desired,
  options: ReadScopeOptions = {},
): Promise<ScopeReading<Desired>> {
  try {
    const scope = options.scope ?? (await resolveScope(client, desired.scope));
    const { cache = NO_CACHE, accountLists = createAccountLists(client) } = options;
    const plain = await entrypointsToRead(desired, cache);
    const { entries, catalogue, users, unseen, undeclared, errors, asked } =
      (plain === null ? null : await readPlain(client, scope, { addresses: plain, cache })) ??
      (await readByList(client, scope, { desired, accountLists, cache }));
    const live = {
      scope,
      entries,
      catalogue,
      ...(users === undefined || users.length === 0 ? {} : { users }),
      ...(undeclared === undefined || undeclared.length === 0 ? {} : { undeclared }),
      ...(unseen === undefined || unseen.length === 0 ? {} : { unseen }),
    };
    if (asked) {
      await cache.note(desired, live);
    }
    return errors.length > 0 ? { kind: 'failed', desired, errors } : { kind: 'read', desired, live };
  } catch (error) {
    return { kind: 'failed', desired, errors: [knownError(error)] };
  }
}
