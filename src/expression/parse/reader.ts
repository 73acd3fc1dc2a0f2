import type { Argument, Span } from '../language/ast.ts';
import type { ParseFailure, ParseReading } from '../language/parse-error.ts';
import type { ParseErrorKind } from '../language/parse-error-kind.ts';
import type { Scheme } from '../language/catalogue.ts';

/** The settings of a parser; the defaults are those of the service. */
export interface ParserSettings {
  readonly scheme: Scheme;
  /** How deep parentheses, `not`, `any`/`all` and calls may nest; 128 (`rules-language.md` 4). */
  readonly maximumDepth: number;
  /** Whether the right side of `eq`, `lt` and so on may be a field or a call (`rules-language.md` 10). */
  readonly fieldsOnTheRight: boolean;
  /** The maximum number of stars of a wildcard; a setting of the host, unlimited by default. */
  readonly wildcardStars: number;
  /** The maximum size of a compiled regular expression in bytes. */
  readonly regexSize: number;
}

/**
 * The state of a parse. Each `read...` function either moves `position` past what it read and returns that, or leaves a `failure` and
 * returns undefined; it never throws.
 */
export interface Reader {
  /** The text up to its trimmed end, one char per byte. */
  readonly bytes: string;
  readonly settings: ParserSettings;
  /** Reads an argument. Passed here because arguments contain conditions, which contain operands, which contain arguments. */
  readonly readArgument: (reader: Reader) => Argument | undefined;
  position: number;
  depth: number;
  failure: ParseFailure | undefined;
  /** The failures recorded so far by a parse that goes on after them; undefined when it stops at the first. */
  collected: ParseFailure[] | undefined;
}

/** What failed and where; without `end`, the failure spans the rest of the text. */
export interface FailureAt {
  readonly kind: ParseErrorKind;
  readonly message: string;
  readonly start: number;
  readonly end?: number;
}

/** Leaves a failure; returns undefined for the caller to return. */
export function fail(reader: Reader, at: FailureAt): undefined {
  const span = { start: at.start, end: at.end ?? reader.bytes.length };
  reader.failure = { kind: at.kind, message: at.message, span };
  return undefined;
}

/** Adds to the current failure what was being read, unless an inner part has already done so. */
export function failedIn(reader: Reader, reading: ParseReading): undefined {
  if (reader.failure !== undefined) {
    reader.failure = { reading, ...reader.failure };
  }
  return undefined;
}

/** Leaves an ExpectedName failure over the rest of the text. */
export function expectedName(reader: Reader, name: string): undefined {
  return fail(reader, { kind: 'ExpectedName', message: `expected ${name}`, start: reader.position });
}

/** Leaves an ExpectedLiteral failure over the rest of the text. */
export function expectedLiteral(reader: Reader, literal: string): undefined {
  const message = `expected literal ${JSON.stringify(literal)}`;
  return fail(reader, { kind: 'ExpectedLiteral', message, start: reader.position });
}

/** Whether the text continues with `literal`. */
export function at(reader: Reader, literal: string): boolean {
  return goesOn(reader.bytes, reader.position, literal);
}

/** Whether `literal` stands at a position. Literals are short: comparing their characters is faster than starting a search. */
export function goesOn(bytes: string, position: number, literal: string): boolean {
  for (let index = 0; index < literal.length; index += 1) {
    if (bytes.charCodeAt(position + index) !== literal.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}

/** Moves past `literal`; false (with a failure) when the text does not continue with it. */
export function readLiteral(reader: Reader, literal: string): boolean {
  if (at(reader, literal)) {
    reader.position += literal.length;
    return true;
  }
  expectedLiteral(reader, literal);
  return false;
}

/** Returns the position after the white space that may stand between tokens: space, CR and LF, but not TAB (1.1). */
export function afterSpace(bytes: string, position: number): number {
  let next = position;
  for (let code = bytes.charCodeAt(next); code === 0x20 || code === 0x0a || code === 0x0d;) {
    next += 1;
    code = bytes.charCodeAt(next);
  }
  return next;
}

/** Moves past white space. */
export function skipSpace(reader: Reader): void {
  reader.position = afterSpace(reader.bytes, reader.position);
}

/** Enters one more level of nesting; false (with a failure from `start` on) when that is too deep. The caller leaves the level again. */
export function descend(reader: Reader, start: number): boolean {
  const limit = reader.settings.maximumDepth;
  if (reader.depth >= limit) {
    const message = `maximum nesting depth exceeded (limit: ${limit})`;
    fail(reader, { kind: 'NestingLimitExceeded', message, start });
    return false;
  }
  reader.depth += 1;
  return true;
}

/** Returns the span from `start` to the reader's position. */
export function spanFrom(reader: Reader, start: number): Span {
  return { start, end: reader.position };
}

/** A set of bytes: 1 at the index of each byte in it. */
export type CharacterSet = Readonly<Uint8Array>;

function characterSet(characters: string): CharacterSet {
  const set = new Uint8Array(256);
  for (const character of characters) {
    set[character.charCodeAt(0)] = 1;
  }
  return set;
}

const DIGITS = '0123456789';
const SMALL_LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The characters that are read as a number; whether its radix has them is checked afterwards. */
export const HEX_DIGITS = characterSet(`${DIGITS}abcdefABCDEF`);
/** The characters of addresses, networks and ranges of addresses. */
export const ADDRESS_CHARACTERS = characterSet(`${DIGITS}abcdefABCDEF:./`);
/** The characters of the parts of field and function names. */
export const NAME_CHARACTERS = characterSet(`${DIGITS}_${SMALL_LETTERS}${SMALL_LETTERS.toUpperCase()}`);
/** The characters of list names. */
export const LIST_CHARACTERS = characterSet(`${DIGITS}_.${SMALL_LETTERS}`);

/** Returns the end of the longest run of characters of a set at a position; the position itself when there is none. */
export function runEnd(set: CharacterSet, bytes: string, position: number): number {
  let end = position;
  while (end < bytes.length && set[bytes.charCodeAt(end)] === 1) {
    end += 1;
  }
  return end;
}
