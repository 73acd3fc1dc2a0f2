import { ServiceError, orElse } from '../../api/service-error.ts';

/** A write that failed. */
export interface Failing {
  /** The first failure and the last one; the same if the write was sent once. */
  readonly first: ServiceError;
  readonly error: ServiceError;
  /** How often the write was sent. */
  readonly count: number;
  /** The first failure without an answer from the service itself, after which the write may still land; null when there is none. */
  readonly lost: ServiceError | null;
}

/** Maximum number of times that a write is sent, each time only after it is certain that the previous one did nothing. */
export const ATTEMPTS = 3;

/** How to send a write, and how to find out what it did. */
interface Sending<Answer, Result> {
  readonly send: () => Promise<Answer>;
  readonly answered: (answer: Answer) => Result | Promise<Result>;
  /** Returns `repeat` only when it is certain that the write did nothing, and the write was sent fewer than `ATTEMPTS` times. */
  readonly failed: (failing: Failing) => Promise<Result | 'repeat'>;
}

/** Sends a write until its result is known, or is known to be unknowable. Throws errors that are no failures of the service. */
export async function sendUntilKnown<Answer, Result extends object>({
  send,
  answered,
  failed,
}: Sending<Answer, Result>): Promise<Result> {
  let first: ServiceError | null = null;
  let lost: ServiceError | null = null;
  for (let count = 1; ; count += 1) {
    const sent = await orElse(
      send().then((answer) => ({ answer })),
      (error) => error,
    );
    if (!(sent instanceof ServiceError)) {
      return answered(sent.answer);
    }
    first ??= sent;
    lost ??= mayComeLate(sent) ? sent : null;
    const result = await failed({ first, error: sent, count, lost });
    if (result !== 'repeat') {
      return result;
    }
  }
}

/** Whether a write may land after its sender was told that it failed, since no answer came from the service itself. */
export function mayComeLate(error: ServiceError): boolean {
  return error.effect === 'unknown' && error.errors.length === 0;
}
