import type { RulewrightError } from '../model/error.ts';
import { knownError } from '../model/error.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { LiveEntry, UnseenRuleset } from '../model/state.ts';

/** The result of reading the rulesets of a scope. */
export interface EntriesReading {
  /** What could be read, in the order of declaration. */
  readonly entries: readonly LiveEntry[];
  readonly catalogue: readonly LiveRulesetHead[];
  /** Undeclared rulesets that were read because they may refer to a deleted one. */
  readonly users?: readonly LiveRuleset[];
  readonly unseen?: readonly UnseenRuleset[];
  /** In the order of declaration; one is enough for the scope to count as not read. */
  readonly errors: readonly RulewrightError[];
  /** Whether requests were sent for what the cache did not have. */
  readonly asked: boolean;
}

/** A live entry, and whether it took a request. */
export interface EntryReading {
  readonly entry: LiveEntry;
  readonly asked: boolean;
}

/** An address where nothing is. */
export function absentAt(address: RulesetAddress): LiveEntry {
  return { address, slot: { kind: 'absent' } };
}

/** An address with the ruleset that is there. */
export function presentAt(address: RulesetAddress, ruleset: LiveRuleset): LiveEntry {
  return { address, slot: { kind: 'present', ruleset } };
}

/** The results of concurrent reads, in their order. */
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
