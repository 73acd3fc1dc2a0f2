import type { Deprecation, Diagnostic, CodeHelp } from '../../model/index.ts';
import { effectiveDate, DEPRECATIONS, findDeprecation } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { Block, Document, EntryBlock, StyledSpan } from '../../report/index.ts';
import { entry, paragraph, placeSpan, section, span } from '../../report/index.ts';
import { assertNever } from '../../data/index.ts';
import type { DeprecationUse, ScanResult, UseSign } from './scan-file.ts';

/** The number of days within which an effect counts as near. */
const NEAR_DAYS = 90;

/** Where a row stands on a day: its effect has come, comes within 90 days, or comes later. */
export type Standing = 'past' | 'near' | 'later';

function standingOf(row: Deprecation, today: string): Standing {
  const days = daysBetween(today, effectiveDate(row));
  return days <= 0 ? 'past' : days <= NEAR_DAYS ? 'near' : 'later';
}

const HEADINGS: Readonly<Record<Standing, string>> = {
  near: `Within ${NEAR_DAYS} days`,
  later: 'Later',
  past: 'Past, the newest first',
};

/** Documents the registry by date: near, later, then past; `today` is `YYYY-MM-DD`. */
export function deprecationsDocument(rows: readonly Deprecation[], today: string): Document {
  const byDate = rows.toSorted((a, b) => (effectiveDate(a) < effectiveDate(b) ? 1 : -1));
  return {
    title: 'Rulewright deprecations',
    body: (['near', 'later', 'past'] as const).flatMap((standing) => {
      const group = byDate.filter((row) => standingOf(row, today) === standing);
      const inOrder = standing === 'past' ? group : group.toReversed();
      const entries = inOrder.map((row) => rowEntry(row, today));
      return entries.length === 0 ? [] : [section(2, [span('heading', HEADINGS[standing])], entries)];
    }),
    summary: [[span('strong', `${counted(rows.length, 'deprecation')}, on ${today}.`)]],
  };
}

/** Returns the effective date in words: `since 2026-01-01`, `from 2026-12-01, in 10 days`. */
function dayWords(row: Deprecation, today: string): StyledSpan {
  const day = effectiveDate(row);
  const days = daysBetween(today, day);
  return days <= 0
    ? span(row.effect.kind === 'gone' || row.effect.kind === 'refused' ? 'error' : 'warning', `since ${day}`)
    : span('warning', `from ${day}, in ${counted(days, 'day')}`);
}

/** Says what to use instead, if there is something. */
function replacementBlocks({ replacement }: Deprecation): readonly Block[] {
  return replacement === null ? [] : [paragraph(span('label', 'instead: '), replacement)];
}

/** Returns the registry as one JSON value. */
export function deprecationsJson(rows: readonly Deprecation[], today: string) {
  return {
    kind: 'deprecations',
    formatVersion: 1,
    today,
    deprecations: rows.map((row) => ({
      ...row,
      effective: effectiveDate(row),
      standing: standingOf(row, today),
    })),
  };
}

function rowEntry(row: Deprecation, today: string): EntryBlock {
  return entry(undefined, [span('strong', row.id), ` · ${row.subject} · `, dayWords(row, today)], {
    parts: true,
    body: [
      paragraph(row.change),
      ...replacementBlocks(row),
      ...row.affects.map(({ methods, path }) => paragraph(span('code', `${methods.join(', ')} ${path}`))),
      ...(row.fields.length === 0 ? [] : [paragraph('fields ', span('code', row.fields.join(', ')))]),
    ],
    apart: true,
  });
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** Documents the uses that a scan found, by deprecation, newest first; `today` is `YYYY-MM-DD`. */
export function usesDocument(result: ScanResult, today: string): Document {
  return {
    title: 'Rulewright deprecations scan',
    body: [
      ...DEPRECATIONS.flatMap((row) => {
        const uses = result.uses.filter(({ deprecation }) => deprecation === row.id);
        return uses.length === 0
          ? []
          : [
              section(
                2,
                [span('heading', row.id)],
                [
                  ...replacementBlocks(row),
                  ...uses.map(({ sign, where }) =>
                    entry(undefined, [placeSpan(where, 'strong'), '  ', span('code', signWords(sign))]),
                  ),
                ],
                { facts: [[row.subject], [dayWords(row, today)]] },
              ),
            ];
      }),
      ...result.unread.map(({ file, reason }) =>
        entry({ sign: '!', style: 'error' }, [span('error', 'not read'), `  ${file}: ${reason}`]),
      ),
    ],
    summary: [[span('strong', countSentence(result))]],
  };
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
export function usesJson(result: ScanResult, today: string) {
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
