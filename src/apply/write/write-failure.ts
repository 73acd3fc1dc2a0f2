import type {
  ErrorCode,
  ConcurrentWrite,
  LiveDifference,
  LiveRuleName,
  VersionSpan,
  Outcome,
  ServiceRefusal,
} from '../../model/index.ts';
import type { ServiceError } from '../../api/index.ts';
import { errorFacts, knownError, RulewrightError } from '../../model/index.ts';
import { isServiceError } from '../../api/index.ts';
import type { WriteRace } from './concurrent-edits.ts';

/** Effect of a write, as far as it is known. */
export type WriteEffect =
  /** The write did nothing, and will not. */
  | { readonly kind: 'none' }
  /** The write took effect; `version` is the one that it made, null when the version is not known. */
  | { readonly kind: 'landed'; readonly version: string | null }
  /** No answer came from the service, and live does not show the write: it may have landed unseen, or may land yet. */
  | { readonly kind: 'in-doubt' };

export const NO_EFFECT: WriteEffect = { kind: 'none' };

/** Why a write did not do what its step wanted. */
export type WriteFailure =
  /** Nothing was written. */
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
      readonly difference?: LiveDifference;
    }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
      readonly refusals?: readonly ServiceRefusal[];
      readonly effect: WriteEffect;
    }
  | {
      readonly kind: 'conflict';
      readonly message: string;
      readonly hint: string;
      readonly others: readonly ConcurrentWrite[];
      readonly unread: readonly VersionSpan[];
      /** Each landing of the write, and live as it was last read. */
      readonly race?: WriteRace;
      /** Rules that the write removed or reverted and that were brought back, with their present ids. */
      readonly broughtBack?: readonly LiveRuleName[];
      readonly effect: WriteEffect;
    };

type FailedWrite = Extract<WriteFailure, { readonly kind: 'failed' }>;

/** Returns a failure without effect, of the service or on the way to it; what the service says about rules is in `refusals`. */
export function failureOf(error: ServiceError, refusals: readonly ServiceRefusal[] = []): FailedWrite {
  const failure: FailedWrite = { kind: 'failed', ...errorFacts(error), effect: NO_EFFECT };
  const message = `the service refused this write (${error.method}, ${error.status ?? 'no status'})`;
  return refusals.length === 0 ? failure : { ...failure, message, refusals };
}

/** Hint for a write of which it is not known whether it landed. */
export const IN_DOUBT_HINT = 'wait a minute, then plan again: the plan shows whether it landed';

/** Returns a failure that leaves open whether the write landed; `seen` says what live shows of it. */
export function inDoubt(error: ServiceError, seen: string): FailedWrite {
  return {
    ...failureOf(error),
    message: `${error.message.replace(/\.$/, '')}. ${seen}`,
    hint: IN_DOUBT_HINT,
    effect: { kind: 'in-doubt' },
  };
}

const RECORDED: Readonly<Record<WriteEffect['kind'], string>> = {
  none: 'was not done',
  landed: 'was done',
  'in-doubt': 'may have been done',
};

/** Returns the failure of a run that cannot record a write in its journal, with the effect of that write. Throws what is no `RulewrightError`. */
export function unrecorded(error: unknown, effect: WriteEffect): FailedWrite {
  const { code, message } = knownError(error);
  return {
    kind: 'failed',
    code,
    message: `${message} The write before it ${RECORDED[effect.kind]}.`,
    effect,
  };
}

/** Returns the failure for a bug in our own code, after which the effect of the step is not known. The journal tells what was sent. */
function bugOf(error: unknown): FailedWrite {
  return {
    kind: 'failed',
    code: 'apply/bug',
    message: `rulewright itself failed here, for an unforeseen reason: ${String(error)}`,
    hint: IN_DOUBT_HINT,
    effect: { kind: 'in-doubt' },
  };
}

/** Returns the outcome of a step that a write ended; `writes` is the number of writes that landed before it. */
export function failureOutcome(step: string, failure: WriteFailure, writes: number): Outcome {
  if (failure.kind === 'refused') {
    return { ...failure, step, writes };
  }
  const told = {
    step,
    writes: failure.effect.kind === 'landed' ? writes + 1 : writes,
    ...(failure.effect.kind === 'in-doubt' ? { inDoubt: true as const } : {}),
  };
  if (failure.kind === 'failed') {
    const { effect: _effect, ...rest } = failure;
    return { ...rest, ...told };
  }
  const { effect: _effect, race: _clash, unread, ...rest } = failure;
  return { ...rest, ...told, ...(unread.length === 0 ? {} : { unread }) };
}

/** Why a run does not begin a step, or does not continue it. */
export type Stop = { readonly kind: 'interrupted' } | { readonly kind: 'because'; readonly reason: string };

export const INTERRUPTED: Stop = { kind: 'interrupted' };

/** Returns the outcome of a step that was not begun (0 writes), or not continued after `writes` writes. */
export function stopped(step: string, writes: number, stop: Stop): Outcome {
  if (writes === 0) {
    return { kind: 'not-reached', step, reason: stop.kind === 'interrupted' ? WAS_INTERRUPTED : stop.reason };
  }
  return stop.kind === 'interrupted'
    ? { kind: 'failed', step, code: 'apply/interrupted', message: WAS_INTERRUPTED, writes }
    : {
        kind: 'failed',
        step,
        code: 'apply/stopped',
        message: `it was not continued: ${stop.reason}`,
        writes,
      };
}

const WAS_INTERRUPTED = 'the run was interrupted';

/**
 * Returns the outcome of a step that an error ended after `writes` writes. A write finds out itself what it did, so this error is of a read, or of
 * the journal before anything was sent; any other is a bug, which leaves open what was done.
 */
export function outcomeOfError(step: string, writes: number, error: unknown): Outcome {
  if (isServiceError(error) && error.effect === 'none') {
    return error.code === 'api/aborted'
      ? stopped(step, writes, INTERRUPTED)
      : failureOutcome(step, failureOf(error), writes);
  }
  if (error instanceof RulewrightError && error.code === 'apply/journal') {
    return failureOutcome(step, { kind: 'failed', ...errorFacts(error), effect: NO_EFFECT }, writes);
  }
  return failureOutcome(step, bugOf(error), writes);
}
