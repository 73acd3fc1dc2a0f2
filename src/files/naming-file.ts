/** Runs a write to a file. If the system refuses it without naming a file, as when a disk is full, the error gets the file's path. */
export async function namingFile<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && !('path' in error)) {
      error.message += ` '${path}'`;
    }
    throw error;
  }
}
