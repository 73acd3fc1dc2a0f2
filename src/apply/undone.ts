import type { ServiceError } from '../api/service-error.ts';
import type { ForeignWrite, LiveDifference } from '../model/live-difference.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ServiceRefusal } from '../model/service-refusal.ts';

/** Why a write did not do what its step wanted. */
export type Undone =
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly difference?: LiveDifference;
    }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly refusals?: readonly ServiceRefusal[];
      /** Whether the write took effect all the same. */
      readonly landed?: true;
    }
  | {
      readonly kind: 'conflict';
      readonly message: string;
      readonly hint: string;
      readonly others: readonly ForeignWrite[];
      /** Whether the write took effect beside that of somebody else. */
      readonly landed: boolean;
    };

/** A failure by the service or on the way to it. */
export function failureOf(
  error: ServiceError,
  refusals: readonly ServiceRefusal[] = [],
): Extract<Undone, { readonly kind: 'failed' }> {
  return {
    kind: 'failed',
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(refusals.length === 0 ? {} : { refusals }),
  };
}

/** The outcome of a step that a write ended; `writes` landed before that one. */
export function undoneOutcome(step: string, undone: Undone, writes: number): Outcome {
  if (undone.kind === 'refused') {
    return { ...undone, step, writes };
  }
  const { landed, ...rest } = undone;
  return { ...rest, step, writes: landed === true ? writes + 1 : writes };
}
