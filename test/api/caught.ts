import { RulewrightError } from '../../src/model/error.ts';
import { ServiceError } from '../../src/api/service-error.ts';

/** The `ServiceError` that a promise rejects with. */
export async function serviceError(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await caught(promise);
  if (error instanceof ServiceError) {
    return error;
  }
  throw new Error(`expected a ServiceError, got ${String(error)}`, { cause: error });
}

/** The `RulewrightError` that a promise rejects with. */
export async function rulewrightError(promise: Promise<unknown>): Promise<RulewrightError> {
  const error = await caught(promise);
  if (error instanceof RulewrightError) {
    return error;
  }
  throw new Error(`expected a RulewrightError, got ${String(error)}`, { cause: error });
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure');
}

/** All properties of an error and of the objects in it, as one text. */
export function everythingIn(error: unknown): string {
  const seen = new Set<unknown>();
  const walk = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || seen.has(value)) {
      return value;
    }
    seen.add(value);
    return Object.getOwnPropertyNames(value).map((name) => [
      name,
      walk((value as Record<string, unknown>)[name]),
    ]);
  };
  return `${String(error)} ${JSON.stringify(walk(error))}`;
}
