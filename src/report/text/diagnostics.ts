import type { Diagnostic, Severity, SourceSpan } from '../../model/index.ts';
import { someNames, counted } from '../../text/index.ts';
import { shapedSecrets, formatPlace } from '../../model/index.ts';
import type { AlikeDiagnostics, ShownDiagnostics } from '../shown-diagnostics.ts';
import { MOST_PLACES, shownDiagnostics } from '../shown-diagnostics.ts';
import { codeFrame, linesOf } from '../lines/code-frame.ts';
import { hintLines, messageLines } from '../lines/finding-lines.ts';
import { groupBy } from '../../data/index.ts';
import { disarmLine, escapeText } from '../escape.ts';
import type { Line, Look } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';

/** Findings, and all files by path, with the texts of those that findings are about. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string | null>;
}

/**
 * Formats the findings in the order of the files, each with its place, code, message, code frame and hint, then the counts.
 * `shownDiagnostics` decides which are shown.
 */
export function diagnosticsText({ diagnostics, sources }: Findings, look: Look): string {
  if (diagnostics.length === 0) {
    return '';
  }
  const split = new Map<string, readonly string[]>();
  const secrets = groupBy(
    diagnostics.flatMap(({ code, where }) => (where !== undefined && IN_CLEAR.has(code) ? [where] : [])),
    ({ file }) => file,
  );
  const linesIn: LinesIn = (file) => {
    const text = sources.get(file);
    const lines =
      split.get(file) ?? (typeof text === 'string' ? masked(linesOf(text), secrets.get(file) ?? []) : []);
    split.set(file, lines);
    return lines;
  };
  const { shown, counted: rest } = shownDiagnostics(diagnostics, look.detail);
  const findings = shown.map((alike) => {
    const { first } = alike;
    return (
      layOut(headLines(first), look) +
      framesOf(first, linesIn, look) +
      layOut([...hintLines(2, first.hint), ...othersLines(alike)], look)
    );
  });
  const end = [...restLines(rest), line(0, span('strong', countSentence(diagnostics)))];
  return `${findings.join('\n')}\n${layOut(end, look)}`;
}

/** Returns lines with the number of findings left out in each file. */
function restLines(rest: ShownDiagnostics['counted']): readonly Line[] {
  return rest.size === 0
    ? []
    : [
        line(0, 'Not shown above; --verbose shows each, --format json holds all:'),
        ...[...rest].map(([file, members]) =>
          line(2, ...(file === '' ? [] : [span('strong', file), ': ']), countWords(members)),
        ),
        BLANK,
      ];
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

const SEVERITY_NOUNS: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
};

function headLines({ severity, code, message, where }: Diagnostic): readonly Line[] {
  return [
    line(
      0,
      ...(where === undefined ? [] : [span('strong', formatPlace({ ...where, via: [] })), { text: '  ' }]),
      span(severity, severity),
      span('dim', ` ${code}`),
    ),
    ...messageLines(2, message),
  ];
}

/** The codes of findings whose place holds a secret, which no frame shows to those who read the output, such as a job's log. */
const IN_CLEAR: ReadonlySet<string> = new Set(['lint/plain-secret', 'variable/plain-secret']);

/**
 * Returns lines with a mark for each character of these places, and of what has the form of a secret in lines beside them, so that all other
 * places of the lines stay where they are.
 */
function masked(lines: readonly string[], places: readonly SourceSpan[]): readonly string[] {
  const all = lines.map((text) =>
    shapedSecrets(text).reduce(
      (rest, { text: secret }) => rest.replaceAll(secret, '*'.repeat(secret.length)),
      text,
    ),
  );
  for (const { start, end } of places) {
    for (let number = start.line; number <= Math.min(end.line, all.length); number += 1) {
      const text = all[number - 1] ?? '';
      const from = number === start.line ? start.column - 1 : 0;
      const until = number === end.line ? end.column - 1 : text.length;
      all[number - 1] = `${text.slice(0, from)}${'*'.repeat(Math.max(until - from, 0))}${text.slice(until)}`;
    }
  }
  return all;
}

/** Returns the frame of a place, and those of the places where the pack around it is used. */
function framesOf({ where }: Diagnostic, linesIn: LinesIn, look: Look): string {
  if (where === undefined) {
    return '';
  }
  const uses = (where.via ?? []).map(
    (use) =>
      layOut([line(2, span('dim', 'used at '), { text: formatPlace(use) })], look) +
      frameOf(use, linesIn, look),
  );
  return frameOf(where, linesIn, look) + uses.join('');
}

type LinesIn = (file: string) => readonly string[];

function frameOf(where: SourceSpan, linesIn: LinesIn, { width }: Look): string {
  const frame = codeFrame(linesIn(where.file), where, width - 2);
  return frame === ''
    ? ''
    : frame
        .split('\n')
        .map((row) => `${disarmLine(`  ${row}`.trimEnd())}\n`)
        .join('');
}

function othersLines({ others }: AlikeDiagnostics): readonly Line[] {
  if (others.length === 0) {
    return [];
  }
  const places = others.flatMap(({ where }) =>
    where === undefined ? [] : [formatPlace({ ...where, via: [] })],
  );
  const all = others.length > MOST_PLACES ? '; --verbose shows each' : '';
  return [
    line(
      2,
      span('info', `${counted(others.length, 'more place')} alike`),
      `: ${escapeText(someNames(places, MOST_PLACES))}${all}`,
    ),
  ];
}

/** Counts the findings of each severity: `2 errors, 1 warning.` */
export function countSentence(diagnostics: readonly Diagnostic[]): string {
  return `${countWords(diagnostics)}.`;
}

/** Counts as `countSentence` does, without the full stop. */
export function countWords(diagnostics: readonly Diagnostic[]): string {
  const counts = SEVERITIES.map((severity) => ({
    nouns: SEVERITY_NOUNS[severity],
    count: diagnostics.filter((diagnostic) => diagnostic.severity === severity).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ count, nouns }) => counted(count, ...nouns))
    .join(', ');
}
