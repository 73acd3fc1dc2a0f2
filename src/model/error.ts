import type { ErrorCode } from './error-code.ts';

/** Whose fault an error is: the user's input, the service or the way to it, or ours. */
export type Fault = 'user' | 'remote' | 'bug';

/** What an error carries beside its message. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly fault: Fault;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The one error class of the project: a stable code, a message, and what to do about it. */
export class RulewrightError extends Error {
  readonly code: ErrorCode;
  readonly fault: Fault;
  readonly hint: string | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'RulewrightError';
    this.code = details.code;
    this.fault = details.fault;
    this.hint = details.hint;
  }
}

/** Returns what was thrown if it is a `RulewrightError`; rethrows anything else, which is a bug. */
export function knownError(error: unknown): RulewrightError {
  if (error instanceof RulewrightError) {
    return error;
  }
  throw error;
}

/** Returns the message of what was thrown, which need not be an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The parts of an error that JSON documents contain. */
export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function errorFacts({ code, message, hint }: ErrorFacts): ErrorFacts {
  return { code, message, hint };
}
