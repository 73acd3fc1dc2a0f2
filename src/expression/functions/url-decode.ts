import { encodeBytes } from '../values/bytes.ts';
import { plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';

/**
 * Decodes `%HH` and `+`; with the option `u` also `%uXXXX`, as UTF-8; with `r` repeatedly until nothing changes (functions.json). Malformed
 * escapes are kept; the service does not document them.
 */
export const urlDecode: FunctionBuilder = plain(([bytes, options]) => {
  if (typeof bytes !== 'string') {
    return undefined;
  }
  const wanted = typeof options === 'string' ? options : '';
  const unicode = wanted.includes('u');
  return wanted.includes('r') ? decodeRepeatedly(bytes, unicode) : decodeUrl(bytes, { unicode });
});

const ESCAPE = /\+|%[0-9a-fA-F]{2}/gu;
const UNICODE_ESCAPE =
  /\+|%[0-9a-fA-F]{2}|%u[dD][89abAB][0-9a-fA-F]{2}%u[dD][c-fC-F][0-9a-fA-F]{2}|%u[0-9a-fA-F]{4}/gu;
const ESCAPE_AT_END = /(?:\+|%[0-9a-fA-F]{2})$/u;
const UNICODE_ESCAPE_AT_END =
  /(?:\+|%[0-9a-fA-F]{2}|%u[dD][89abAB][0-9a-fA-F]{2}%u[dD][c-fC-F][0-9a-fA-F]{2}|%u(?![dD][89a-fA-F])[0-9a-fA-F]{4})$/u;

/** Decodes once, from left to right. `keepPlus` leaves `+` alone. */
export function decodeUrl(
  bytes: string,
  { unicode = false, keepPlus = false }: { readonly unicode?: boolean; readonly keepPlus?: boolean },
): string {
  return bytes.replaceAll(unicode ? UNICODE_ESCAPE : ESCAPE, (escape) =>
    keepPlus && escape === '+' ? escape : decodeEscape(escape),
  );
}

/**
 * Decodes until nothing changes, in one pass: an escape is decoded as soon as its last byte is there, and the result may complete another
 * escape. No two escapes overlap, so the order does not matter; repeated passes would take quadratic time.
 */
function decodeRepeatedly(bytes: string, unicode: boolean): string {
  const pattern = unicode ? UNICODE_ESCAPE_AT_END : ESCAPE_AT_END;
  const longest = unicode ? 12 : 3;
  const decoded: string[] = [];
  for (const byte of bytes) {
    decoded.push(byte);
    for (;;) {
      const escape = pattern.exec(decoded.slice(-longest).join(''))?.[0];
      const meant = escape === undefined ? undefined : decodeEscape(escape);
      if (escape === undefined || meant === undefined || meant === escape) {
        break;
      }
      decoded.length -= escape.length;
      decoded.push(...Array.from(meant));
    }
  }
  return decoded.join('');
}

function decodeEscape(escape: string): string {
  if (escape === '+') {
    return ' ';
  }
  if (!escape.startsWith('%u')) {
    return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  }
  const units = escape.split('%u').slice(1);
  const text = String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
  // Half of a surrogate pair has no encoding.
  return /\p{Surrogate}/u.test(text) ? escape : encodeBytes(text);
}
