import { createAccountLists } from './account-lists.ts';
import { memoise } from '../model/memoise.ts';
import type { ScopeReading } from './read-scope.ts';
import { readScope } from './read-scope.ts';
import { resolveScopes } from './resolve-scopes.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { NO_CACHE } from './ruleset-cache.ts';
import type { ReadClient } from '../api/client.ts';
import { RulewrightError } from '../model/error.ts';
import { sharing } from '../model/group-by.ts';
import type { Scope } from '../model/scope.ts';
import { isId, nameInAccount, scopeLabel, zoneName } from '../model/scope.ts';
import { causeText } from '../model/source.ts';
import type { DeclaredScope } from '../model/state.ts';

/** Options for reading many scopes. */
export interface ReadScopesOptions<Desired> {
  /** Returns the client with the scope's token. May throw a `RulewrightError`, which fails only that scope. */
  readonly clientFor: (desired: Desired) => ReadClient;
  /** Returns the cache for the token of a scope; no cache unless given. */
  readonly cacheFor?: (desired: Desired) => RulesetCache;
  /** Called when it is a scope's turn: returns null to read it, else the error that it fails with. */
  readonly admit?: (desired: Desired) => RulewrightError | null;
  /** The maximum number of scopes that are being read or not yet consumed; 8 unless given. Bounds the memory. */
  readonly concurrency?: number;
}

/**
 * Reads many scopes concurrently and yields one reading per desired scope, in the order in which they finish. A scope that fails does not
 * stop the others. Scopes that turn out to be the same zone or account all fail.
 */
export async function* readScopes<Desired extends DeclaredScope>(
  desired: readonly Desired[],
  options: ReadScopesOptions<Desired>,
): AsyncGenerator<ScopeReading<Desired>, void, void> {
  const found = await lookUp(desired, options);
  const read = readerOf(found, options);
  // Without `Promise.race`: each race would leave a reaction on the promise of a scope that takes long.
  const ended: ScopeReading<Desired>[] = [];
  let wake = (): void => undefined;
  const begin = async (scope: Desired): Promise<void> => {
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
type Found<Desired> = ReadonlyMap<Desired, Scope | RulewrightError>;

/** Resolves all scopes together before reading any: that takes fewer requests, and shows which are declared twice. */
async function lookUp<Desired extends DeclaredScope>(
  desired: readonly Desired[],
  { clientFor }: ReadScopesOptions<Desired>,
): Promise<Found<Desired>> {
  const found = new Map<Desired, Scope | RulewrightError>();
  const clients = new Map<ReadClient, Desired[]>();
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
function placed(error: RulewrightError, { cause }: DeclaredScope): RulewrightError {
  const { code, fault, hint, message } = error;
  return code === 'api/unknown-scope'
    ? new RulewrightError(`${causeText(cause)}: ${message}`, { code, fault, hint, cause: error })
    : error;
}

/**
 * Renames zones that files declare by id and that have the same name in several accounts: reports, journals and plans use labels, so each
 * of these zones gets its account in its name.
 */
function tellApart<Desired extends DeclaredScope>(found: Map<Desired, Scope | RulewrightError>): void {
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
function refuseTwice<Desired extends DeclaredScope>(
  desired: readonly Desired[],
  found: Map<Desired, Scope | RulewrightError>,
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
function readerOf<Desired extends DeclaredScope>(
  found: Found<Desired>,
  { clientFor, cacheFor = () => NO_CACHE, admit = () => null }: ReadScopesOptions<Desired>,
): (desired: Desired) => Promise<ScopeReading<Desired>> {
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
