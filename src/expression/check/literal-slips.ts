import type { ParseError } from '../language/parse-error.ts';
import { formatIpAddress, parseIpAddress } from '../values/ip.ts';
import { networkRange } from '../values/ip-set-item.ts';
import type { Recogniser, Slip } from './slip.ts';

/** Matches the service's messages for a place where a number was expected. */
const WANTED_NUMBER = /^expected digit$|radix (?:8|10)$/u;

function range({ kind, span }: ParseError, bytes: string): Slip | undefined {
  if (kind !== 'IncompatibleRangeBounds') {
    return undefined;
  }
  const [first = '', last = ''] = bytes.slice(span.start, span.end).split('..');
  return first.includes(':') === last.includes(':')
    ? {
        code: 'expression/reversed-range',
        hint: `ranges go from the smaller to the larger: ${last}..${first}`,
      }
    : { code: 'expression/type', hint: 'both ends of a range are IPv4, or both IPv6' };
}

/** Longer literals are not typing mistakes, and the search for their start takes time quadratic in their length. */
const MOST_LETTERS = 100;

function hyphenRange({ message, span }: ParseError, bytes: string): Slip | undefined {
  if (message !== 'expected IP address character') {
    return undefined;
  }
  const [, first = ''] = /([0-9a-f:.]+)$/iu.exec(justBefore(bytes, span.start)) ?? [];
  const [, last] = /^-([0-9a-f:.]+)/iu.exec(bytes.slice(span.start)) ?? [];
  return last === undefined
    ? undefined
    : { code: 'expression/syntax', hint: `ranges have two dots: ${first}..${last}` };
}

function justBefore(bytes: string, at: number): string {
  return bytes.slice(Math.max(0, at - MOST_LETTERS), at);
}

function hostBits({ message, span }: ParseError, bytes: string): Slip | undefined {
  const [, text = '', length] = /^([0-9a-f:.]+)\/(\d{1,3})/iu.exec(bytes.slice(span.start)) ?? [];
  const address = parseIpAddress(text);
  if (message !== 'host part of address was not zero' || address === undefined) {
    return undefined;
  }
  const { family, first } = networkRange(address, Number(length));
  const network = `${formatIpAddress({ family, value: first })}/${Number(length)}`;
  return { code: 'expression/syntax', hint: `the network is ${network}, the address alone ${text}` };
}

/** Hints on the form of an address or of a network's length, by the service's message for an invalid one. */
const ADDRESS_FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /^couldn't parse address/u,
    'an IPv4 address is four numbers from 0 to 255, such as 192.0.2.1; an IPv6 address has colons, such as 2001:db8::1',
  ],
  [/^couldn't parse length/u, 'after the slash comes a number of bits, such as 192.0.2.0/24'],
  [/too long for Ipv4/u, 'the number after the slash is at most 32; an address alone has no slash'],
  [/too long for Ipv6/u, 'the number after the slash is at most 128; an address alone has no slash'],
];

function addressForm({ kind, message, span }: ParseError, bytes: string): Slip | undefined {
  const [, hint] = ADDRESS_FORMS.find(([pattern]) => kind === 'ParseNetwork' && pattern.test(message)) ?? [];
  // Of a word that begins with hexadecimal letters, the parser takes these letters for an address.
  const isWord = /^[a-f]+$/iu.test(bytes.slice(span.start, span.end));
  return hint === undefined || isWord ? undefined : { code: 'expression/syntax', hint };
}

function number({ message, span }: ParseError, bytes: string): Slip | undefined {
  if (!WANTED_NUMBER.test(message)) {
    return undefined;
  }
  const rest = bytes.slice(span.start);
  if (/^(?:\.\d+){3}|^[0-9a-f]*:[0-9a-f:]/iu.test(rest)) {
    return {
      code: 'expression/type',
      hint: 'a number is compared here; addresses are compared with ip.src',
    };
  }
  const [whole = '', quote = '', as, digits = ''] = /^("?)(AS)?(\d+)\1/iu.exec(rest) ?? [];
  if (digits === '' || (quote === '' && as === undefined)) {
    return undefined;
  }
  const hint = as === undefined ? 'numbers are written without quotes' : 'AS numbers are written as numbers';
  const fix = { span: { start: span.start, end: span.start + whole.length }, replacement: digits };
  // After the fix, a word directly behind the number would merge with it.
  const isApart = /^(?![0-9a-z"])/iu.test(rest.slice(whole.length));
  return { code: 'expression/syntax', hint: `${hint}: ${digits}`, ...(isApart ? { fix } : {}) };
}

function stringRange({ span }: ParseError, bytes: string): Slip | undefined {
  return bytes.startsWith('..', span.start) && bytes.charAt(span.start - 1) === '"'
    ? { code: 'expression/syntax', hint: 'ranges are of numbers or addresses, not of strings' }
    : undefined;
}

function listName({ kind, span }: ParseError, bytes: string): Slip | undefined {
  const cut = /\$[a-z0-9_.]*$/u.test(bytes.slice(0, span.start)) && /^[^\s)]/u.test(bytes.slice(span.start));
  return kind === 'InvalidListName' || (kind === 'EOF' && cut)
    ? { code: 'expression/syntax', hint: 'names of lists have lower-case letters, digits and underscores' }
    : undefined;
}

/** Slips in the right side of a comparison: numbers, strings, addresses, ranges, sets, lists (`rules-language.md` 1.3). */
export const LITERAL_SLIPS: readonly Recogniser[] = [
  range,
  hyphenRange,
  hostBits,
  addressForm,
  number,
  stringRange,
  listName,
];
