import { effectiveDate, findDeprecation } from '../../model/index.ts';
import type { CodeHelp } from '../../model/index.ts';

/** Returns the help for a code of `useDiagnostic`; null for other codes. */
export function deprecationHelp(code: string): CodeHelp | null {
  const row = findDeprecation(code.replace(/^deprecated\//u, ''));
  return row === undefined
    ? null
    : {
        severity: 'warning',
        title: `${row.subject} is deprecated, ${effectiveDate(row)}`,
        ...(row.replacement === null ? {} : { hint: `instead: ${row.replacement}` }),
      };
}
