import type { FileCause } from './source.ts';

/** A difference from the files that is tolerated until a date: it is neither shown as a change nor overwritten. */
export interface Ignored {
  /** `ref` pattern of the rules concerned; `*` is any text. The `ref` of a rule that nobody named is its id. */
  readonly rule: string;
  /**
   * JSON Pointer of the field within the rule, as in plans; entries of `overrides.rules` are addressed by the id of the managed rule. Absent:
   * the whole rule, even when it exists only live.
   */
  readonly field?: string;
  readonly reason: string;
  /** The last day on which the entry is valid, `YYYY-MM-DD`. */
  readonly until: string;
  readonly cause: FileCause;
}
