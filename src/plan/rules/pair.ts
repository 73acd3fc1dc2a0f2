import type { LiveRule } from '../../model/rule.ts';
import type { NamedRule } from './name-rules.ts';

/** A desired rule together with the live rule that it describes. */
export interface Pair {
  readonly desired: number;
  readonly live: number;
}

/** The rules still to be paired; numbers are indices into the two lists. */
export interface Open {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  readonly openDesired: readonly number[];
  readonly openLive: readonly number[];
}

/** Why a desired rule cannot have the live rule that it names by `ref` or `id`. */
export type ClaimProblem = 'not-ours' | 'claimed-twice' | 'other-ref' | 'two-rules';

/** A desired rule that names a live rule it cannot have; numbers are indices into the two lists. */
export interface RefusedClaim {
  readonly desired: number;
  readonly live: number;
  readonly problem: ClaimProblem;
}
