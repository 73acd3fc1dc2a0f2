import type { ReadClient } from '../api/index.ts';
import { getEntrypoint, getRuleset, isNotFound } from '../api/index.ts';
import { RulewrightError, knownError, ENTRYPOINT_KIND, isId, scopeLabel } from '../model/index.ts';
import type {
  LiveRuleset,
  LiveRulesetHead,
  RulesetAddress,
  Scope,
  LiveEntry,
  UnseenRuleset,
  LiveScope,
} from '../model/index.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** Returns the scope's own entry points in its list. */
export function entrypointsIn(
  { kind }: Pick<Scope, 'kind'>,
  listed: readonly LiveRulesetHead[],
): readonly LiveRulesetHead[] {
  return listed.filter((head) => head.kind === ENTRYPOINT_KIND[kind]);
}

/** Reads a ruleset from a scope's list. Rejects when it does not exist any more, or when the service answers with another ruleset. */
export async function readListed(
  client: ReadClient,
  scope: Scope,
  head: LiveRulesetHead,
): Promise<LiveRuleset> {
  try {
    const { id, phase, kind } = head;
    return usable(scope, await getRuleset(client, scope, id, { phase, kind }));
  } catch (error) {
    if (isNotFound(error)) {
      throw new RulewrightError(
        `${scopeLabel(scope)}: the ruleset ${head.id} was in the list a moment ago and is gone.`,
        {
          code: 'live/changed-while-reading',
          fault: 'remote',
          hint: 'Somebody is changing this scope: run it again.',
          cause: error,
        },
      );
    }
    throw error;
  }
}

/** Returns a ruleset from the cache, else reads it as `readListed` does. `asked`: whether it was read from the service. */
export async function readKept(
  client: ReadClient,
  scope: Scope,
  { head, cache }: { readonly head: LiveRulesetHead; readonly cache: RulesetCache },
): Promise<{ readonly ruleset: LiveRuleset; readonly asked: boolean }> {
  const kept = await cache.find(scope, head);
  if (kept !== null) {
    return { ruleset: kept, asked: false };
  }
  const ruleset = await readListed(client, scope, head);
  await cache.keep(scope, ruleset);
  return { ruleset, asked: true };
}

/** Reads the entry point of a phase that the list does not show; `null` proves that it does not exist. */
export async function readUnlisted(
  client: ReadClient,
  scope: Scope,
  phase: string,
): Promise<LiveRuleset | null> {
  const ruleset = await getEntrypoint(client, scope, phase);
  return ruleset === null ? null : usable(scope, ruleset);
}

/** Returns the ruleset if it and all its rules have a valid id; throws otherwise, because no request could name them. */
function usable(scope: Scope, ruleset: LiveRuleset): LiveRuleset {
  const index = ruleset.rules.findIndex(({ id }) => !isId(id));
  if (!isId(ruleset.id) || index !== -1) {
    const what = index === -1 ? 'the ruleset itself' : `rule ${index + 1}`;
    throw new RulewrightError(
      `${scopeLabel(scope)}: in the ruleset ${JSON.stringify(ruleset.id)} of phase ${ruleset.phase}, ${what} has no usable id.`,
      {
        code: 'live/unusable-id',
        fault: 'remote',
        hint: 'Ids are 32 lower-case hex characters; without one nothing can be changed safely.',
      },
    );
  }
  return ruleset;
}

/** The result of reading the rulesets of a scope. */
export interface EntriesReading {
  /** The entries that could be read, in the order of declaration. */
  readonly entries: readonly LiveEntry[];
  readonly catalogue: readonly LiveRulesetHead[];
  /** Undeclared rulesets that were read because they may refer to a deleted one. */
  readonly users?: readonly LiveRuleset[];
  readonly unseen?: readonly UnseenRuleset[];
  /** Undeclared rulesets that were not looked at. */
  readonly undeclared?: readonly RulesetAddress[];
  /** In the order of declaration; with a single error the scope counts as not read. */
  readonly errors: readonly RulewrightError[];
  /** Whether requests were sent for entries that the cache did not have. */
  readonly asked: boolean;
}

/** A live entry, and whether reading it took a request. */
export interface EntryReading {
  readonly entry: LiveEntry;
  readonly asked: boolean;
}

/** Returns the entry of an address without a ruleset. */
export function absentAt(address: RulesetAddress): LiveEntry {
  return { address, slot: { kind: 'absent' } };
}

/** Returns the entry of an address with its ruleset. */
export function presentAt(address: RulesetAddress, ruleset: LiveRuleset): LiveEntry {
  return { address, slot: { kind: 'present', ruleset } };
}

/** The values and errors of concurrent reads, each in the order of the reads. */
export interface SettledReads<Value> {
  readonly values: readonly Value[];
  readonly errors: readonly RulewrightError[];
}

/** Waits for concurrent reads. Rejects only for bugs. */
export async function settleAll<Value>(reads: readonly Promise<Value>[]): Promise<SettledReads<Value>> {
  const settled = await Promise.allSettled(reads);
  return {
    values: settled.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : [])),
    errors: settled.flatMap((read) => (read.status === 'rejected' ? [knownError(read.reason)] : [])),
  };
}

/**
 * Adds to a scope that was read the undeclared custom rulesets that changed rules execute. A ruleset that cannot be read is left out: then
 * nothing can be proven about the rules that execute it, but everything else can be planned.
 */
export async function readExecuted(
  client: ReadClient,
  live: LiveScope,
  { heads, cache }: { readonly heads: readonly LiveRulesetHead[]; readonly cache: RulesetCache },
): Promise<LiveScope> {
  const { values } = await settleAll(heads.map((head) => readKept(client, live.scope, { head, cache })));
  return { ...live, users: [...(live.users ?? []), ...values.map(({ ruleset }) => ruleset)] };
}
