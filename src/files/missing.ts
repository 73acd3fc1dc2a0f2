import { stat } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Whether a file could not be read because it does not exist: only that counts as empty. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether a path exists. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
