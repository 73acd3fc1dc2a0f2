import { open, stat } from 'node:fs/promises';

/** Bytes at the start of a file that tell whether it is a saved plan. */
const HEAD_BYTES = 256;

/** The start of a plan that `plan --out` saved. */
const PLAN_HEAD = /^\s*\{\s*"kind"\s*:\s*"plan"/;

/** Whether a file begins like a saved plan, whatever its name; false for anything but a readable regular file. */
export async function beginsAsPlan(path: string): Promise<boolean> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) {
      return false;
    }
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return PLAN_HEAD.test(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
