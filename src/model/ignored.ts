import type { FileCause } from './source.ts';

/** A difference from the files that is tolerated until a day: neither shown as a change nor overwritten. */
export interface Ignored {
  /** `ref` pattern of the rules it is for; `*` is any text. A rule that nobody named has its id for a `ref`. */
  readonly rule: string;
  /**
   * JSON Pointer of the field into the rule, as plans write it; the entries of `overrides.rules` are named
   * by the id of the managed rule. Absent: the whole rule, also when only live has it.
   */
  readonly field?: string;
  readonly reason: string;
  /** The last day on which it counts, `YYYY-MM-DD`. */
  readonly until: string;
  readonly cause: FileCause;
}
