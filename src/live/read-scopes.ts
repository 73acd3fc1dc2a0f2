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

/** How many scopes are read. */
export interface ReadScopesOptions<Desired> {
  /** The client with the scope's token; may throw a `RulewrightError`, which fails that scope alone. */
  readonly clientFor: (desired: Desired) => ReadClient;
  /** The cache for the token of a scope; none unless given. */
  readonly cacheFor?: (desired: Desired) => RulesetCache;
  /** Asked when the turn of a scope comes: null to read it, else why not. */
  readonly admit?: (desired: Desired) => RulewrightError | null;
  /** The most scopes that are under way or waiting to be taken; 8 unless given. It bounds the memory. */
  readonly concurrency?: number;
}

/**
 * Reads many scopes side by side and yields each as it comes, one reading for each desired scope. One that
 * fails does not stop the others. Two that turn out to be the same zone or account both fail.
 */
export async function* readScopes<Desired extends DeclaredScope>(
  desired: readonly Desired[],
  options: ReadScopesOptions<Desired>,
): AsyncGenerator<ScopeReading<Desired>, void, void> {
  const found = await lookUp(desired, options);
  const read = readerOf(found, options);
  // No race of promises: each race would leave something with a scope that takes long.
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

/** What scopes turned out to be, or why they cannot be read. All that is kept of those whose turn has not come. */
type Found<Desired> = ReadonlyMap<Desired, Scope | RulewrightError>;

/** Names are looked up first, and together: that takes fewer requests, and shows what is declared twice. */
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
        found.set(scope, resolution.kind === 'found' ? resolution.scope : resolution.error);
      }
    }
  });
  await Promise.all(searches);
  refuseTwice(desired, found);
  tellApart(found);
  return found;
}

/**
 * Files name zones by id that the service calls alike, in several accounts: reports, journals and plans go by labels, so each of these
 * is called with its account.
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

/** Puts an error in the place of scopes that are one. */
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

/** Reads one scope after it was looked up. Never rejects. */
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

/** A bug in the reading of one scope must not take the others along. */
function asError(error: unknown): RulewrightError {
  return error instanceof RulewrightError
    ? error
    : new RulewrightError(`Reading failed for an unforeseen reason: ${String(error)}`, {
        code: 'live/bug',
        fault: 'bug',
        cause: error,
      });
}
