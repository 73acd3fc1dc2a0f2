import type { YAMLError } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { foreignLines } from './foreign-lines.ts';
import { firstSlip } from './line-slips.ts';
import type { LineSlip } from './line-slips.ts';
import { YAML_LIMITS } from './yaml-limits.ts';
import { isAstray, isVariable, unclosed } from './syntax-error.ts';
import type { Broken } from './syntax-finding.ts';
import { syntaxFinding } from './syntax-finding.ts';

/** Turns the parser's errors about invalid YAML into findings about the slips themselves, without what only follows from a slip. */
export function explainSyntax(broken: Broken, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const telling = mostTelling(broken.source, errors.slice(0, YAML_LIMITS.syntaxErrors));
  return syntaxFindings(broken, telling).slice(0, YAML_LIMITS.syntaxFindings);
}

/** The error about each token behind one that has ended the document too soon. */
const BEHIND_DOCUMENT = / token in YAML stream: /u;

/**
 * Drops errors that only follow from others: where a variable stands without quotes in brackets, all other errors; behind a quotation mark that
 * nothing closes, all errors about the rest of the file; and all errors behind what has ended the document.
 */
function mostTelling(source: SourceText, all: readonly YAMLError[]): readonly YAMLError[] {
  const errors = all.filter(({ message }, index) => index === 0 || !BEHIND_DOCUMENT.test(message));
  const variables = errors.filter((error) => isVariable(source, error));
  if (variables.length > 0) {
    return variables;
  }
  const marks = errors.map((error) => unclosed(source, error));
  const first = marks.find((mark) => mark !== undefined);
  return first === undefined
    ? errors
    : errors.filter(({ pos: [start] }, index) => marks[index] === first || start < first);
}

/** Returns one finding for each slip: errors of the parser around a line that shows its own slip only follow from it. */
function syntaxFindings(broken: Broken, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const { source } = broken;
  const lines = source.text.split('\n').map((line) => line.replace(/\r$/u, ''));
  const lineWithText = linesWithText(lines);
  const starts = errors.map(({ pos: [start, end] }) => lineWithText(spanAt(source, start, end).start.line));
  const foreign = foreignLines(lines, new Set(starts));
  if (foreign.length > 0) {
    return foreign.map((slip) => slipFinding(source, slip));
  }
  const tab = errors.find(({ code }) => code === 'TAB_AS_INDENT');
  if (tab !== undefined) {
    return [syntaxFinding(broken, tab)];
  }
  const first = firstSlip(
    lines.slice(0, lineWithText(starts.reduce((last, line) => Math.max(last, line), 0) + 1)),
  );
  const astray = [
    ...(first?.isAstray === true ? [first.line + 1] : []),
    ...starts.filter((_line, index) => isAstray(errors[index])),
  ];
  const lost = astray.reduce((line, other) => Math.min(line, other), Infinity);
  // A slip that is not reported does not explain the errors near it either: something has to be reported.
  const slip = first === undefined || first.line + 1 > lost ? undefined : first;
  const isTold = (error: YAMLError, index: number): boolean => {
    const line = starts[index] ?? 0;
    const isNear =
      slip !== undefined && (Math.abs(line - slip.line - 1) <= 1 || lineWithText(line + 1) === slip.line + 1);
    const follows = line > lost || starts.indexOf(line) < index;
    return !isNear && !(follows && OF_STRUCTURE.has(error.code) && unclosed(source, error) === undefined);
  };
  return [
    ...(slip === undefined ? [] : [slipFinding(source, slip)]),
    ...errors
      .filter(isTold)
      .slice(0, YAML_LIMITS.syntaxFindings)
      .map((error) => syntaxFinding(broken, error)),
  ];
}

/**
 * Returns a function from a line to the first line, itself included, that holds more than a comment: an error on empty lines is about the line
 * behind them.
 */
function linesWithText(lines: readonly string[]): (line: number) => number {
  const behind = lines.map((_text, index) => index + 1);
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    if (/^\s*(?:#|$)/u.test(lines[index] ?? '')) {
      behind[index] = behind[index + 1] ?? index + 1;
    }
  }
  return (line) => behind[line - 1] ?? line;
}

/** Codes of errors about a line that does not belong to those above it as the parser expects. */
const OF_STRUCTURE: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
  'MISSING_CHAR',
  'UNEXPECTED_TOKEN',
]);

function slipFinding(source: SourceText, { line, from, until, message, hint }: LineSlip): Diagnostic {
  const begin = source.lineStarts[line] ?? 0;
  return finding('yaml/syntax', { message, hint, where: spanAt(source, begin + from, begin + until) });
}
