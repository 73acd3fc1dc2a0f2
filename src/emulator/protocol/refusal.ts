import { isObject } from '../json.ts';

/** One entry of `errors` in an answer (api.md 1.2). `code` is optional in the Rulesets interface. */
export interface ServiceError {
  readonly code?: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/** A request that the service declines: the HTTP status and the errors of its envelope. Returned, never thrown. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly status: number;
  readonly errors: readonly ServiceError[];
  readonly headers: Readonly<Record<string, string>>;
  /** Remarks beside the errors; a few old services send null instead of none (api.md 1.2). */
  readonly messages?: readonly unknown[] | null;
  /** Set when what was written before the refusal stays (specification 4.2 rule 3). */
  readonly keeps?: true;
}

/** Makes a refusal of one or several errors. */
export function refuse(
  status: number,
  errors: ServiceError | readonly ServiceError[],
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return { kind: 'refusal', status, errors: 'message' in errors ? [errors] : errors, headers };
}

/** Whether a step gave a refusal instead of its value. */
export function isRefusal(value: unknown): value is Refusal {
  return isObject(value) && value['kind'] === 'refusal' && Array.isArray(value['errors']);
}

/** An error entry with its optional members left out when they are not known. */
export function serviceError(message: string, code?: number, pointer?: string): ServiceError {
  return {
    ...(code === undefined ? {} : { code }),
    message,
    ...(pointer === undefined ? {} : { source: { pointer } }),
  };
}
