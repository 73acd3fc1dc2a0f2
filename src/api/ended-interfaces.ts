import { hasServiceCode, isServiceError, type ServiceError } from './service-error.ts';

/** Whether an old interface has become read-only: the refusal of a write with code 10020 (api.md 1.5, 9). */
export function isMaintenanceMode(error: unknown): error is ServiceError {
  return hasServiceCode(error, 10020);
}

/** Whether an old interface is gone: 410 to every call (api.md 13.4). */
export function isGone(error: unknown): error is ServiceError {
  return isServiceError(error, 410);
}
