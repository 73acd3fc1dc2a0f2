import { stat } from 'node:fs/promises';

/** Returns the code of an error of the system or of Node, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

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

/** The system denies a write to a user's file; its own message would name a temporary file beside it. */
export class DeniedWrite extends Error {
  readonly code: string;
  readonly syscall = 'open';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const code = errorCode(cause) ?? '';
    super(
      code === 'EROFS'
        ? `${path} is on a read-only file system (${code})`
        : `this user may not write ${path} (${code})`,
      { cause },
    );
    this.code = code;
    this.path = path;
  }
}

const DENIED: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Whether the system denies an access. */
export function isDenied(error: unknown): boolean {
  return DENIED.has(errorCode(error));
}
