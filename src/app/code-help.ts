import { DIAGNOSTIC_CODES } from '../config/source/diagnostic-codes.ts';
import { CODES } from '../expression/check/codes.ts';
import type { CodeHelp } from '../model/code-help.ts';

const TABLE: ReadonlyMap<string, CodeHelp> = new Map<string, CodeHelp>(
  Object.entries({ ...DIAGNOSTIC_CODES, ...CODES }),
);

/** What findings of a code are about, for people who meet the code alone; null for a code that no table has. */
export function codeHelp(code: string): CodeHelp | null {
  return TABLE.get(code) ?? null;
}
