import { ServiceError } from './service-error.ts';
import { RulewrightError } from '../model/error.ts';

/** What a request was and how it went, for messages. */
export interface RequestFacts {
  readonly method: string;
  /** Path with query, below the base URL. */
  readonly path: string;
  /** How many times it was sent, or tried to. */
  readonly attempts: number;
  /** The service's name for the exchange (`cf-ray`), where it gave one. */
  readonly rayId: string | null;
}

/** What the service says about pages (api.md 1.3); absent members were not sent. */
export interface ResultInfo {
  /** Where the next page of a cursor list starts. */
  readonly after?: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly count?: number;
  readonly totalCount?: number;
  readonly totalPages?: number;
}

/** A remark of the service beside a result. */
export interface AnswerMessage {
  readonly code?: number;
  readonly message: string;
}

/** A successful answer. */
export interface Answer {
  readonly status: number;
  /** `null` for an empty body (204) and for dry runs. */
  readonly result: unknown;
  readonly resultInfo?: ResultInfo;
  readonly messages: readonly AnswerMessage[];
  readonly request: RequestFacts;
}

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

/** The hint where an answer did not come as the service sends them. */
export const CHANGED_ON_THE_WAY =
  'is the base URL that of the service, and does nothing in between change answers?';

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
      hint: CHANGED_ON_THE_WAY,
    },
  );
}
