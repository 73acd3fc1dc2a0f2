import type { FileHandle } from 'node:fs/promises';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonValue } from '../model/json.ts';

/** One line of the journal. `at` is milliseconds since 1970, from the injected clock. */
export type JournalEntry =
  | { readonly kind: 'intent'; readonly step: string; readonly write: JsonValue; readonly base: JsonValue }
  | { readonly kind: 'landed'; readonly step: string; readonly version: string | null }
  | { readonly kind: 'failed'; readonly step: string; readonly message: string };

/** Keeps what a run intends and what came of it, durably and in order. */
export interface Journal {
  /** Resolves when the entry would survive a crash. */
  record(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

/** A journal that keeps nothing: for dry runs. */
export const NO_JOURNAL: Journal = {
  record: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Opens a journal file of JSON lines for appending; makes its folder. */
export async function openJournal(path: string, now: () => number): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a', 0o600);
  let tail: Promise<void> = Promise.resolve();
  return {
    record(entry) {
      const line = `${JSON.stringify({ at: now(), ...entry })}\n`;
      const done = append(file, line, tail);
      tail = done.catch(() => undefined);
      return done;
    },
    async close() {
      await tail;
      await file.close();
    },
  };
}

async function append(file: FileHandle, line: string, before: Promise<void>): Promise<void> {
  await before;
  await file.appendFile(line);
  await file.datasync();
}
