import { showBytes } from '../expression/index.ts';
import { shortened } from '../text/index.ts';

/** What stands for a part of a path that may name or identify somebody. */
export const REDACTED = '*';

/** The most characters of a path, a user agent or a country that are kept. */
const LONGEST = 120;

/**
 * A segment that is an identifier, a token or a mail address: with an `@`, of many digits, hexadecimal, or long and of mixed letters and digits.
 * Words with dashes, versions and dates stay.
 */
const TELLING =
  /@|%40|\d{5,}|^[\da-f]{8,}$|^[\da-f]{8}-[\da-f]{4}-|^(?=\D*\d)(?=.*[a-z])[\w~-]{16,}$|^[\w-]{32,}$|[\w-]{16,}\.[\w-]{16,}/iu;

/** Returns a path without what may be a secret or identify somebody; the query is left out. */
export function redactPath(path: string): string {
  const [bare = ''] = path.split(/[?#;]/u, 1);
  const shown = showBytes(bare)
    .split('/')
    .map((segment) => (TELLING.test(segment) ? REDACTED : segment))
    .join('/');
  return printable(shown);
}

/** Returns a user agent as what it calls itself; the details of a browser are cut off. */
export function redactAgent(agent: string): string {
  const shown = printable(showBytes(agent));
  return shown.replaceAll(/[\w.+-]+@[\w.-]+/gu, REDACTED);
}

/** Returns the network of an address: of IPv4 the first three bytes, of IPv6 the first 48 bits; empty for a text that is no address. */
export function networkOf(address: string): string {
  const four = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/u.exec(address);
  if (four !== null) {
    return `${four[1] ?? ''}.0/24`;
  }
  if (!/^[\da-f:.]+$/iu.test(address) || !address.includes(':')) {
    return '';
  }
  const [head = ''] = address.split('::', 1);
  const groups = head.split(':').filter((group) => group !== '');
  const first = [...groups, '0', '0', '0']
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(':')}::/48`;
}

/** Returns a text on one line, without characters that a terminal would obey, and not too long. */
export function printable(text: string): string {
  return shortened(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '�'), LONGEST);
}
