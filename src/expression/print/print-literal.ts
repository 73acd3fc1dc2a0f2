import type { IpRangeItem, RegexLiteral } from '../language/ast.ts';
import { decodeBytes } from '../values/bytes.ts';
import { ADDRESS_BITS, formatIpAddress } from '../../data/index.ts';
import type { IpRange } from '../../data/index.ts';

const MOST_HASHES = 255;

/**
 * Returns a string or a wildcard pattern as a literal, whatever form it was written in: quoted when it needs no escape, else raw with the
 * fewest `#`, else quoted with escapes (6.4).
 */
export function printBytes(value: string): string {
  const bare = isBare(value);
  if (bare && !value.includes('"') && !value.includes('\\')) {
    return `"${value}"`;
  }
  return (bare ? printRaw(value) : undefined) ?? printQuoted(value);
}

/** Returns a string as a quoted literal, with escapes where needed: the only form that keys take. */
export function printQuoted(value: string): string {
  const isText = decodeBytes(value) !== undefined;
  let text = '';
  for (const char of value) {
    const code = char.charCodeAt(0);
    if (char === '"' || char === '\\') {
      text += `\\${char}`;
    } else {
      text += isControl(code) || (code > 0x7f && !isText) ? `\\x${code.toString(16).padStart(2, '0')}` : char;
    }
  }
  return `"${text}"`;
}

/** Whether a string needs no escapes in a literal, apart from quotes and backslashes: it is UTF-8 without control characters. */
function isBare(value: string): boolean {
  for (const char of value) {
    if (isControl(char.charCodeAt(0))) {
      return false;
    }
  }
  return decodeBytes(value) !== undefined;
}

function isControl(code: number): boolean {
  return code < 0x20 || code === 0x7f;
}

/** Returns a regular expression as a literal: always raw, because the escaping of the quoted form is a trap (6.4). */
export function printRegex({ pattern, text }: RegexLiteral): string {
  return printRaw(pattern) ?? text;
}

/** Returns a range as an address or a network where it is one, else as `first..last`. */
export function printIpRange({ range }: Pick<IpRangeItem, 'range'>): string {
  const first = formatIpAddress({ family: range.family, value: range.first });
  if (range.first === range.last) {
    return first;
  }
  const bits = networkBits(range);
  return bits === undefined
    ? `${first}..${formatIpAddress({ family: range.family, value: range.last })}`
    : `${first}/${bits}`;
}

export function printIntRange({ first, last }: { readonly first: bigint; readonly last: bigint }): string {
  return first === last ? String(first) : `${first}..${last}`;
}

/** Returns the value as a raw string; undefined when that would take too many `#`. */
export function printRaw(value: string): string | undefined {
  let hashes = -1;
  for (const [run] of value.matchAll(/"#*/g)) {
    hashes = Math.max(hashes, run.length - 1);
  }
  const marks = '#'.repeat(hashes + 1);
  return marks.length > MOST_HASHES ? undefined : `r${marks}"${value}"${marks}`;
}

/** Returns the length of the network that is exactly this range; undefined when there is none. */
function networkBits({ family, first, last }: IpRange): number | undefined {
  const size = last - first + 1n;
  const isPower = (size & (size - 1n)) === 0n;
  return isPower && first % size === 0n ? ADDRESS_BITS[family] - (size.toString(2).length - 1) : undefined;
}
