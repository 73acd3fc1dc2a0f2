import { isUtf8 } from 'node:buffer';

/** The text of bytes, or the first byte that is not UTF-8 and its place. */
export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'not-utf8' } & OddByte);

/** A byte that is not UTF-8, with its line and column, from 1 and in UTF-16 units as editors count. */
export interface OddByte {
  readonly byte: number;
  /** Whether the bytes begin like UTF-16 text, which Windows PowerShell writes when no encoding is given. */
  readonly isUtf16: boolean;
  readonly line: number;
  readonly column: number;
}

const BYTE_ORDER_MARK = '\u{feff}';

/** Stands in a decoded text for bytes that are not UTF-8; a file may also contain it itself. */
const REPLACEMENT = '\u{fffd}';

/** Decodes bytes as UTF-8, guessing nothing; removes a byte order mark. */
export function decodeUtf8(bytes: Buffer): DecodedText {
  const decoded = bytes.toString('utf8');
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  return isUtf8(bytes)
    ? { kind: 'text', text }
    : {
        kind: 'not-utf8',
        isUtf16: UTF16_MARK.test(bytes.toString('latin1', 0, 2)),
        ...oddByte(bytes, decoded, text),
      };
}

/** The byte order mark of UTF-16, in either order, or a first Latin letter without a mark. */
const UTF16_MARK = /^(?:\xff\xfe|\xfe\xff|\0[^\0]|[^\0]\0)/u;

function oddByte(bytes: Buffer, decoded: string, text: string): Omit<OddByte, 'isUtf16'> {
  let offset = 0;
  let from = 0;
  for (let at = decoded.indexOf(REPLACEMENT); at !== -1; at = decoded.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(decoded.slice(from, at));
    if (bytes.toString('latin1', offset, offset + 3) !== '\u{ef}\u{bf}\u{bd}') {
      const before = text.slice(0, at - (decoded.length - text.length)).split('\n');
      return { byte: bytes[offset] ?? 0, line: before.length, column: (before.at(-1) ?? '').length + 1 };
    }
    offset += 3;
    from = at + 1;
  }
  throw new TypeError('bytes that are not UTF-8 decode without a replacement');
}

/** Describes the byte: `the byte 0xE9 is not UTF-8`. */
export function oddByteText({ byte, isUtf16 }: OddByte): string {
  return isUtf16
    ? 'it is UTF-16'
    : `the byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} is not UTF-8`;
}
