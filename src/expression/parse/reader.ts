import type { Argument, Span } from '../language/ast.ts';
import type { Failure, Reading } from '../language/parse-error.ts';
import type { ParseErrorKind } from '../language/parse-error-kind.ts';
import type { Scheme } from '../language/scheme.ts';

/** What a parser may be told; the defaults are those of the service. */
export interface ParserSettings {
  readonly scheme: Scheme;
  /** How deep parentheses, `not`, `any`/`all` and calls may nest; 128 (`rules-language.md` 4). */
  readonly maximumDepth: number;
  /** Whether the right side of `eq`, `lt` and so on may be a field or a call (`rules-language.md` 10). */
  readonly fieldsOnTheRight: boolean;
  /** Most stars of a wildcard; a setting of the host, unlimited by default. */
  readonly wildcardStars: number;
  /** Most bytes of a compiled regular expression. */
  readonly regexSize: number;
}

/**
 * Where a parse stands. Each `read...` function either moves `position` behind what it read and returns it, or leaves a
 * `failure` and returns undefined; it never throws.
 */
export interface Reader {
  /** The text up to its trimmed end, one char per byte. */
  readonly bytes: string;
  readonly settings: ParserSettings;
  /** Reads an argument; stands here because arguments hold conditions, which hold operands, which hold arguments. */
  readonly readArgument: (reader: Reader) => Argument | undefined;
  position: number;
  depth: number;
  failure: Failure | undefined;
  /** Failures put aside, when the parse goes on after them; undefined when it stops at the first. */
  collected: Failure[] | undefined;
}

/** What failed and where; without `end`, the rest of the text is in question. */
export interface FailureAt {
  readonly kind: ParseErrorKind;
  readonly message: string;
  readonly start: number;
  readonly end?: number;
}

/** Leaves a failure; returns undefined for the caller to hand on. */
export function fail(reader: Reader, at: FailureAt): undefined {
  const span = { start: at.start, end: at.end ?? reader.bytes.length };
  reader.failure = { kind: at.kind, message: at.message, span };
  return undefined;
}

/** Says of the failure that is left what was being read; what was said of an inner part stays. */
export function failedIn(reader: Reader, reading: Reading): undefined {
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

/** Whether the text goes on with `literal`. */
export function at(reader: Reader, literal: string): boolean {
  return goesOn(reader.bytes, reader.position, literal);
}

/** Whether `literal` stands at a position. Literals are short: their characters are told apart faster than a search starts. */
export function goesOn(bytes: string, position: number, literal: string): boolean {
  for (let index = 0; index < literal.length; index += 1) {
    if (bytes.charCodeAt(position + index) !== literal.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}

/** Moves over `literal`; false (with a failure) when the text does not go on with it. */
export function readLiteral(reader: Reader, literal: string): boolean {
  if (at(reader, literal)) {
    reader.position += literal.length;
    return true;
  }
  expectedLiteral(reader, literal);
  return false;
}

/** The position after the white space that may stand between tokens: space, CR, LF; a TAB is none (1.1). */
export function afterSpace(bytes: string, position: number): number {
  let next = position;
  for (let code = bytes.charCodeAt(next); code === 0x20 || code === 0x0a || code === 0x0d;) {
    next += 1;
    code = bytes.charCodeAt(next);
  }
  return next;
}

/** Moves over white space. */
export function skipSpace(reader: Reader): void {
  reader.position = afterSpace(reader.bytes, reader.position);
}

/** Goes one level deeper; false (with a failure from `start` on) when that is too deep. The caller goes up again. */
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

/** The span from `start` to where the reader stands. */
export function spanFrom(reader: Reader, start: number): Span {
  return { start, end: reader.position };
}
