import { groupBy } from '../data/index.ts';
import { formatPlace, hasErrors, shapedSecrets, sortDiagnostics } from '../model/index.ts';
import type { AppliedFix, Diagnostic, NotFixed, Severity, SourceSpan } from '../model/index.ts';
import { counted } from '../text/index.ts';
import { codeFrame, linesOf } from './code-frame.ts';
import type { Detail } from './layout.ts';
import { entry, hintBlocks, message, paragraph, section, span } from './tree.ts';
import type { Block, EntryBlock, Inline, Document } from './tree.ts';
import { placeSpan } from './print-value.ts';

/** Findings about files, and all files by path, with the texts of those that findings are about. */
export interface Diagnosed {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string | null>;
}

/** Findings whose files may not be at hand, for example because another command found them. */
type DiagnosedAlone = Pick<Diagnosed, 'diagnostics'> & Partial<Diagnosed>;

/** What is told besides the findings. */
interface BesideDiagnostics {
  readonly detail?: Detail | undefined;
  /** What `--fix` changed, and what it left. */
  readonly fixes?: readonly AppliedFix[];
  readonly notFixed?: readonly NotFixed[];
  /** What is said at the end, such as what the files contain. */
  readonly closing?: readonly Inline[];
}

/**
 * Documents the findings in the order of the files, each with its place, code, message, code frame and hint, then the counts.
 * `shownDiagnostics` decides which are shown.
 */
export function diagnosticsDocument(
  { diagnostics, sources = new Map() }: DiagnosedAlone,
  { detail, fixes = [], notFixed = [], closing = [] }: BesideDiagnostics = {},
): Document {
  const { shown, counted: rest } = shownDiagnostics(diagnostics, detail);
  const linesIn = maskedLines({ diagnostics, sources });
  return {
    title: 'Rulewright validate',
    body: [
      ...fixBlocks(fixes),
      ...shown.map((alike) => diagnosticEntry(alike, linesIn)),
      ...restBlocks(rest),
      ...notFixedBlocks(notFixed),
    ],
    summary: [
      ...(diagnostics.length === 0 ? [] : [[span('strong', countSentence(diagnostics))]]),
      ...closing,
    ],
  };
}

/** Documents whether files are valid, for readers who did not run the command, and the findings. */
export function validationDocument(findings: DiagnosedAlone): Document {
  const document = diagnosticsDocument(findings);
  const verdict = hasErrors(findings.diagnostics) ? 'The files are not valid.' : 'The files are valid.';
  return {
    ...document,
    summary: [
      [
        span('strong', verdict),
        ...(findings.diagnostics.length === 0 ? [] : [` ${countSentence(findings.diagnostics)}`]),
      ],
    ],
  };
}

/** Returns the number of findings left out in each file. */
function restBlocks(rest: ShownDiagnostics['counted']): readonly Block[] {
  return rest.size === 0
    ? []
    : [
        section(
          3,
          ['Not shown above; --verbose shows each, --format json holds all'],
          [...rest].map(([file, members]) =>
            entry(undefined, [...(file === '' ? [] : [span('name', file), ': ']), countWords(members)]),
          ),
        ),
      ];
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

const SEVERITY_NOUNS: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['note', 'notes'],
};

function diagnosticEntry({ first, others }: AlikeDiagnostics, linesIn: LinesIn): EntryBlock {
  const { severity, code, message: text, where, hint } = first;
  return entry(
    { style: severity },
    [
      ...(where === undefined ? [] : [placeSpan(where, 'strong'), '  ']),
      span(severity, severity),
      span('dim', ` ${code}`),
    ],
    {
      parts: true,
      apart: true,
      body: [
        paragraph(message(text)),
        ...framesOf(first, linesIn),
        ...hintBlocks(hint),
        ...othersBlocks(others),
      ],
    },
  );
}

/** The codes of findings whose place holds a secret, which no frame shows to those who read the output, such as a job's log. */
const IN_CLEAR: ReadonlySet<string> = new Set(['lint/plain-secret', 'variable/plain-secret']);

type LinesIn = (file: string) => readonly string[];

/** Returns a function that splits a file into lines in which no secret is shown. */
function maskedLines({ diagnostics, sources }: Diagnosed): LinesIn {
  const split = new Map<string, readonly string[]>();
  const secrets = groupBy(
    diagnostics.flatMap(({ code, where }) => (where !== undefined && IN_CLEAR.has(code) ? [where] : [])),
    ({ file }) => file,
  );
  return (file) => {
    const text = sources.get(file);
    const lines =
      split.get(file) ?? (typeof text === 'string' ? masked(linesOf(text), secrets.get(file) ?? []) : []);
    split.set(file, lines);
    return lines;
  };
}

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
function framesOf({ where }: Diagnostic, linesIn: LinesIn): readonly Block[] {
  if (where === undefined) {
    return [];
  }
  const frameOf = (place: SourceSpan): Block => ({
    kind: 'frame',
    frame: (width) => codeFrame(linesIn(place.file), place, width),
  });
  const uses = where.via ?? [];
  return [
    frameOf(where),
    ...uses.flatMap((use) => [paragraph(span('dim', 'used at '), placeSpan(use, 'dim')), frameOf(use)]),
  ];
}

