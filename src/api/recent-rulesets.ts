import type { Clock } from './clock.ts';
import type { ScopeAddress } from './paths.ts';
import type { LiveRuleset } from '../model/ruleset.ts';

/** What stands in the place of an entry point or behind an id; `null` is the proof that there is nothing. */
type Reading = LiveRuleset | null;

/** The rulesets that a run has read in the last seconds: what it plans and what it applies share them. */
export interface RecentRulesets {
  /** Reads, and remembers what came of it; the phase is the place of an entry point that does not exist. */
  remember<Read extends Reading>(
    scope: ScopeAddress,
    phase: string,
    read: () => Promise<Read>,
  ): Promise<Read>;
  /** What was read under an id, or of a phase without an entry point; undefined when that is too long ago. */
  recall(scope: ScopeAddress, place: string): Reading | undefined;
}

/**
 * As old as a reading may be to count as one from just before a write. A program that reads, compares and writes
 * is no faster where the service takes its time to answer.
 */
const MOMENT_MS = 5000;

/** More than the last few are of no use: only a run with a single write asks for them. */
const MOST = 32;

/** Remembers nothing yet. The age of a reading counts from before it was asked for. */
export function createRecentRulesets(clock: Clock): RecentRulesets {
  const readings = new Map<string, { readonly at: number; readonly reading: Reading }>();
  return {
    remember: async (scope, phase, read) => {
      const at = clock.now();
      const reading = await read();
      const key = keyOf(scope, reading?.id ?? phase);
      readings.delete(key);
      readings.set(key, { at, reading });
      const [oldest] = readings.keys();
      if (readings.size > MOST && oldest !== undefined) {
        readings.delete(oldest);
      }
      return reading;
    },
    recall: (scope, place) => {
      const found = readings.get(keyOf(scope, place));
      return found === undefined || clock.now() - found.at > MOMENT_MS ? undefined : found.reading;
    },
  };
}

function keyOf({ kind, id }: ScopeAddress, place: string): string {
  return `${kind} ${id} ${place}`;
}
