import { RulewrightError } from '../model/index.ts';
import type { RequestFacts } from './request.ts';
import { ServiceError } from './service-error.ts';

/** The pagination of a list (api.md 1.3); members that the service did not send are absent. */
export interface ResultInfo {
  /** The cursor of the next page. */
  readonly after?: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly count?: number;
  readonly totalCount?: number;
  readonly totalPages?: number;
}

/** A message that the service sends with a result. */
export interface ResponseMessage {
  readonly code?: number;
  readonly message: string;
}

/** A successful response. */
export interface ServiceResponse {
  readonly status: number;
  /** `null` for an empty body (204) and for dry runs. */
  readonly result: unknown;
  readonly resultInfo?: ResultInfo;
  readonly messages: readonly ResponseMessage[];
  readonly request: RequestFacts;
  /** The id of the entry in the audit log, which answers to writes carry; absent on all others. */
  readonly auditId?: string;
}

/**
 * Decodes the result of a response. When the decoder refuses it, throws a `ServiceError` of the request (`api/unexpected-answer`); the
 * effect of a write is then unknown, because the service accepted it.
 */
export function decodeResult<Result>(response: ServiceResponse, decode: (result: unknown) => Result): Result {
  try {
    return decode(response.result);
  } catch (error) {
    if (error instanceof RulewrightError && error.code === 'api/unexpected-answer') {
      throw unexpectedResponse(response, error.message);
    }
    throw error;
  }
}

/** The hint for a response that the service itself would not send. */
export const ALTERED_IN_TRANSIT =
  'is the base URL that of the service, and does nothing in between change answers?';

/** Returns the error for a successful response with an unusable result. */
export function unexpectedResponse(response: ServiceResponse, problem: string): ServiceError {
  const { method, path } = response.request;
  return new ServiceError(
    `${method} ${path} succeeded (${response.status}), but its answer cannot be used: ${problem}`,
    {
      ...response.request,
      code: 'api/unexpected-answer',
      status: response.status,
      errors: [],
      effect: method === 'GET' ? 'none' : 'unknown',
      hint: ALTERED_IN_TRANSIT,
    },
  );
}
