import { formatIpAddress } from '../../data/index.ts';
import { isInt, isIp } from '../values/value.ts';
import { compileSearch } from '../regex/compile-regex.ts';
import { compileCapture, parseWildcard } from '../values/wildcard.ts';
import { encodeBytes } from '../values/bytes.ts';
import { ofTwoBytes, plain } from './function.ts';
import type { FunctionBuilder, BuiltFunction } from './function.ts';

/** Returns an integer in decimal, `true` or `false`, or the canonical text of an address. */
export const toText: FunctionBuilder = plain(([value]) => {
  if (isIp(value)) {
    return formatIpAddress(value);
  }
  return isInt(value) || typeof value === 'boolean' ? String(value) : undefined;
});

/**
 * Returns the bytes from `start` to before `end`, negative positions counted from the end. Out-of-range positions are not documented; here
 * they are moved to the nearest end.
 */
export const substring: FunctionBuilder = plain((args) => {
  const [bytes, start, end] = args;
  if (typeof bytes !== 'string' || !isInt(start) || (args.length > 2 && !isInt(end))) {
    return undefined;
  }
  return bytes.slice(Number(start), isInt(end) ? Number(end) : bytes.length);
});

/** Removes every byte that occurs in the second argument. */
export const removeBytes: FunctionBuilder = ofTwoBytes((bytes, removed) =>
  Array.from(bytes)
    .filter((byte) => !removed.includes(byte))
    .join(''),
);

/** Drops the parameters of the given names from a query string; the order of the rest is kept. */
export const removeQueryArgs: FunctionBuilder = plain(([query, ...names]) => {
  if (typeof query !== 'string') {
    return undefined;
  }
  return query
    .split('&')
    .filter((parameter) => !names.includes(parameter.split('=', 1)[0]))
    .join('&');
});

/**
 * Replaces the first match of a regular expression; without a match the source is returned unchanged. `${1}` to `${8}` stand for the
 * groups, `$$` for a dollar sign (functions.json).
 */
export const regexReplace: FunctionBuilder = ({ literals: [, pattern, replacement] }) => {
  if (typeof pattern !== 'string' || typeof replacement !== 'string') {
    return NOT_LITERAL;
  }
  const search = compileSearch(pattern);
  if (!search.ok) {
    return { ok: false, reason: `regular expression: ${search.reason}` };
  }
  return onBytes((source) => {
    const match = search.find(source);
    return match === undefined
      ? source
      : source.slice(0, match.start) + fillIn(replacement, match.groups) + source.slice(match.end);
  });
};

/**
 * Replaces a value that a wildcard pattern covers; any other value is returned unchanged. `${1}` to `${8}` stand for what the stars cover,
 * `$$` for a dollar sign; with the flag `s` letters are compared exactly (functions.json).
 */
export const wildcardReplace: FunctionBuilder = ({ literals: [, pattern, replacement, flags] }) => {
  if (typeof pattern !== 'string' || typeof replacement !== 'string') {
    return NOT_LITERAL;
  }
  const wildcard = parseWildcard(pattern);
  if (!wildcard.ok) {
    return { ok: false, reason: wildcard.message };
  }
  const capture = compileCapture(wildcard.pattern, flags === 's' ? 'exact' : 'fold');
  return onBytes((source) => {
    const captures = capture(source);
    return captures === undefined ? source : fillIn(replacement, captures);
  });
};

const NOT_LITERAL: BuiltFunction = { ok: false, reason: 'the pattern and the replacement must be literals' };

function onBytes(apply: (source: string) => string): BuiltFunction {
  return { ok: true, apply: ([source]) => (typeof source === 'string' ? apply(source) : undefined) };
}

/** Fills in the references of a replacement; a group that took no part in the match is empty. */
function fillIn(replacement: string, groups: readonly (string | undefined)[]): string {
  return replacement.replaceAll(/\$(?:\$|\{([1-8])\})/gu, (written, number: string | undefined) =>
    number === undefined ? written.slice(1) : (groups[Number(number) - 1] ?? ''),
  );
}

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
