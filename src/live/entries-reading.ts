import type { RulewrightError } from '../model/error.ts';
import { knownError } from '../model/error.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { LiveEntry, UnseenRuleset } from '../model/state.ts';

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
