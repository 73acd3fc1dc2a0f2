import type { CST, YAMLError } from 'yaml';
import type { Diagnostic } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { shortened } from '../../text/index.ts';

/** Hint for a text without quotes in braces or brackets that contains a comma or a bracket. */
export const COMMA_HINT =
  'inside of `{ }` and `[ ]` a comma or a bracket ends a text: put the text in single quotes, or write each entry on a line of its own';

/** Whether an error is at a variable without quotes. */
export function isVariable({ text }: SourceText, { pos: [start] }: YAMLError): boolean {
  return text.slice(start - 1, start + 1) === '${';
}

/** Whether an error is about a line in a wrong column: all errors about the structure of later lines only follow from it. */
export function isAstray(error: YAMLError | undefined): boolean {
  return error?.code === 'BAD_INDENT' || (error !== undefined && ITEM_BELOW_KEY.test(error.message));
}

/** The parser's message about an item that stands below a key. */
const ITEM_BELOW_KEY = /^A block sequence may not be used as an implicit map key/u;

/** Returns the offset of the quotation mark that nothing closes; the parser's error points to the end of the file. */
export function unclosed(source: SourceText, { message, pos: [end] }: YAMLError): number | undefined {
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

/** A text that is not YAML, with the syntax that the parser made of it. */
export interface Broken {
  readonly source: SourceText;
  readonly tokens: readonly CST.Token[];
}

/** Returns what is wrong where the parser stopped, and what to do. */
export function syntaxFinding(broken: Broken, error: YAMLError): Diagnostic {
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
      : (says ?? lowerFirst(error.message)),
    hint: mistakeHint(broken, error) ?? hint ?? valueHint(source, error) ?? hintByCode(error),
    where: mark === undefined ? spanAt(source, start, end) : spanAt(source, mark, mark + 1),
  });
}

/** Begins one of the parser's own messages like all others, in lower case. */
function lowerFirst(text: string): string {
  return text.replace(/^[A-Z](?=[a-z])/u, (letter) => letter.toLowerCase());
}

/** Returns the bracket that an error calls unclosed; of several, the innermost before the error. */
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

/** Plainer words than the parser's messages, and what to do where the error code does not tell. */
const SAYS: readonly (readonly [says: RegExp, message: string, hint?: string])[] = [
  [/^Nested mappings are not allowed/u, 'what stands before the `: ` in this text becomes a key'],
  [/^Unexpected block-seq-ind on same line/u, 'a list cannot begin in the line of its key'],
  [/^Implicit keys need to be on a single line/u, 'this is neither a key nor a part of what stands above it'],
  [/^Implicit map keys need to be followed/u, 'there is no `:` after this, as after a key'],
  [ITEM_BELOW_KEY, 'this item is not in the column of the items of any list above it'],
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

const BEHIND_VALUE = /^Unexpected \S+ at node end/u;

/** Returns what to do about a slip inside brackets. */
function mistakeHint(broken: Broken, error: YAMLError): string | undefined {
  if (isVariable(broken.source, error)) {
    return 'inside of `{ }` and `[ ]` a variable needs quotes: "${name}"';
  }
  if (BETWEEN_ITEMS.test(error.message)) {
    return COMMA_HINT;
  }
  return isKeyInBraces(broken, error) ? 'a comma is missing in front of it' : undefined;
}

const BETWEEN_ITEMS = /^Missing , or : between flow/u;

/** Whether an error is about a key in braces right behind the value of the key before it. */
function isKeyInBraces({ source, tokens }: Broken, { message, pos: [start] }: YAMLError): boolean {
  return BEHIND_VALUE.test(message) && KEY.test(source.text.slice(start)) && isInBrackets(tokens, start);
}

const KEY = /^(?:"[^"\n]*"|'[^'\n]*'|[\w./-]+) *:\s/u;

/** What to do with a text that YAML takes for something else, by its first character. */
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
  // Inside brackets that are still open, the text begins further right.
  return /[[{]/u.test(sign) && !/[\]}]/u.test(line) ? undefined : BY_BEGINNING.get(sign);
}

function hintByCode(error: YAMLError): string | undefined {
  return SYNTAX_HINTS.get(isAstray(error) ? 'BAD_INDENT' : error.code);
}

/** Characters of a value that a message quotes, so that the value can be recognised. */
const SHOWN = 20;

function beginning({ text }: SourceText, { pos: [start, end] }: YAMLError): string {
  const [shown = ''] = text.slice(start, Math.max(end, start + 1)).split(/[\r\n]/u);
  return `\`${shortened(shown, SHOWN)}\``;
}

/** A bracket that nothing closes, or that a bracket of the other kind closes. */
interface OpenBracket {
  readonly offset: number;
  readonly closing: string;
}

/** Returns the brackets that stay open in a text, in its order. Recurses as deep as the text is nested, which is bounded. */
function openBrackets(tokens: readonly CST.Token[]): readonly OpenBracket[] {
  return tokens.flatMap((token) => openIn(token));
}

/** Whether an offset of a text lies inside brackets. */
function isInBrackets(tokens: readonly CST.Token[], offset: number): boolean {
  return tokens.some((token) => isInside(token, offset));
}

function isInside(token: CST.Token | null | undefined, offset: number): boolean {
  if (token?.type === 'document') {
    return isInside(token.value, offset);
  }
  if (token === null || token === undefined || !('items' in token)) {
    return false;
  }
  if (token.type === 'flow-collection' && token.start.offset < offset) {
    const [end] = token.end;
    return end === undefined || offset <= end.offset;
  }
  return token.items.some(({ key, value }) => isInside(key, offset) || isInside(value, offset));
}

function openIn(token: CST.Token | null | undefined): readonly OpenBracket[] {
  if (token?.type === 'document') {
    return openIn(token.value);
  }
  if (token === null || token === undefined || !('items' in token)) {
    return [];
  }
  const inside = token.items.flatMap(({ key, value }) => [...openIn(key), ...openIn(value)]);
  if (token.type !== 'flow-collection') {
    return inside;
  }
  const { source, offset } = token.start;
  const closing = source === '{' ? '}' : ']';
  return token.end[0]?.source === closing ? inside : [{ offset, closing }, ...inside];
}
