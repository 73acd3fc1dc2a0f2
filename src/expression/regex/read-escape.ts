import { advance, advanceAndSkip, atEnd, current, refuse, spanFrom, spanHere } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { AssertionName, PatternSpan, SyntaxClass, SyntaxLiteral } from './regex-syntax.ts';

/** What an escape stands for: a character, a class or an assertion. */
export type Escape =
  | SyntaxLiteral
  | { readonly kind: 'class'; readonly class: SyntaxClass; readonly span: PatternSpan }
  | { readonly kind: 'assertion'; readonly name: AssertionName; readonly span: PatternSpan };

const CHARACTERS: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['v', 0x0b],
]);

const ASSERTIONS: ReadonlyMap<string, AssertionName> = new Map([
  ['A', '\\A'],
  ['z', '\\z'],
  ['b', '\\b'],
  ['B', '\\B'],
  ['<', '\\b{start}'],
  ['>', '\\b{end}'],
]);

const SPECIAL_BOUNDARIES: ReadonlyMap<string, AssertionName> = new Map([
  ['start', '\\b{start}'],
  ['end', '\\b{end}'],
  ['start-half', '\\b{start-half}'],
  ['end-half', '\\b{end-half}'],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

const PERL: ReadonlyMap<string, 'd' | 's' | 'w'> = new Map([
  ['d', 'd'],
  ['s', 's'],
  ['w', 'w'],
]);

/** Reads an escape; the cursor stands on the backslash (rules-language.md 2.5). */
export function readEscape(cursor: Cursor): Escape | undefined {
  const start = cursor.at;
  if (!advance(cursor)) {
    return refuse(cursor, 'incomplete escape sequence, reached end of pattern prematurely', {
      span: spanFrom(cursor, start),
    });
  }
  const character = current(cursor);
  if (/^[0-9]$/u.test(character)) {
    return refuse(cursor, 'backreferences are not supported', { span: { start, end: cursor.at + 1 } });
  }
  const digits = HEX_DIGITS.get(character);
  if (digits !== undefined) {
    return readHex(cursor, { start, digits });
  }
  if (character === 'p' || character === 'P') {
    return readProperty(cursor, start);
  }
  advance(cursor);
  const span = spanFrom(cursor, start);
  const perl = PERL.get(character.toLowerCase());
  if (perl !== undefined) {
    return { kind: 'class', class: { kind: 'perl', name: perl, negated: perl !== character, span }, span };
  }
  // Every ASCII character but letters, digits, `<` and `>` may be escaped, needed or not.
  const codePoint = /^[^0-9A-Za-z<>\x80-\u{10ffff}]$/u.test(character)
    ? character.charCodeAt(0)
    : CHARACTERS.get(character);
  if (codePoint !== undefined) {
    return { kind: 'literal', codePoint, byte: false, span };
  }
  const name = ASSERTIONS.get(character);
  if (name === undefined) {
    return refuse(cursor, 'unrecognized escape sequence', { span });
  }
  if (name === '\\b' && current(cursor) === '{') {
    const special = readSpecialBoundary(cursor, start);
    return special === undefined
      ? undefined
      : { kind: 'assertion', name: special, span: spanFrom(cursor, start) };
  }
  return { kind: 'assertion', name, span };
}

/** Reads `{start}` and the like after `\b`; leaves a count such as `{2}` to the reader of repetitions. */
function readSpecialBoundary(cursor: Cursor, boundary: number): AssertionName | undefined {
  const brace = cursor.at;
  if (!advanceAndSkip(cursor)) {
    const message =
      'found either the beginning of a special word boundary or a bounded repetition on a \\b with an opening brace, but no closing brace';
    return refuse(cursor, message, { span: spanFrom(cursor, boundary) });
  }
  const contents = cursor.at;
  if (!/^[A-Za-z-]$/u.test(current(cursor))) {
    cursor.at = brace;
    return '\\b';
  }
  let word = '';
  while (/^[A-Za-z-]$/u.test(current(cursor))) {
    word += current(cursor);
    advanceAndSkip(cursor);
  }
  if (current(cursor) !== '}') {
    const message = 'special word boundary assertion is either unclosed or contains an invalid character';
    return refuse(cursor, message, { span: spanFrom(cursor, brace) });
  }
  const end = cursor.at;
  advance(cursor);
  const name = SPECIAL_BOUNDARIES.get(word);
  if (name === undefined) {
    const message =
      'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half';
    return refuse(cursor, message, { span: { start: contents, end } });
  }
  return name;
}

function readHex(
  cursor: Cursor,
  { start, digits }: { readonly start: number; readonly digits: number },
): SyntaxLiteral | undefined {
  if (!advanceAndSkip(cursor)) {
    return refuseEnd(cursor);
  }
  const hex = current(cursor) === '{' ? readBracedHex(cursor) : readFixedHex(cursor, digits);
  if (hex === undefined) {
    return undefined;
  }
  const codePoint = hex.digits.length > 8 ? Number.POSITIVE_INFINITY : Number.parseInt(hex.digits, 16);
  if (codePoint > 0x10_ff_ff || (codePoint >= 0xd8_00 && codePoint <= 0xdf_ff)) {
    return refuse(cursor, 'hexadecimal literal is not a Unicode scalar value', { span: hex.span });
  }
  return { kind: 'literal', codePoint, byte: hex.fixed && digits === 2, span: spanFrom(cursor, start) };
}

interface Hex {
  readonly digits: string;
  readonly fixed: boolean;
  readonly span: PatternSpan;
}

function readFixedHex(cursor: Cursor, count: number): Hex | undefined {
  const start = cursor.at;
  let digits = '';
  for (let index = 0; index < count; index += 1) {
    if (index > 0 && !advanceAndSkip(cursor)) {
      return refuseEnd(cursor);
    }
    if (!/^[0-9a-fA-F]$/u.test(current(cursor))) {
      return refuse(cursor, 'invalid hexadecimal digit', { span: spanHere(cursor) });
    }
    digits += current(cursor);
  }
  advanceAndSkip(cursor);
  return { digits, fixed: true, span: spanFrom(cursor, start) };
}

function readBracedHex(cursor: Cursor): Hex | undefined {
  const brace = cursor.at;
  let digits = '';
  while (advanceAndSkip(cursor) && current(cursor) !== '}') {
    if (!/^[0-9a-fA-F]$/u.test(current(cursor))) {
      return refuse(cursor, 'invalid hexadecimal digit', { span: spanHere(cursor) });
    }
    digits += current(cursor);
  }
  if (atEnd(cursor)) {
    return refuse(cursor, 'incomplete escape sequence, reached end of pattern prematurely', {
      span: spanFrom(cursor, brace),
    });
  }
  const span = spanFrom(cursor, brace + 1);
  advanceAndSkip(cursor);
  if (digits === '') {
    return refuse(cursor, 'hexadecimal literal empty', { span: spanFrom(cursor, brace) });
  }
  return { digits: digits.replace(/^0+(?=.)/u, ''), fixed: false, span };
}

function readProperty(cursor: Cursor, start: number): Escape | undefined {
  const negated = current(cursor) === 'P';
  if (!advanceAndSkip(cursor)) {
    return refuseEnd(cursor);
  }
  let name = current(cursor);
  if (name === '{') {
    name = '';
    while (advanceAndSkip(cursor) && current(cursor) !== '}') {
      name += current(cursor);
    }
    if (atEnd(cursor)) {
      return refuseEnd(cursor);
    }
    advance(cursor);
  } else if (name === '\\') {
    return refuse(cursor, 'invalid Unicode character class', { span: spanHere(cursor) });
  } else {
    advanceAndSkip(cursor);
  }
  const span = spanFrom(cursor, start);
  return { kind: 'class', class: { kind: 'property', name, negated, span }, span };
}

function refuseEnd(cursor: Cursor): undefined {
  return refuse(cursor, 'incomplete escape sequence, reached end of pattern prematurely', {
    span: spanFrom(cursor, cursor.at),
  });
}
