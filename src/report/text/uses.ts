import { assertNever } from '../../model/assert-never.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DeprecationUse, ScanResult, UseSign } from '../../model/retired/deprecation-use.ts';
import type { Deprecation } from '../../model/retired/deprecation.ts';
import { effectiveDate } from '../../model/retired/deprecation.ts';
import { DEPRECATIONS, findDeprecation } from '../../model/retired/deprecations.ts';
import { formatPlace } from '../../model/source.ts';
import { counted } from '../../model/count.ts';
import type { Line } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import { dayWords, replacementLine } from './deprecations.ts';
import type { Look } from '../theme.ts';

/** Formats the uses that a scan found, by deprecation, newest first; `today` is `YYYY-MM-DD`. */
export function usesText(result: ScanResult, { today, ...look }: Look & { readonly today: string }): string {
  const groups = DEPRECATIONS.flatMap((row): readonly Line[] => {
    const uses = result.uses.filter(({ deprecation }) => deprecation === row.id);
    return uses.length === 0
      ? []
      : [
          line(0, span('heading', row.id), ` · ${row.subject} · `, dayWords(row, today)),
          ...replacementLine(row),
          ...uses.map(useLine),
          BLANK,
        ];
  });
  return layOut(
    [
      ...groups,
      ...result.unread.map(({ file, reason }) => line(0, span('error', 'not read'), `  ${file}: ${reason}`)),
      line(0, span('strong', countSentence(result))),
    ],
    look,
  );
}

/** Describes a use in a few words. */
export function signWords(sign: UseSign): string {
  switch (sign.kind) {
    case 'route':
      return `${sign.method === null ? '' : `${sign.method} `}${sign.path}`;
    case 'field':
      return `field ${sign.name}`;
    case 'terraform':
      return `Terraform ${sign.name}`;
    case 'call':
      return `call ${sign.name}`;
    case 'parameter':
      return `parameter ${sign.name}`;
    default:
      return assertNever(sign);
  }
}

/** Returns a use as a finding: an error when what it uses is gone or refused, a note when that is not deprecated yet, else a warning. */
export function useDiagnostic({ deprecation, sign, where }: DeprecationUse, today: string): Diagnostic {
  const row = findDeprecation(deprecation);
  const replacement = row?.replacement;
  return {
    code: `deprecated/${deprecation}`,
    severity: row === undefined ? 'warning' : severityOf(row, today),
    message: `${signWords(sign)}: ${row?.change ?? 'deprecated'}`,
    ...(replacement === null || replacement === undefined ? {} : { hint: `instead: ${replacement}` }),
    where,
  };
}

/** Returns the uses that a scan found as one JSON value. */
export function usesDocument(result: ScanResult, today: string) {
  return {
    kind: 'deprecation-scan',
    formatVersion: 1,
    today,
    ...result,
    uses: result.uses.map((use) => ({ ...use, severity: useDiagnostic(use, today).severity })),
  };
}

function severityOf(row: Deprecation, today: string): Diagnostic['severity'] {
  if (effectiveDate(row) > today) {
    return row.date > today ? 'info' : 'warning';
  }
  return row.effect.kind === 'gone' || row.effect.kind === 'refused' ? 'error' : 'warning';
}

function useLine({ sign, where }: DeprecationUse): Line {
  return line(2, span('strong', formatPlace(where)), `  ${signWords(sign)}`);
}

function countSentence({ uses, more, files, binary, unread }: ScanResult): string {
  const rows = new Set(uses.map(({ deprecation }) => deprecation)).size;
  const found =
    uses.length === 0
      ? 'No use of anything deprecated'
      : `${counted(uses.length + more, 'use')} of ${counted(rows, 'deprecation')}${
          more === 0 ? '' : `, ${more} of them beyond the first places of each kind in a file`
        }`;
  const passed = binary === 0 ? '' : `, ${counted(binary, 'file')} skipped as binary`;
  const failed = unread.length === 0 ? '' : `, ${counted(unread.length, 'file')} not read`;
  return `${found}; ${counted(files, 'file')} read${passed}${failed}.`;
}