function othersBlocks(others: AlikeDiagnostics['others']): readonly Block[] {
  if (others.length === 0) {
    return [];
  }
  const places = others.flatMap(({ where }) => (where === undefined ? [] : [placeSpan(where, 'dim')]));
  const shown = places.length > MOST_PLACES ? places.slice(0, MOST_PLACES) : places;
  const rest = places.length - shown.length;
  return [
    paragraph(
      span('info', `${counted(others.length, 'more place')} alike`),
      ': ',
      ...shown.flatMap((place, index) => [
        ...(index === 0 ? [] : [', ']),
        { ...place, style: 'code' as const },
      ]),
      rest === 0 ? '' : ` and ${rest} more; --verbose shows each`,
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

/** Returns the changes that fixes made to files. */
function fixBlocks(fixes: readonly AppliedFix[]): readonly Block[] {
  const files = new Set(fixes.map(({ where }) => where.file)).size;
  return fixes.length === 0
    ? []
    : [
        section(
          3,
          [span('strong', `Fixed ${counted(fixes.length, 'place')} in ${counted(files, 'file')}`)],
          fixes.map(({ code, where, before, after }) =>
            entry(undefined, [
              formatPlace(where),
              span('dim', `  ${code}`),
              '  ',
              span('removed-words', quotedBlank(before)),
              after === '' ? ' removed' : ' → ',
              span('added-words', after === '' ? '' : quotedBlank(after)),
            ]),
          ),
        ),
      ];
}

/** Returns which files were not fixed, and why. */
function notFixedBlocks(left: readonly NotFixed[]): readonly Block[] {
  return left.length === 0
    ? []
    : [
        section(
          3,
          [span('strong', 'Not fixed')],
          left.map(({ file, reason, because }) =>
            entry(undefined, [span('name', file), `  ${REASONS[reason](because)}`]),
          ),
        ),
      ];
}

const REASONS: Readonly<Record<NotFixed['reason'], (because: readonly string[]) => string>> = {
  unreadable: () => 'it cannot be read: fix its error first',
  'uses-unknown': (because) =>
    `what is right where the pack is used is not known before ${because.join(' and ')} can be read`,
  'not-safe': () => 'the fix would also change something else: fix it by hand',
};

/** Trims a text; one of nothing but blanks is shown in quotes. */
function quotedBlank(text: string): string {
  return text.trim() === '' ? JSON.stringify(text) : text.trim();
}

/** A finding, and the others that say the same about other places. */
export interface AlikeDiagnostics {
  readonly first: Diagnostic;
  readonly others: readonly Diagnostic[];
}

/** Up to this many findings that say the same are each shown. For errors it is one more, because each has to be fixed. */
const FEW: Readonly<Record<Severity, number>> = { error: 4, warning: 3, info: 3 };

/** The maximum number of places shown for findings that say the same. */
export const MOST_PLACES = 5;

const NONE: readonly Diagnostic[] = [];

/**
 * Groups findings that say the same, at the place of the first: for a habit that hundreds of files have, one example is enough. Errors are
 * grouped only when their texts are identical, because then they most likely have one cause, such as a missing pack.
 */
function alikeDiagnostics(sorted: readonly Diagnostic[]): readonly AlikeDiagnostics[] {
  const groups = groupBy(sorted, keyOf);
  const shown = new Map<Diagnostic, readonly Diagnostic[]>(
    [...groups.values()].flatMap((group) =>
      group.length > FEW[group[0]?.severity ?? 'info']
        ? group.slice(0, 1).map((first) => [first, group.slice(1)] as const)
        : group.map((one) => [one, NONE] as const),
    ),
  );
  return sorted.flatMap((first) => {
    const others = shown.get(first);
    return others === undefined ? [] : [{ first, others }];
  });
}

/**
 * Returns a key of what a finding says. For warnings and notes the key leaves out quoted names and words with digits, such as addresses; not for
 * the ends of rules, since which rule ends when is what they say.
 */
function keyOf({ code, severity, message, hint = '', ends }: Diagnostic): string {
  const isWhole = severity === 'error' || ends !== undefined;
  const texts = [message, hint].map((text) => (isWhole ? text : withoutNames(text)));
  return JSON.stringify([code, severity, ...texts]);
}

function withoutNames(text: string): string {
  return text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '…').replaceAll(/\S*\d\S*/g, '…');
}

/** The findings that are shown, in the order of the files, and those that are only counted, by file. */
export interface ShownDiagnostics {
  readonly shown: readonly AlikeDiagnostics[];
  readonly counted: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** The maximum number shown: nobody reads more, and a megabyte of findings hides which files they are in. */
const MOST = 200;

/**
 * Selects the findings to show. Unless `each` is asked for, findings that say the same are grouped, and of very many a share of each file
 * is shown, errors first, so that every file is represented.
 */
export function shownDiagnostics(
  diagnostics: readonly Diagnostic[],
  detail: Detail = 'summed-up',
): ShownDiagnostics {
  const sorted = sortDiagnostics(diagnostics);
  const all = detail === 'each' ? sorted.map((first) => ({ first, others: [] })) : alikeDiagnostics(sorted);
  if (detail === 'each' || all.length <= MOST) {
    return { shown: all, counted: new Map() };
  }
  const files = [...groupBy(all, ({ first }) => first.where?.file ?? '').values()];
  const share = Math.max(1, Math.floor(MOST / files.length));
  const told = new Set(files.flatMap((members) => errorsFirst(members).slice(0, share)));
  const rest = all.filter((one) => !told.has(one)).flatMap(({ first, others }) => [first, ...others]);
  return {
    shown: all.filter((one) => told.has(one)),
    counted: groupBy(rest, ({ where }) => where?.file ?? ''),
  };
}

function errorsFirst(members: readonly AlikeDiagnostics[]): readonly AlikeDiagnostics[] {
  const isError = ({ first }: AlikeDiagnostics): boolean => first.severity === 'error';
  return [...members.filter(isError), ...members.filter((one) => !isError(one))];
}
