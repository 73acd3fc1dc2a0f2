import type { RequestFacts } from './request.ts';
import { RulewrightError } from '../model/error.ts';

/** One error of the service's envelope (api.md 1.2), its text as it came. */
export interface ServiceErrorItem {
  readonly code?: number;
  readonly message: string;
  /** JSON pointer into the request's body. */
  readonly pointer?: string;
}

/** What went wrong with a request. */
export type ServiceErrorCode =
  | 'api/unauthorized'
  | 'api/forbidden'
  | 'api/not-found'
  | 'api/rate-limited'
  | 'api/refused'
  | 'api/server-error'
  | 'api/redirected'
  | 'api/unsuccessful'
  | 'api/not-json'
  | 'api/unexpected-answer'
  | 'api/unreachable'
  | 'api/tls'
  | 'api/timeout'
  | 'api/connection-lost'
  | 'api/aborted'
  | 'sensitive/foreign-reference'
  | 'api/dry-run-wrote';

/** What a `ServiceError` carries beside its message. */
export interface ServiceErrorDetails extends RequestFacts {
  readonly code: ServiceErrorCode;
  readonly hint?: string;
  /** `null` when no answer came. */
  readonly status: number | null;
  readonly errors: readonly ServiceErrorItem[];
  readonly effect: 'none' | 'unknown';
}

/**
 * A request that did not succeed. Texts of the service stand in it as they came (rendering escapes them),
 * but never a value of our credentials.
 */
export class ServiceError extends RulewrightError {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly errors: readonly ServiceErrorItem[];
  readonly rayId: string | null;
  readonly attempts: number;
  /** For writes: `none` when it is certain that nothing was written, else `unknown`. Reads have `none`. */
  readonly effect: 'none' | 'unknown';

  constructor(message: string, details: ServiceErrorDetails) {
    super(message, {
      code: details.code,
      fault: 'remote',
      ...(details.hint === undefined ? {} : { hint: details.hint }),
    });
    this.name = 'ServiceError';
    this.method = details.method;
    this.path = details.path;
    this.status = details.status;
    this.errors = details.errors;
    this.rayId = details.rayId;
    this.attempts = details.attempts;
    this.effect = details.effect;
  }
}

/** Whether an error is one of the service, with this HTTP status if one is given. */
export function isServiceError(error: unknown, status?: number): error is ServiceError {
  return error instanceof ServiceError && (status === undefined || error.status === status);
}

/** Whether the service named this code among its errors. */
export function hasServiceCode(error: unknown, code: number): error is ServiceError {
  return error instanceof ServiceError && error.errors.some((item) => item.code === code);
}

/** The proof that an entry point does not exist: 404 with code 10003 (api.md 1.6). No other 404 is. */
export function isMissingEntrypoint(error: unknown): error is ServiceError {
  return isServiceError(error, 404) && hasServiceCode(error, 10003);
}

/** Routing and header errors (api.md 1.5): a gateway's, which say nothing about what the path names. */
const GATEWAY_CODES: ReadonlySet<number> = new Set([6003, 7000, 7001, 7003]);

/** Whether the service itself answered, and not a page or a gateway on the way to it. */
export function isOfService({ errors }: ServiceError): boolean {
  return errors.length > 0 && errors.every(({ code }) => code === undefined || !GATEWAY_CODES.has(code));
}

/** Whether the credentials lack the permission for what was asked. */
export function isForbidden(error: unknown): error is ServiceError {
  return isServiceError(error, 403);
}

/** Whether something was named that the service does not have: any 404 of its own. */
export function isNotFound(error: unknown): error is ServiceError {
  return isServiceError(error, 404) && isOfService(error);
}

/** Whether an old interface has become read-only: the refusal of a write with code 10020 (api.md 1.5, 9). */
export function isMaintenanceMode(error: unknown): error is ServiceError {
  return hasServiceCode(error, 10020);
}

/** Whether a write may have happened although it failed: what it was to change must be read. */
export function isUncertain(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.effect === 'unknown';
}

/** The error of the service or of the way to it with which a request failed; `null` when it succeeded. Bugs go on. */
export function serviceErrorOf(request: Promise<unknown>): Promise<ServiceError | null> {
  return orElse(
    request.then(() => null),
    (error) => error,
  );
}

/** The result of a request, or what `instead` makes of its error, where that is one that was `reckoned` with. All others go on. */
export async function orElse<Result, Other>(
  request: Promise<Result>,
  instead: (error: ServiceError) => Other,
  reckoned: (error: unknown) => error is ServiceError = isServiceError,
): Promise<Result | Other> {
  try {
    return await request;
  } catch (error) {
    if (reckoned(error)) {
      return instead(error);
    }
    throw error;
  }
}
