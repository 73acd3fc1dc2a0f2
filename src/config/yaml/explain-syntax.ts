import type { CST, YAMLError } from 'yaml';

import type { Diagnostic } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { COMMA_HINT } from './comma-hint.ts';
import { foreignLines } from './foreign-lines.ts';
import { firstSlip } from './line-slips.ts';
import type { LineSlip } from './line-slips.ts';
import { isInBrackets, openBrackets } from './open-brackets.ts';
import type { OpenBracket } from './open-brackets.ts';
import { YAML_LIMITS } from './yaml-limits.ts';

/** A text that is no YAML, with the syntax that could be made of it. */
interface Broken {
  readonly source: SourceText;
  readonly tokens: readonly CST.Token[];
}

/** What its reader says of a text that is no YAML, as findings that tell the slip itself and not what only follows from it. */
export function explainSyntax(broken: Broken, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const telling = mostTelling(broken.source, errors);
  return syntaxFindings(broken, telling).slice(0, YAML_LIMITS.syntaxFindings);
}

const SYNTAX_HINTS: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'indent with spaces; YAML does not allow tabs there'],
  ['BAD_INDENT', 'keys of one mapping, and items of one list, begin in the same column'],
  [
    'MULTILINE_IMPLICIT_KEY',
    'a text over several lines stands further right than its key; else, is a `:` or a quotation mark missing in the line above?',
  ],
  ['BLOCK_IN_FLOW', 'inside of `{ }` and `[ ]` a comma is missing in front of the second key'],
  ['MISSING_CHAR', 'a quotation mark or bracket is not closed, or a `:` is missing'],
  ['BAD_ALIAS', 'a text that begins with `*` or `&` needs quotes'],
  [
    'BLOCK_AS_IMPLICIT_KEY',
    'a text that contains `: ` needs quotes; `>-` begins a long text on its own lines',
  ],
  [
    'TAG_RESOLVE_FAILED',
    'remove the tag, which means nothing here; a text that begins with `!` needs quotes',
  ],
  ['BAD_DQ_ESCAPE', 'in double quotes a backslash is written `\\\\`; in single quotes it stands for itself'],
  ['BAD_SCALAR_START', 'a text that begins with this character needs quotes'],
  [
    'UNEXPECTED_TOKEN',
    'a text with `: `, ` #` or brackets inside needs quotes; with double quotes inside, single quotes around it',
  ],
]);

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

