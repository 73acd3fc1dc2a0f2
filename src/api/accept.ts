import type { Answer } from './answer.ts';
import { ServiceError } from './service-error.ts';
import { RulewrightError } from '../model/error.ts';

/**
 * The result of an answer, decoded. What the decoder refuses becomes a `ServiceError` of the request
 * (`api/unexpected-answer`); for a write its effect is unknown then, for the service took it.
 */
export function accept<Result>(answer: Answer, decode: (result: unknown) => Result): Result {
  try {
    return decode(answer.result);
  } catch (error) {
    if (error instanceof RulewrightError && error.code === 'api/unexpected-answer') {
      throw unexpectedAnswer(answer, error.message);
    }
    throw error;
  }
}

/** A successful answer that does not say what it should. */
export function unexpectedAnswer(answer: Answer, problem: string): ServiceError {
  const { method, path } = answer.request;
  return new ServiceError(
    `${method} ${path} succeeded (${answer.status}), but its answer cannot be used: ${problem}`,
    {
      ...answer.request,
      code: 'api/unexpected-answer',
      status: answer.status,
      errors: [],
      effect: method === 'GET' ? 'none' : 'unknown',
      hint: 'Is the base URL that of the service, and does nothing in between change answers?',
    },
  );
}
