import { open, stat } from 'node:fs/promises';

/** Bytes at the beginning of a file that say whether it is a saved plan. */
const HEAD_BYTES = 256;

/** How a plan begins that `plan --out` saved. */
const PLAN_HEAD = /^\s*\{\s*"kind"\s*:\s*"plan"/;

/** Whether a file begins as a saved plan does, whatever its name. False for what is no file or cannot be read. */
export async function beginsAsPlan(path: string): Promise<boolean> {
  try {
    // To open a pipe would wait for somebody who writes into it.
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
