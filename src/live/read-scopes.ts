import { createAccountLists } from './account-lists.ts';
import type { AccountLists } from './account-lists.ts';
import type { ScopeReading } from './read-scope.ts';
import { tryReadScope } from './read-scope.ts';
import type { Resolution } from './resolve-scopes.ts';
import { resolveScopes } from './resolve-scopes.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { NO_CACHE } from './ruleset-cache.ts';
import type { ReadClient } from '../api/client.ts';
import { RulewrightError } from '../model/error.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import { causeText } from '../model/source.ts';
import type { DeclaredScope } from '../model/state.ts';

/** How many scopes are read. */
export interface ReadScopesOptions<Desired> {
  /** The client with the scope's token; may throw a `RulewrightError`, which fails that scope alone. */
  readonly clientFor: (desired: Desired) => ReadClient;
  /** What was read before with the scope's token; nothing unless given. */
  readonly cacheFor?: (desired: Desired) => RulesetCache;
  /** Asked when the turn of a scope comes: null to read it, else why not. */
  readonly admit?: (desired: Desired) => RulewrightError | null;
  /** The most scopes that are under way or waiting to be taken; 8 unless given. It bounds the memory. */
  readonly concurrency?: number;
}

type Task<Desired> = () => Promise<ScopeReading<Desired>>;

/**
 * Reads many scopes side by side and yields each as it comes, one reading for each desired scope. One that
 * fails does not stop the others. Two that turn out to be the same zone or account both fail.
 */
export async function* readScopes<Desired extends DeclaredScope>(
  desired: readonly Desired[],
  options: ReadScopesOptions<Desired>,
): AsyncGenerator<ScopeReading<Desired>, void, void> {
  const tasks = await prepare(desired, options);
  const running = new Map<number, Promise<readonly [number, ScopeReading<Desired>]>>();
  let next = 0;
  while (next < tasks.length || running.size > 0) {
    const task = running.size < (options.concurrency ?? 8) ? tasks[next] : undefined;
    if (task === undefined) {
      const [index, reading] = await Promise.race(running.values());
      running.delete(index);
      yield reading;
    } else {
      const index = next;
      running.set(
        index,
        task().then((reading) => [index, reading] as const),
      );
      next += 1;
    }
  }
}

/** Names are looked up first, and together: that takes fewer requests, and shows what is declared twice. */
async function prepare<Desired extends DeclaredScope>(
  desired: readonly Desired[],
  options: ReadScopesOptions<Desired>,
): Promise<readonly Task<Desired>[]> {
  const groups = new Map<ReadClient, Desired[]>();
  const failed: Task<Desired>[] = [];
  for (const scope of desired) {
    try {
      const client = options.clientFor(scope);
      const group = groups.get(client) ?? [];
      groups.set(client, group);
      group.push(scope);
    } catch (error) {
      failed.push(failure(scope, asError(error)));
    }
  }
  const prepared = await Promise.all(
    [...groups].map(async ([client, scopes]) => {
      const found = await resolveScopes(
        client,
        scopes.map(({ scope }) => scope),
      );
      return scopes.map((scope) => ({
        client,
        desired: scope,
        resolution: found.get(scopeLabel(scope.scope)),
      }));
    }),
  );
  const bearers = new Map<string, string[]>();
  for (const { desired: wanted, resolution } of prepared.flat()) {
    if (resolution?.kind === 'found') {
      const place = placeOf(resolution.scope);
      bearers.set(place, [
        ...(bearers.get(place) ?? []),
        `${scopeLabel(wanted.scope)} (${causeText(wanted.cause)})`,
      ]);
    }
  }
  const lists = new Map([...groups.keys()].map((client) => [client, createAccountLists(client)]));
  return [
    ...failed,
    ...prepared.flat().map((one) =>
      task(one.client, one, {
        bearers,
        accountLists: lists.get(one.client),
        cache: options.cacheFor?.(one.desired) ?? NO_CACHE,
        admit: options.admit ?? ((): null => null),
      }),
    ),
  ];
}

function task<Desired extends DeclaredScope>(
  client: ReadClient,
  about: { readonly desired: Desired; readonly resolution: Resolution | undefined },
  shared: {
    readonly bearers: ReadonlyMap<string, readonly string[]>;
    readonly accountLists: AccountLists | undefined;
    readonly cache: RulesetCache;
    readonly admit: (desired: Desired) => RulewrightError | null;
  },
): Task<Desired> {
  const { desired, resolution } = about;
  if (resolution?.kind !== 'found') {
    return failure(desired, resolution?.error ?? asError(new TypeError('a scope was not looked up')));
  }
  const { scope } = resolution;
  const labels = shared.bearers.get(placeOf(scope)) ?? [];
  if (labels.length > 1) {
    return failure(desired, declaredTwice(scope, labels));
  }
  const { accountLists, cache } = shared;
  const known = { scope, cache, ...(accountLists === undefined ? {} : { accountLists }) };
  return async () => {
    const refused = shared.admit(desired);
    if (refused !== null) {
      return { kind: 'failed', desired, errors: [refused] };
    }
    try {
      return await tryReadScope(client, desired, known);
    } catch (error) {
      return { kind: 'failed', desired, errors: [asError(error)] };
    }
  };
}

function failure<Desired>(desired: Desired, error: RulewrightError): Task<Desired> {
  return async () => ({ kind: 'failed', desired, errors: [error] });
}

function placeOf(scope: Scope): string {
  return `${scope.kind}:${scope.id}`;
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
