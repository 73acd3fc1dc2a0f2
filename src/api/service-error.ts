import { RulewrightError } from '../model/index.ts';
import type { RequestFacts } from './request.ts';

/** One error of the service's envelope (api.md 1.2). Its text is passed on as the service sent it. */
export interface ServiceErrorItem {
  readonly code?: number;
  readonly message: string;
  /** A JSON pointer into the request's body. */
  readonly pointer?: string;
}

/** The codes of a `ServiceError`. */
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
  | 'api/dry-run-wrote'
  | 'live/ambiguous-ruleset'
  | 'apply/not-held';

/** The properties of a `ServiceError` besides its message. */
export interface ServiceErrorDetails extends RequestFacts {
  readonly code: ServiceErrorCode;
  readonly hint?: string;
  /** The HTTP status; `null` when no answer came. */
  readonly status: number | null;
  readonly errors: readonly ServiceErrorItem[];
  readonly effect: 'none' | 'unknown';
}

/**
 * The error of a request that did not succeed. Texts of the service are passed on as they came (rendering escapes them), but credentials
 * are always masked.
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

/** Whether an error is a `ServiceError`; if a status is given, one for which `hasStatus` holds. */
export function isServiceError(error: unknown, status?: number): error is ServiceError {
  return error instanceof ServiceError && (status === undefined || hasStatus(error, status));
}

/**
 * Whether the service itself answered with one of these statuses. The page of a gateway or a login page says nothing about permissions and objects,
 * whatever its status.
 */
export function hasStatus({ status, code }: ServiceError, ...statuses: readonly number[]): boolean {
  return status !== null && statuses.includes(status) && code !== 'api/not-json';
}

/** Whether the service's errors include this code. */
export function hasServiceCode(error: unknown, code: number): error is ServiceError {
  return error instanceof ServiceError && error.errors.some((item) => item.code === code);
}

/** Whether an error proves that an entry point does not exist: 404 with code 10003 (api.md 1.6). No other 404 does. */
export function isMissingEntrypoint(error: unknown): error is ServiceError {
  return isServiceError(error, 404) && hasServiceCode(error, 10003);
}

/** Codes of routing and header errors (api.md 1.5). They come from a gateway and say nothing about the object that the path names. */
const GATEWAY_CODES: ReadonlySet<number> = new Set([6003, 7000, 7001, 7003]);

/** Whether the service itself answered, and not a gateway or an HTML page on the way to it. */
export function isOfService({ errors }: ServiceError): boolean {
  return errors.length > 0 && errors.every(({ code }) => code === undefined || !GATEWAY_CODES.has(code));
}

/** Whether the credentials lack the permission for the request. */
export function isForbidden(error: unknown): error is ServiceError {
  return isServiceError(error, 403);
}

/** Whether the object does not exist: a 404 that comes from the service itself. */
export function isNotFound(error: unknown): error is ServiceError {
  return isServiceError(error, 404) && isOfService(error);
}

/** Whether an old interface has become read-only: the refusal of a write with code 10020 (api.md 1.5, 9). */
export function isMaintenanceMode(error: unknown): error is ServiceError {
  return hasServiceCode(error, 10020);
}

/** Whether a write may have taken effect although it failed, so that its object must be read again. */
export function isUncertain(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.effect === 'unknown';
}

/** Returns the `ServiceError` with which a request failed; `null` when it succeeded. Other errors are thrown. */
export function serviceErrorOf(request: Promise<unknown>): Promise<ServiceError | null> {
  return orElse(
    request.then(() => null),
    (error) => error,
  );
}

/**
 * Returns the result of a request, or of `instead` for an error that `reckoned` accepts: any `ServiceError` unless given. Other errors are
 * thrown.
 */
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
