import { hasServiceCode, type ServiceError } from './service-error.ts';

/** Whether an old interface has become read-only: the refusal of a write with code 10020 (api.md 1.5, 9). */
export function isMaintenanceMode(error: unknown): error is ServiceError {
  return hasServiceCode(error, 10020);
}
