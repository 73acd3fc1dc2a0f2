import { ADDRESS_BITS, formatIpAddress, parseIpAddress } from '../data/index.ts';
import { showBytes } from '../expression/index.ts';
import { shortened } from '../text/index.ts';

/** What stands for a part of a path that may name or identify somebody. */
export const REDACTED = '*';

/** The most characters of a path, a user agent or a country that are kept. */
const LONGEST = 120;

/**
 * A segment that is an identifier, a token or a mail address: with an `@` or a `=`, of many digits, hexadecimal, long and of mixed letters and
 * digits, or an address. Words with dashes, versions and dates stay.
 */
const TELLING = new RegExp(
  [
    '[@=]|%(?:25)*(?:40|3d)|^eyj',
    String.raw`\d{5,}|^(?=(?:\D*\d){9})(?:[\d+().-]|%20)+$`,
    String.raw`^[\da-f]{8,}$|^[\da-f]{8}-[\da-f]{4}-`,
    String.raw`^(?=\D*\d)(?=.*[a-z])[\w~-]{16,}$|^[\w-]{32,}$|[\w-]{16,}\.[\w-]{16,}`,
    String.raw`^\d{1,3}(?:\.\d{1,3}){3}$|^[\da-f]*(?:(?::|%3a)[\da-f]*){2,}$`,
  ].join('|'),
  'iu',
);

/** A longer segment is no word, and looking at it would take long. */
const LONGEST_SEGMENT = LONGEST;

/** Returns a path without what may be a secret or identify somebody; the query is left out. */
export function redactPath(path: string): string {
  const [bare = ''] = path.split(/[?#;]/u, 1);
  const shown = showBytes(bare)
    .split('/')
    .map((segment) => (segment.length > LONGEST_SEGMENT || TELLING.test(segment) ? REDACTED : segment))
    .join('/');
  return printable(shown);
}

/** Returns a user agent as what it calls itself; the details of a browser are cut off. */
export function redactAgent(agent: string): string {
  const shown = printable(showBytes(agent));
  return shown.replaceAll(/[\w.+-]+@[\w.-]+/gu, REDACTED);
}

/** How many bits of an address may be told. */
const TOLD_BITS = { 4: 24, 6: 48 } as const;

/** Returns the network of an address: of IPv4 the first 24 bits, of IPv6 the first 48; empty for a text that is no address. */
export function networkOf(text: string): string {
  const address = parseIpAddress(text);
  if (address === undefined) {
    return '';
  }
  const { family, value } = address;
  const hidden = BigInt(ADDRESS_BITS[family] - TOLD_BITS[family]);
  const network = formatIpAddress({ family, value: (value >> hidden) << hidden });
  return `${network}/${TOLD_BITS[family]}`;
}

/** Returns a text on one line, without characters that a terminal would obey, and not too long. */
export function printable(text: string): string {
  return shortened(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '�'), LONGEST);
}
