import type { GuardFinding } from '../../model/guard.ts';
import type { CliContext } from '../context.ts';
import type { GuardFlags } from '../flags.ts';
import type { RunFlags } from '../run-flags.ts';
import type { WriteFlags } from '../write-flags.ts';

/** Flags of `apply`. */
export interface ApplyFlags extends WriteFlags, GuardFlags, RunFlags {
  readonly expect?: string | undefined;
  readonly onlyStrengthening?: boolean | undefined;
}

/** What was typed. */
export interface Typed {
  readonly context: CliContext;
  readonly flags: ApplyFlags;
  readonly paths: readonly string[];
}

/** One run of apply. */
export interface ApplyRun extends Typed {
  /** Whether an earlier run crashed, so that there is something to tell of it. */
  readonly crashed: boolean;
  /** What the guards found in the plan that was reviewed; the same does not stop this one. */
  readonly reviewed?: readonly GuardFinding[] | undefined;
  /** The command that does the rest of a run that did not do everything; that of apply unless given. */
  readonly again?: string | undefined;
  /** Whether the plan was made in this run, or saved by an earlier one. */
  readonly origin: 'fresh' | 'saved';
  /** What live is compared with, for the line that nothing differs: the files unless given. */
  readonly against?: string | undefined;
  /** The manual follow-up after writes, at the end of the result. */
  readonly afterwards?: string | undefined;
}
