import { open } from 'node:fs/promises';

/** Bytes at the begin of a file that say whether it is a saved plan. */
const HEAD_BYTES = 256;

/** How a plan begins that `plan --out` saved. */
const PLAN_HEAD = /^\s*\{\s*"kind"\s*:\s*"plan"/;

/** Whether a file begins as a saved plan does, whatever its name. False for what is no file or cannot be read. */
export async function beginsAsPlan(path: string): Promise<boolean> {
  try {
    // O_NONBLOCK would still open a pipe: what is no regular file is not read at all.
    const file = await open(path, 'r');
    try {
      if (!(await file.stat()).isFile()) {
        return false;
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return PLAN_HEAD.test(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
