import type { RunResult } from '../model/index.ts';

/** Every exit code of the command line, and its meaning. */
export const EXIT = {
  /** Done, or nothing to do. */
  done: 0,
  /** Invalid input, or an error of the service. */
  failed: 1,
  /** Differences found (`plan --exit-code`, `drift`). */
  differences: 2,
  /** Unsafe, stale or not confirmed. */
  refused: 3,
  /** Some of it was written, some was not. */
  partial: 4,
  /** Wrong usage of the command line. */
  usage: 64,
  /** Interrupted with nothing written. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Exit codes of an apply, by its result. */
export const APPLY_EXIT: Readonly<Record<RunResult, ExitCode>> = {
  'nothing-to-do': EXIT.done,
  done: EXIT.done,
  partial: EXIT.partial,
  failed: EXIT.failed,
  refused: EXIT.refused,
};

/** Returns the exit code of a command that reads: an error weighs more than a difference. */
export function readingExit(found: { readonly failed: boolean; readonly different: boolean }): ExitCode {
  return found.failed ? EXIT.failed : found.different ? EXIT.differences : EXIT.done;
}

/** Codes of the command line framework for wrong usage: an unknown command, and a bad argument. */
const FRAMEWORK_USAGE: readonly unknown[] = [-5, -4];

/** Translates the framework's exit code into one of ours. */
export function frameworkExit(code: number | string | null | undefined): ExitCode {
  if (code === undefined || code === null || code === 0) {
    return EXIT.done;
  }
  return FRAMEWORK_USAGE.includes(code) ? EXIT.usage : EXIT.failed;
}
