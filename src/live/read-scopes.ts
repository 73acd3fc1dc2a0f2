import { memoise, sharing } from '../data/index.ts';
import type { ReadClient } from '../api/index.ts';
import {
  RulewrightError,
  knownError,
  isId,
  nameInAccount,
  scopeLabel,
  zoneName,
  causeText,
  plainEntrypoints,
  namesRulesets,
} from '../model/index.ts';
import type { Scope, DesiredScope, LiveScope, LiveEntry, EntrypointAddress } from '../model/index.ts';
import { resolveScope, listRulesets } from '../api/index.ts';
import { createAccountLists } from './read-live-lists.ts';
import { resolveScopes } from './resolve-scopes.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { NO_CACHE } from './ruleset-cache.ts';
import type { AccountLists } from './read-live-lists.ts';
import { readByList } from './read-listed.ts';
import type { SettledReads, EntriesReading } from './read-ruleset.ts';
import { absentAt, presentAt, settleAll, readUnlisted } from './read-ruleset.ts';

/** State that the readings of many scopes share. */
export interface ReadScopeOptions {
  readonly scope?: Scope;
  readonly accountLists?: AccountLists;
  /** No cache unless given. */
  readonly cache?: RulesetCache;
}

/** The result of reading a scope. The errors are in the order of declaration; there is at least one. */
export type ScopeReading =
  | { readonly kind: 'read'; readonly desired: DesiredScope; readonly live: LiveScope }
  | { readonly kind: 'failed'; readonly desired: DesiredScope; readonly errors: readonly RulewrightError[] };

/**
 * Reads the live rulesets that planning a scope needs (design: planning, step 1), with its list (`readByList`) or, when that takes fewer
 * requests, each entry point on its own (`readPlain`). Failures are returned as values, so a failed read is never taken for an empty
 * ruleset. Rejects only for bugs.
 */
