import { ServiceError, orElse } from '../../api/service-error.ts';

/** A write that did not succeed. */
export interface Failing {
  /** The first failure and the last one; the same where it was sent once. */
  readonly first: ServiceError;
  readonly error: ServiceError;
  /** How often it was sent. */
  readonly count: number;
  /** The first time that it was sent and the service did not answer itself: that one may still land. */
  readonly lost: ServiceError | null;
}

/** The most times that a write is sent, each time only after it is certain that the one before did nothing. */
export const ATTEMPTS = 3;

/** One write, and how it is found out what it did. */
interface Sending<Answer, Result> {
  readonly send: () => Promise<Answer>;
  readonly answered: (answer: Answer) => Result | Promise<Result>;
  /** `repeat` only where it is certain that it did nothing, and at most `ATTEMPTS` times. */
  readonly failed: (failing: Failing) => Promise<Result | 'repeat'>;
}

/** Sends a write until it is known what came of it, or that this cannot be known. Throws what is no failure of the service. */
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

/** Whether a write may land after its sender was told that it failed: no answer was the service's own. */
export function mayComeLate(error: ServiceError): boolean {
  return error.effect === 'unknown' && error.errors.length === 0;
}
