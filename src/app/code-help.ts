import { DIAGNOSTIC_CODES } from '../config/index.ts';
import { CODES } from '../expression/index.ts';
import type { CodeHelp } from '../model/index.ts';

const TABLE: ReadonlyMap<string, CodeHelp> = new Map<string, CodeHelp>(
  Object.entries({ ...DIAGNOSTIC_CODES, ...CODES }),
);

/** Explains what findings with a code mean, for readers who have only the code; null for an unknown code. */
export function codeHelp(code: string): CodeHelp | null {
  return TABLE.get(code) ?? null;
}
