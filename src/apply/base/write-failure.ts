import type { ErrorCode } from '../../model/error-code.ts';
import type { ServiceError } from '../../api/service-error.ts';
import { errorFacts, knownError } from '../../model/error.ts';
import type { ForeignWrite, LiveDifference, LiveRuleName, VersionSpan } from '../../model/live-difference.ts';
import type { Outcome, ServiceRefusal } from '../../model/outcome.ts';
import type { Clash } from './foreign-writes.ts';

/** What is known of a write. */
export type Effect =
  /** It did nothing, and will not. */
  | { readonly kind: 'none' }
  /** It took effect; `version` is the one that it made, null where none can be named. */
  | { readonly kind: 'landed'; readonly version: string | null }
  /** No answer of the service came, and live does not show it: it may have landed unseen, or land yet. */
  | { readonly kind: 'in-doubt' };

export const NO_EFFECT: Effect = { kind: 'none' };

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
      readonly effect: Effect;
    }
  | {
      readonly kind: 'conflict';
      readonly message: string;
      readonly hint: string;
      readonly others: readonly ForeignWrite[];
      readonly unread: readonly VersionSpan[];
      /** Where the write landed. */
      readonly clash?: Clash;
      /** Rules that the write took along and that are there again, by their ids now. */
      readonly broughtBack?: readonly LiveRuleName[];
      readonly effect: Effect;
    };

type Failure = Extract<WriteFailure, { readonly kind: 'failed' }>;

/** A failure by the service or on the way to it, of what did nothing; what the service says of rules stands in its refusals. */
export function failureOf(error: ServiceError, refusals: readonly ServiceRefusal[] = []): Failure {
  const failure: Failure = { kind: 'failed', ...errorFacts(error), effect: NO_EFFECT };
  const message = `the service refused this write (${error.method}, ${error.status ?? 'no status'})`;
  return refusals.length === 0 ? failure : { ...failure, message, refusals };
}

/** What to do about a write of which it is not known whether it landed. */
export const IN_DOUBT_HINT = 'wait a minute, then plan again: the plan shows whether it landed';

/** A failure that leaves open whether the write landed; `seen` says what live tells of it. */
export function inDoubt(error: ServiceError, seen: string): Failure {
  return {
    ...failureOf(error),
    message: `${error.message.replace(/\.$/, '')}. ${seen}`,
    hint: IN_DOUBT_HINT,
    effect: { kind: 'in-doubt' },
  };
}

const RECORDED: Readonly<Record<Effect['kind'], string>> = {
  none: 'was not done',
  landed: 'was done',
  'in-doubt': 'may have been done',
};

/** A run does not go on without its journal; what is known of the write is told all the same. Throws what is no error of the journal. */
export function unrecorded(error: unknown, effect: Effect): Failure {
  const { code, message } = knownError(error);
  return {
    kind: 'failed',
    code,
    message: `${message} The write before it ${RECORDED[effect.kind]}.`,
    effect,
  };
}

/** A failure of our own code, in the middle of we do not know what. The journal tells what was sent. */
export function bugOf(error: unknown): Failure {
  return {
    kind: 'failed',
    code: 'apply/bug',
    message: `rulewright itself failed here, for an unforeseen reason: ${String(error)}`,
    hint: IN_DOUBT_HINT,
    effect: { kind: 'in-doubt' },
  };
}

/** The outcome of a step that a write ended; `writes` landed before that one. */
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
  const { effect: _effect, clash: _clash, unread, ...rest } = failure;
  return { ...rest, ...told, ...(unread.length === 0 ? {} : { unread }) };
}
