import { RulewrightError } from '../model/error.ts';
import type { LiveRulesetHead } from '../model/ruleset.ts';
import type { LiveEntry } from '../model/state.ts';

/** What came of reading the rulesets of a scope. */
export interface EntriesReading {
  /** What could be read, in the order of declaration. */
  readonly entries: readonly LiveEntry[];
  readonly catalogue: readonly LiveRulesetHead[];
  /** In the order of declaration; one is enough for the scope to count as not read. */
  readonly errors: readonly RulewrightError[];
  /** Whether something is known now that the cache did not know. */
  readonly asked: boolean;
}

/** What came of reads side by side, in their order. Rejects only for bugs. */
export async function ended<Value>(
  reads: readonly Promise<Value>[],
): Promise<{ readonly values: readonly Value[]; readonly errors: readonly RulewrightError[] }> {
  const settled = await Promise.allSettled(reads);
  return {
    values: settled.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : [])),
    errors: settled.flatMap((read) => (read.status === 'rejected' ? [expected(read.reason)] : [])),
  };
}

/** Bugs go on as they are. */
export function expected(error: unknown): RulewrightError {
  if (error instanceof RulewrightError) {
    return error;
  }
  throw error;
}
