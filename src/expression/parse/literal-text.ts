import type { BytesForm, BytesLiteral } from '../language/ast.ts';
import { at, expectedName, fail, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const MOST_HASHES = 255;

/** Reads a string: quoted, raw, or bytes such as `61:62` (1.3). */
export function readBytes(reader: Reader): BytesLiteral | undefined {
  if (at(reader, '"') || at(reader, 'r')) {
    return readString(reader);
  }
  if (reader.position >= reader.bytes.length) {
    return unexpectedEnd(reader);
  }
  const start = reader.position;
  const value = readByteString(reader);
  return value === undefined ? undefined : literal(reader, { start, value, form: 'hex' });
}

/** Reads a quoted or a raw string, not bytes. */
export function readString(reader: Reader): BytesLiteral | undefined {
  const start = reader.position;
  if (at(reader, '"')) {
    const value = readQuoted(reader);
    return value === undefined ? undefined : literal(reader, { start, value, form: 'quoted' });
  }
  if (at(reader, 'r')) {
    const value = readRaw(reader);
    return value === undefined ? undefined : literal(reader, { start, value, form: 'raw' });
  }
  return start >= reader.bytes.length ? unexpectedEnd(reader) : expectedName(reader, '" or r');
}

/** Reads a raw string; the reader stands before the `r`. Surplus `#` at the end are not consumed (1.3). */
export function readRaw(reader: Reader): string | undefined {
  const { bytes } = reader;
  const start = reader.position + 1;
  const content = countHashes(bytes, start);
  const hashes = content - start;
  if (hashes > MOST_HASHES) {
    const message = "invalid raw string hash count, there can't be more than 255 #s";
    return fail(reader, { kind: 'InvalidRawStringHashCount', message, start });
  }
  if (bytes.charCodeAt(content) !== QUOTE) {
    reader.position = content;
    return expectedName(reader, '" or #');
  }
  for (let quote = bytes.indexOf('"', content + 1); quote !== -1;) {
    const end = countHashes(bytes, quote + 1);
    if (end - (quote + 1) >= hashes) {
      reader.position = quote + 1 + hashes;
      return bytes.slice(content + 1, quote);
    }
    quote = bytes.indexOf('"', end);
  }
  return missingQuote(reader, start);
}

/** Leaves a failure for a string without an end. */
export function missingQuote(reader: Reader, start: number): undefined {
  return fail(reader, { kind: 'MissingEndingQuote', message: 'could not find an ending quote', start });
}

/** Leaves a failure for a text that ends where a literal must start. */
export function unexpectedEnd(reader: Reader): undefined {
  return fail(reader, { kind: 'EOF', message: 'unrecognised input', start: reader.position });
}

function literal(
  reader: Reader,
  { start, value, form }: { readonly start: number; readonly value: string; readonly form: BytesForm },
): BytesLiteral {
  return {
    kind: 'bytes',
    value,
    form,
    text: reader.bytes.slice(start, reader.position),
    span: spanFrom(reader, start),
  };
}

function countHashes(bytes: string, from: number): number {
  let end = from;
  while (bytes.charCodeAt(end) === HASH) {
    end += 1;
  }
  return end;
}

function readQuoted(reader: Reader): string | undefined {
  const { bytes } = reader;
  const start = reader.position + 1;
  let value = '';
  let kept = start;
  for (let position = start; position < bytes.length;) {
    const code = bytes.charCodeAt(position);
    if (code === QUOTE) {
      reader.position = position + 1;
      return value + bytes.slice(kept, position);
    }
    if (code !== BACKSLASH) {
      position += 1;
      continue;
    }
    value += bytes.slice(kept, position);
    reader.position = position + 1;
    const escaped = reader.position >= bytes.length ? missingQuote(reader, start) : readEscape(reader);
    if (escaped === undefined) {
      return undefined;
    }
    value += escaped;
    position = reader.position;
    kept = position;
  }
  return missingQuote(reader, start);
}

function readEscape(reader: Reader): string | undefined {
  const { bytes, position } = reader;
  const first = bytes.charAt(position);
  if (first === '"' || first === '\\') {
    reader.position += 1;
    return first;
  }
  if (first === 'x') {
    reader.position += 1;
    return readByte(reader, { digits: 2, radix: 16 });
  }
  if (first >= '0' && first <= '7') {
    return readByte(reader, { digits: 3, radix: 8 });
  }
  const message = 'expected ", xHH or OOO after \\';
  return fail(reader, {
    kind: 'InvalidCharacterEscape',
    message,
    start: position,
    end: characterEnd(bytes, position),
  });
}

function readByteString(reader: Reader): string | undefined {
  const first = readByte(reader, { digits: 2, radix: 16 });
  const separator = first === undefined ? undefined : take(reader, 1);
  if (first === undefined || separator === undefined) {
    return undefined;
  }
  if (!isSeparator(separator)) {
    const start = reader.position - separator.length;
    const message = 'expected byte separator';
    return fail(reader, { kind: 'ExpectedName', message, start, end: reader.position });
  }
  let value = first;
  for (;;) {
    const next = readByte(reader, { digits: 2, radix: 16 });
    if (next === undefined) {
      return undefined;
    }
    value += next;
    if (!isSeparator(reader.bytes.charAt(reader.position))) {
      return value;
    }
    reader.position += 1;
  }
}

function isSeparator(character: string): boolean {
  return character === ':' || character === '-' || character === '.';
}

/** Reads a byte with the given number of digits. As in the engine, a plus may stand before the last hex digit. */
function readByte(
  reader: Reader,
  { digits, radix }: { readonly digits: 2 | 3; readonly radix: 8 | 16 },
): string | undefined {
  const start = reader.position;
  const text = take(reader, digits);
  if (text === undefined) {
    return undefined;
  }
  const sound = radix === 16 ? /^[0-9a-fA-F+][0-9a-fA-F]$/u.test(text) : /^[0-7]{3}$/u.test(text);
  const value = Number.parseInt(text, radix);
  if (!sound || value > 255) {
    const reason = sound ? 'number too large to fit in target type' : 'invalid digit found in string';
    const message = `${reason} while parsing with radix ${radix}`;
    return fail(reader, { kind: 'ParseInt', message, start, end: reader.position });
  }
  return String.fromCharCode(value);
}

/** Reads the given number of characters (not bytes). */
function take(reader: Reader, expected: number): string | undefined {
  const start = reader.position;
  let end = start;
  for (let actual = 0; actual < expected; actual += 1) {
    if (end >= reader.bytes.length) {
      const message = `expected ${expected} characters, but found ${actual}`;
      return fail(reader, { kind: 'CountMismatch', message, start });
    }
    end = characterEnd(reader.bytes, end);
  }
  reader.position = end;
  return reader.bytes.slice(start, end);
}

/** Returns the end of the UTF-8 character that starts at `position`. */
function characterEnd(bytes: string, position: number): number {
  let end = position + 1;
  while ((bytes.charCodeAt(end) & 0xc0) === 0x80) {
    end += 1;
  }
  return end;
}