export async function readScope(
  client: ReadClient,
  desired: DesiredScope,
  options: ReadScopeOptions = {},
): Promise<ScopeReading> {
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

/**
 * Returns the entry points to read without the scope's list, because the list would be one more request: always when the files declare only
 * a single one; for several when next to nothing is cached. Null when the list is needed, or saves requests.
 */
async function entrypointsToRead(
  desired: DesiredScope,
  cache: RulesetCache,
): Promise<readonly EntrypointAddress[] | null> {
  const addresses = plainEntrypoints(desired);
  if (addresses === null || addresses.length === 1) {
    return addresses;
  }
  const foreseen = await cache.estimateRequests(desired);
  return foreseen === null || foreseen >= addresses.length ? addresses : null;
}

/**
 * Reads each entry point by its phase: one request tells which ruleset it has, or that it has none. The list is read afterwards if a rule
 * names another ruleset. Null when the first of several reads fails: reading the list then shows with a single request whether the whole
 * scope fails.
 */
async function readPlain(
  client: ReadClient,
  scope: Scope,
  about: { readonly addresses: readonly EntrypointAddress[]; readonly cache: RulesetCache },
): Promise<EntriesReading | null> {
  const { addresses } = about;
  // A single entry point is read in every run, so there is no use in caching it.
  const several = addresses.length > 1;
  const cache = several ? about.cache : NO_CACHE;
  const read = (part: readonly EntrypointAddress[]): Promise<SettledReads<LiveEntry>> =>
    settleAll(part.map((address) => readOne(client, scope, { address, cache })));
  const first = await read(addresses.slice(0, 1));
  if (several && first.errors.length > 0) {
    // A service that refuses requests because of its rate limit would refuse the list, too.
    const isLimited = first.errors.some(({ code }) => code === 'api/rate-limited');
    return isLimited ? { entries: [], catalogue: [], errors: first.errors, asked: false } : null;
  }
  const others = await read(addresses.slice(1));
  const entries = [...first.values, ...others.values];
  const errors = [...first.errors, ...others.errors];
  const named = entries.some(({ slot }) => slot.kind === 'present' && namesRulesets(slot.ruleset.rules));
  const listed = named ? await listRulesets(client, scope) : [];
  const catalogue = listed.filter(({ kind }) => kind === 'managed' || kind === 'custom');
  return { entries, catalogue, errors, asked: several && entries.length > 0 };
}

async function readOne(
  client: ReadClient,
  scope: Scope,
  { address, cache }: { readonly address: EntrypointAddress; readonly cache: RulesetCache },
): Promise<LiveEntry> {
  const ruleset = await readUnlisted(client, scope, address.phase);
  if (ruleset === null) {
    await cache.keepAbsent(scope, address.phase, null);
    return absentAt(address);
  }
  await cache.keep(scope, ruleset);
  return presentAt(address, ruleset);
}

/** Options for reading many scopes. */
export interface ReadScopesOptions {
  /** Returns the client with the scope's token. May throw a `RulewrightError`, which fails only that scope. */
  readonly clientFor: (desired: DesiredScope) => ReadClient;
  /** Returns the cache for the token of a scope; no cache unless given. */
  readonly cacheFor?: (desired: DesiredScope) => RulesetCache;
  /** Called when it is a scope's turn: returns null to read it, else the error that it fails with. */
  readonly admit?: (desired: DesiredScope) => RulewrightError | null;
  /** The maximum number of scopes that are being read or not yet consumed; 8 unless given. Bounds the memory. */
  readonly concurrency?: number;
}

/**
 * Reads many scopes concurrently and yields one reading per desired scope, in the order in which they finish. A scope that fails does not
 * stop the others. Scopes that turn out to be the same zone or account all fail.
 */
export async function* readScopes(
  desired: readonly DesiredScope[],
  options: ReadScopesOptions,
): AsyncGenerator<ScopeReading, void, void> {
  const found = await lookUp(desired, options);
  const read = readerOf(found, options);
  // Without `Promise.race`: each race would leave a reaction on the promise of a scope that takes long.
  const ended: ScopeReading[] = [];
  let wake = (): void => undefined;
  const begin = async (scope: DesiredScope): Promise<void> => {
    ended.push(await read(scope));
    wake();
  };
  let running = 0;
  const waiting = desired.values();
  let next = waiting.next();
  while (next.done !== true || running > 0) {
    if (next.done !== true && running < (options.concurrency ?? 8)) {
      running += 1;
      void begin(next.value);
      next = waiting.next();
      continue;
    }
    const reading = ended.shift();
    if (reading === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else {
      running -= 1;
      yield reading;
    }
  }
}

/**
 * The scope that each desired scope was resolved to, or why it cannot be read. Nothing else is kept of the scopes whose turn has not come.
 */
type ResolvedScopes = ReadonlyMap<DesiredScope, Scope | RulewrightError>;

/** Resolves all scopes together before reading any: that takes fewer requests, and shows which are declared twice. */
async function lookUp(
  desired: readonly DesiredScope[],
  { clientFor }: ReadScopesOptions,
): Promise<ResolvedScopes> {
  const found = new Map<DesiredScope, Scope | RulewrightError>();
  const clients = new Map<ReadClient, DesiredScope[]>();
  for (const scope of desired) {
    try {
      const client = clientFor(scope);
      const group = clients.get(client) ?? [];
      clients.set(client, group);
      group.push(scope);
    } catch (error) {
      found.set(scope, asError(error));
    }
  }
  const searches = [...clients].map(async ([client, scopes]) => {
    const refs = scopes.map(({ scope }) => scope);
    const resolutions = await resolveScopes(client, refs);
    for (const scope of scopes) {
      const resolution = resolutions.get(scopeLabel(scope.scope));
      if (resolution !== undefined) {
        found.set(scope, resolution.kind === 'found' ? resolution.scope : placed(resolution.error, scope));
      }
    }
  });
  await Promise.all(searches);
  refuseTwice(desired, found);
  tellApart(found);
  return found;
}

/** Adds to the error about a name that no scope has where the files declare it. */
function placed(error: RulewrightError, { cause }: DesiredScope): RulewrightError {
  const { code, fault, hint, message } = error;
  return code === 'api/unknown-scope'
    ? new RulewrightError(`${causeText(cause)}: ${message}`, { code, fault, hint, cause: error })
    : error;
}

/**
 * Renames zones that files declare by id and that have the same name in several accounts: reports, journals and plans use labels, so each
 * of these zones gets its account in its name.
 */
function tellApart(found: Map<DesiredScope, Scope | RulewrightError>): void {
  const scopes = [...found].flatMap(([desired, scope]) =>
    scope instanceof RulewrightError ? [] : [{ desired, scope }],
  );
  const alike = sharing(scopes, ({ scope }) => `${scope.kind}:${zoneName(scope).bare}`);
  for (const { desired, scope } of alike.flat()) {
    if (isId(desired.scope.name)) {
      found.set(desired, { ...scope, name: nameInAccount(scope) });
    }
  }
}

/** Replaces desired scopes that are the same zone or account by an error. */
function refuseTwice(
  desired: readonly DesiredScope[],
  found: Map<DesiredScope, Scope | RulewrightError>,
): void {
  const scopes = desired.flatMap((one) => {
    const scope = found.get(one);
    return scope === undefined || scope instanceof RulewrightError ? [] : [{ desired: one, scope }];
  });
  for (const same of sharing(scopes, ({ scope }) => `${scope.kind}:${scope.id}`)) {
    const labels = same.map((one) => `${scopeLabel(one.desired.scope)} (${causeText(one.desired.cause)})`);
    for (const one of same) {
      found.set(one.desired, declaredTwice(one.scope, labels));
    }
  }
}

/** Returns a function that reads a scope after it was resolved. The function never rejects. */
function readerOf(
  found: ResolvedScopes,
  { clientFor, cacheFor = () => NO_CACHE, admit = () => null }: ReadScopesOptions,
): (desired: DesiredScope) => Promise<ScopeReading> {
  const listsOf = memoise(createAccountLists);
  return async (desired) => {
    try {
      const scope = found.get(desired) ?? asError(new TypeError('a scope was not looked up'));
      if (scope instanceof RulewrightError) {
        return { kind: 'failed', desired, errors: [scope] };
      }
      const refused = admit(desired);
      if (refused !== null) {
        return { kind: 'failed', desired, errors: [refused] };
      }
      const client = clientFor(desired);
      return await readScope(client, desired, {
        scope,
        cache: cacheFor(desired),
        accountLists: listsOf(client),
      });
    } catch (error) {
      return { kind: 'failed', desired, errors: [asError(error)] };
    }
  };
}

function declaredTwice(scope: Scope, labels: readonly string[]): RulewrightError {
  return new RulewrightError(`${labels.join(' and ')} are the same ${scope.kind}, ${scope.id}.`, {
    code: 'live/scope-declared-twice',
    fault: 'user',
    hint: 'Write it the same way in every file: the name, or the id.',
  });
}

/** Returns the error, or wraps it as a bug, so that a bug in reading one scope does not stop the others. */
function asError(error: unknown): RulewrightError {
  return error instanceof RulewrightError
    ? error
    : new RulewrightError(`Reading failed for an unforeseen reason: ${String(error)}`, {
        code: 'live/bug',
        fault: 'bug',
        cause: error,
      });
}