function isVariable({ text }: SourceText, { pos: [start] }: YAMLError): boolean {
  return text.slice(start - 1, start + 1) === '${';
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

/** Whether a line stands in a wrong column: all that is said of the structure of later ones only follows from it. */
function isAstray(error: YAMLError | undefined): boolean {
  return error?.code === 'BAD_INDENT' || (error !== undefined && ITEM_BELOW_KEY.test(error.message));
}

const BEHIND_VALUE = /^Unexpected \S+ at node end/u;

const ITEM_BELOW_KEY = /^A block sequence may not be used as an implicit map key/u;

/** What is plainer than the words of the reader, and what to do where its code does not tell. */
const SAYS: readonly (readonly [says: RegExp, message: string, hint?: string])[] = [
  [/^Nested mappings are not allowed/u, 'what stands before the `: ` in this text becomes a key'],
  [/^Unexpected block-seq-ind on same line/u, 'a list cannot begin in the line of its key'],
  [/^Implicit keys need to be on a single line/u, 'this is neither a key nor a part of what stands above it'],
  [/^Implicit map keys need to be followed/u, 'there is no `:` behind this, as behind a key'],
  [ITEM_BELOW_KEY, 'this item stands in no column in which a list above it has its items'],
  [
    /^Unexpected flow-(?:map|seq)-end/u,
    'nothing opens this bracket',
    'delete it; a text with brackets inside needs quotes',
  ],
  [/^Unexpected , in flow/u, 'nothing stands before this comma', 'delete it, or write what is missing'],
  [
    /^Missing closing "quote/u,
    'nothing closes this `"`',
    'write `"` where the text ends; inside of the text it is written `\\"`',
  ],
  [
    /^Missing closing 'quote/u,
    "nothing closes this `'`",
    "write `'` where the text ends; inside of the text it is written twice: `''`",
  ],
];

/** What to do with a text that YAML takes for something else, by how it begins. */
const BY_BEGINNING: ReadonlyMap<string, string> = new Map([
  ['"', 'a text with double quotes inside needs single quotes around all of it'],
  ["'", "an apostrophe inside of single quotes is written twice: ''"],
  ...['[', '{', '*', '&', '-'].map(
    (sign) => [sign, `a text that begins with \`${sign}\` needs quotes`] as const,
  ),
]);

function valueHint(source: SourceText, { message, pos: [start] }: YAMLError): string | undefined {
  if (!BEHIND_VALUE.test(message) && !message.startsWith('Unexpected block-seq-ind on same line')) {
    return undefined;
  }
  const line = source.text.slice(source.lineStarts[spanAt(source, start, start).start.line - 1], start + 1);
  const [, sign = ''] = /^\s*(?:- +)*(?:[\w.-]+: +)?(\S)/u.exec(line) ?? [];
  // What stands in brackets begins further behind.
  return /[[{]/u.test(sign) && !/[\]}]/u.test(line) ? undefined : BY_BEGINNING.get(sign);
}

/** What to do about what stands in brackets as it cannot. */
function slipHint(broken: Broken, error: YAMLError): string | undefined {
  if (isVariable(broken.source, error)) {
    return 'inside of `{ }` and `[ ]` a variable needs quotes: "${name}"';
  }
  if (BETWEEN_ITEMS.test(error.message)) {
    return COMMA_HINT;
  }
  return isKeyInBraces(broken, error) ? 'a comma is missing in front of it' : undefined;
}

function hintByCode(error: YAMLError): string | undefined {
  return SYNTAX_HINTS.get(isAstray(error) ? 'BAD_INDENT' : error.code);
}

/** A key in braces right behind the value of the one before it. */
function isKeyInBraces({ source, tokens }: Broken, { message, pos: [start] }: YAMLError): boolean {
  return BEHIND_VALUE.test(message) && KEY.test(source.text.slice(start)) && isInBrackets(tokens, start);
}

const KEY = /^(?:"[^"\n]*"|'[^'\n]*'|[\w./-]+) *:\s/u;

/** Letters that make a value known again. */
const SHOWN = 20;

function beginning({ text }: SourceText, { pos: [start, end] }: YAMLError): string {
  const [shown = ''] = text.slice(start, Math.max(end, start + 1)).split(/[\r\n]/u);
  return `\`${shown.length > SHOWN ? `${shown.slice(0, SHOWN)}…` : shown}\``;
}

const BETWEEN_ITEMS = /^Missing , or : between flow/u;

function slipFinding(source: SourceText, { line, from, until, message, hint }: LineSlip): Diagnostic {
  const begin = source.lineStarts[line] ?? 0;
  return finding('yaml/syntax', { message, hint, where: spanAt(source, begin + from, begin + until) });
}

function syntaxFinding(broken: Broken, error: YAMLError): Diagnostic {
  const { source } = broken;
  const code = error.code === 'TAG_RESOLVE_FAILED' ? 'yaml/unknown-tag' : 'yaml/syntax';
  const [start, end] = error.pos;
  const bracket = openBracket(broken, error);
  if (bracket !== undefined) {
    return bracketFinding(source, bracket, start);
  }
  const mark = unclosed(source, error);
  const [, says, hint] = SAYS.find(([pattern]) => pattern.test(error.message)) ?? [];
  return finding(code, {
    message: BEHIND_VALUE.test(error.message)
      ? `the value in front of ${beginning(source, error)} has ended`
      : (says ?? error.message),
    hint: slipHint(broken, error) ?? hint ?? valueHint(source, error) ?? hintByCode(error),
    where: mark === undefined ? spanAt(source, start, end) : spanAt(source, mark, mark + 1),
  });
}

/** The bracket that an error says is not closed: of several, the innermost before it. */
function openBracket({ tokens }: Broken, { message, pos: [start] }: YAMLError): OpenBracket | undefined {
  const [, closing] = /^Flow (?:map|sequence) .*end with a ([}\]])$/u.exec(message) ?? [];
  return closing === undefined
    ? undefined
    : openBrackets(tokens).findLast((open) => open.closing === closing && open.offset < start);
}

function bracketFinding(source: SourceText, { offset, closing }: OpenBracket, end: number): Diagnostic {
  return finding('yaml/syntax', {
    message: `nothing closes this \`${source.text.charAt(offset)}\``,
    hint: bracketHint(source, closing, end),
    where: spanAt(source, offset, offset + 1),
  });
}

function bracketHint(source: SourceText, closing: string, end: number): string {
  const [next = ''] = /\S/u.exec(source.text.slice(end)) ?? [];
  const { line, column } = spanAt(source, end, end).start;
  if (next === closing) {
    return `the \`${next}\` in line ${line}, column ${column}, has to stand further right than the key of this`;
  }
  const place =
    next === ''
      ? 'the file ends'
      : /[}\]]/u.test(next)
        ? `the \`${next}\` in line ${line}, column ${column}`
        : `line ${line}`;
  return `write \`${closing}\` before ${place}; what is in brackets stands further right than its key`;
}

/** Where the quotation mark stands that nothing closes: its reader tells the end of the file. */
function unclosed(source: SourceText, { message, pos: [end] }: YAMLError): number | undefined {
  const [, mark] = /^Missing closing (["'])quote/u.exec(message) ?? [];
  if (mark === undefined) {
    return undefined;
  }
  const text = mark === '"' ? /"(?:\\.?|[^"\\])*("|$)/gsu : /'(?:''|[^'])*('|$)/gu;
  const lines = source.text.slice(0, end).split('\n');
  for (const [line, written] of [...lines.entries()].reverse()) {
    const open = [...written.matchAll(text)].find(([, closing]) => closing === '');
    if (open !== undefined) {
      return (source.lineStarts[line] ?? 0) + open.index;
    }
  }
  return undefined;
}
