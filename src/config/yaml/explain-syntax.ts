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

/** What its reader says of a text that is no YAML, as findings that tell the slip itself and not what only follows from it. */
export function explainSyntax(broken: Broken, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const telling = mostTelling(broken.source, errors);
  return syntaxFindings(broken, telling).slice(0, YAML_LIMITS.syntaxFindings);
}

/** What is said of each token behind one that has ended the document too soon. */
const BEHIND_DOCUMENT = / token in YAML stream: /u;

/**
 * Where a variable stands without quotes in brackets, all other errors only follow from it;
 * behind a quotation mark that nothing closes, all that is said of the rest of the file; and behind what has ended the document.
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

/** One finding for each slip: what the reader says around a line that shows its own slip only follows from it. */
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
  // Where it is not told, it says nothing of what is near it either: something has to be told.
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
    ...errors.filter(isTold).map((error) => syntaxFinding(broken, error)),
  ];
}

/** Tells the first line from one on that holds more than a comment: of empty lines, the one behind them is meant. */
function linesWithText(lines: readonly string[]): (line: number) => number {
  const behind = lines.map((_text, index) => index + 1);
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    if (/^\s*(?:#|$)/u.test(lines[index] ?? '')) {
      behind[index] = behind[index + 1] ?? index + 1;
    }
  }
  return (line) => behind[line - 1] ?? line;
}

/** What is said where a line does not belong to those above it as the reader expects. */
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
