import type { IpLiteral, IpRangeItem, IntLiteral, IntRangeItem } from '../language/ast.ts';
import { parseIpSetItem } from '../values/ip-set-item.ts';
import { INVALID_ADDRESS, parseIpAddress } from '../../data/index.ts';
import { LARGEST_INT, LEAST_INT } from '../values/value.ts';
import { ADDRESS_CHARACTERS, runEnd, HEX_DIGITS, expectedName, fail, spanFrom, at } from './reader.ts';
import type { Reader } from './reader.ts';

/** Reads one address: the longest run of address characters, in strict form (1.3). */
export function readAddress(reader: Reader): IpLiteral | undefined {
  const start = reader.position;
  const text = readRun(reader);
  if (text === undefined) {
    return undefined;
  }
  const value = parseIpAddress(text);
  if (value === undefined) {
    return fail(reader, { kind: 'ParseNetwork', message: INVALID_ADDRESS, start, end: reader.position });
  }
  return { kind: 'ip', value, text, span: spanFrom(reader, start) };
}

/** Reads an item of a set of addresses: an address, a network, a range. */
export function readAddressRange(reader: Reader): IpRangeItem | undefined {
  const start = reader.position;
  const text = readRun(reader);
  if (text === undefined) {
    return undefined;
  }
  const result = parseIpSetItem(text);
  if (!result.ok) {
    const { kind, message } = result.error;
    return fail(reader, { kind, message, start: start + result.error.start, end: start + result.error.end });
  }
  return { kind: 'ip-range', range: result.range, text, span: spanFrom(reader, start) };
}

function readRun(reader: Reader): string | undefined {
  const start = reader.position;
  const end = runEnd(ADDRESS_CHARACTERS, reader.bytes, start);
  if (end === start) {
    return expectedName(reader, 'IP address character');
  }
  reader.position = end;
  return reader.bytes.slice(start, end);
}

/** Reads an integer: `0x1f`, `010` (octal), `-42`. All hex digits are consumed before they are checked (1.3). */
export function readInteger(reader: Reader): IntLiteral | undefined {
  const start = reader.position;
  if (at(reader, '0x')) {
    reader.position += 2;
    return readDigits(reader, { start, from: start + 2, radix: 16 });
  }
  if (at(reader, '0')) {
    return readDigits(reader, { start, from: start, radix: 8 });
  }
  if (at(reader, '-')) {
    reader.position += 1;
  }
  return readDigits(reader, { start, from: start, radix: 10 });
}

/** Reads an item of a set of integers: `5` or `5..9`. */
export function readIntegerRange(reader: Reader): IntRangeItem | undefined {
  const start = reader.position;
  const first = readInteger(reader);
  if (first === undefined) {
    return undefined;
  }
  let last = first;
  if (at(reader, '..')) {
    reader.position += 2;
    const bound = readInteger(reader);
    if (bound === undefined) {
      return undefined;
    }
    last = bound;
  }
  if (last.value < first.value) {
    const message = 'incompatible range bounds';
    return fail(reader, { kind: 'IncompatibleRangeBounds', message, start, end: reader.position });
  }
  const text = reader.bytes.slice(start, reader.position);
  return { kind: 'int-range', first: first.value, last: last.value, text, span: spanFrom(reader, start) };
}

interface Digits {
  /** Where the literal starts. */
  readonly start: number;
  /** Where the text to convert starts: the sign belongs to it, `0x` does not. */
  readonly from: number;
  readonly radix: 8 | 10 | 16;
}

function readDigits(reader: Reader, { start, from, radix }: Digits): IntLiteral | undefined {
  const end = runEnd(HEX_DIGITS, reader.bytes, reader.position);
  if (end === reader.position) {
    return expectedName(reader, 'digit');
  }
  reader.position = end;
  const converted = convert(reader.bytes.slice(from, end), radix);
  if (typeof converted === 'string') {
    const message = `${converted} while parsing with radix ${radix}`;
    return fail(reader, { kind: 'ParseInt', message, start: from, end });
  }
  return {
    kind: 'int',
    value: converted,
    text: reader.bytes.slice(start, end),
    span: spanFrom(reader, start),
  };
}

const WRONG_DIGIT = { 8: /[^0-7]/u, 10: /[^0-9]/u, 16: /[^0-9a-fA-F]/u } as const;
const PREFIX = { 8: '0o', 10: '', 16: '0x' } as const;

/** The number of decimal digits that a JavaScript number always holds exactly. */
const EXACT_DIGITS = 15;

/**
 * Converts digits to a value, or returns the engine's message. The engine goes from left to right and reports what comes first, a wrong
 * digit or an overflow.
 */
function convert(text: string, radix: 8 | 10 | 16): bigint | string {
  if (radix === 10 && text.length <= EXACT_DIGITS && /^[0-9]+$/.test(text)) {
    return BigInt(Number(text));
  }
  const negative = text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  const wrong = digits.search(WRONG_DIGIT[radix]);
  const sound = wrong === -1 ? digits : digits.slice(0, wrong);
  const magnitude = sound === '' ? 0n : BigInt(PREFIX[radix] + sound);
  if (negative && -magnitude < LEAST_INT) {
    return 'number too small to fit in target type';
  }
  if (!negative && magnitude > LARGEST_INT) {
    return 'number too large to fit in target type';
  }
  if (wrong !== -1) {
    return 'invalid digit found in string';
  }
  return negative ? -magnitude : magnitude;
}
