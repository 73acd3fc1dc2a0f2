import { isVersion, sortDiagnostics } from '../model/index.ts';
import type { Cause, SourceSpan, Diagnostic, Severity } from '../model/index.ts';
import { counted } from '../text/index.ts';
import { countSentence } from './diagnostics-document.ts';
import { disarmLine, escapeLines, escapeText } from './escape.ts';

/** The level of an annotation, in GitHub's terms. */
export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A span in a file of the repository. */
interface AnnotationPlace {
  /** Path relative to the repository, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** A remark that GitHub shows beside the line of a file, and in the summary of the run. */
export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
  readonly where?: AnnotationPlace;
}

/** GitHub keeps this many annotations of each level per step, and silently drops the others. */
const MOST = 10;

const LEVELS: readonly AnnotationLevel[] = ['error', 'warning', 'notice'];

/**
 * Formats annotations as GitHub Actions commands, one per line, errors first, with `closing` as the last line. Annotations beyond GitHub's
 * limit follow as plain lines in the log, and the last annotation of their level says so.
 */
export function annotationsText(annotations: readonly Annotation[], closing: string): string {
  const levels = LEVELS.map((level) => {
    const all = annotations.filter((annotation) => annotation.level === level);
    const shown = all.length > MOST ? all.slice(0, MOST - 1) : all;
    return { level, shown, left: all.slice(shown.length) };
  });
  const commands = levels.flatMap(({ level, shown, left }) => [
    ...shown.map(command),
    ...(left.length === 0 ? [] : [command(more(level, left.length))]),
  ]);
  const plain = levels.flatMap(({ left }) => left.map(plainLine));
  return [...commands, ...[...plain, escapeText(closing)].map(disarmLine)]
    .map((text) => `${text}\n`)
    .join('');
}

function more(level: AnnotationLevel, count: number): Annotation {
  return {
    level,
    title: counted(count, `more ${level}`),
    message: 'GitHub shows ten of each level for a step. The log of this step has the others.',
  };
}

function command({ level, title, message, where }: Annotation): string {
  const properties = [...placeProperties(where), `title=${property(title)}`].join(',');
  return `::${level} ${properties}::${data(escapeLines(message).join('\n'))}`;
}

function placeProperties(where: AnnotationPlace | undefined): readonly string[] {
  if (where === undefined) {
    return [];
  }
  const { file, line, column, endLine = line, endColumn } = where;
  // GitHub accepts columns only for an annotation on a single line.
  const columns =
    endLine === line && column !== undefined
      ? [`col=${column}`, ...(endColumn === undefined ? [] : [`endColumn=${endColumn}`])]
      : [];
  return [`file=${property(file)}`, `line=${line}`, `endLine=${endLine}`, ...columns];
}

function plainLine({ level, title, message, where }: Annotation): string {
  const place =
    where === undefined ? '' : `${[where.file, where.line, where.column ?? 1].map(String).join(':')}  `;
  return `${escapeText(place)}${level} ${escapeText(title)}: ${escapeLines(message).join(' ')}`;
}

/** Escapes data as the runner requires: without this a line break would begin a command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(escapeText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Returns the path of a project file in its repository; `folder` is the project's folder there, "" for the root. */
export function repositoryPath(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`;
}

/** Returns the place of a finding or of the cause of a step, in the form of an annotation. */
export function placeOf(
  folder: string,
  place: SourceSpan | Cause | undefined,
): { readonly where?: AnnotationPlace } {
  if (place === undefined || isVersion(place)) {
    return {};
  }
  const file = repositoryPath(folder, place.file);
  return 'start' in place
    ? {
        where: {
          file,
          line: place.start.line,
          column: place.start.column,
          endLine: place.end.line,
          endColumn: place.end.column,
        },
      }
    : { where: { file, line: place.line, column: place.column } };
}

const LEVEL_OF: Readonly<Record<Severity, AnnotationLevel>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/** Formats findings about the files as GitHub annotations; `folder` is the project's folder in its repository. */
export function diagnosticsAnnotations(diagnostics: readonly Diagnostic[], folder: string): string {
  const annotations = sortDiagnostics(diagnostics).map(({ severity, code, message, hint, where }) => ({
    level: LEVEL_OF[severity],
    title: code,
    message: hint === undefined ? message : `${message}\nhint: ${hint}`,
    ...placeOf(folder, where),
  }));
  return annotationsText(annotations, diagnostics.length === 0 ? 'Valid.' : countSentence(diagnostics));
}
