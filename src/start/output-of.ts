import { once } from 'node:events';
import { isatty } from 'node:tty';
import type { Writable } from 'node:stream';
import type { OutputStream } from '../cli/index.ts';

/** An output stream of the process; `columns` is set for a terminal. */
type ProcessStream = Writable & { readonly fd: number; readonly columns?: number };

/** Wraps a stream of the process for writing. */
export function outputOf(stream: ProcessStream): OutputStream {
  return {
    write: (text) => {
      stream.write(text);
    },
    writeAll: async (text) => {
      for (const piece of typeof text === 'string' ? [text] : text) {
        if (!stream.write(piece) && !(await isDrained(stream))) {
          return;
        }
      }
    },
    isTTY: isatty(stream.fd),
    columns: (isatty(stream.fd) ? stream.columns : null) ?? null,
  };
}

/** Waits until what was written has been read; returns false when nobody reads any more. */
async function isDrained(stream: Writable): Promise<boolean> {
  if (!stream.writable) {
    return false;
  }
  try {
    await once(stream, 'drain');
    return true;
  } catch {
    return false;
  }
}
