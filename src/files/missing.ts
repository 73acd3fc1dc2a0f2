import { stat } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Whether a file could not be read because it is not there: only that is the same as empty. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether something can be found under a path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
