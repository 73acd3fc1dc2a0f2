import type { ParseError } from '../language/parse-error.ts';
import { parseIpSetItem, networkRange } from '../values/ip-set-item.ts';
import { parseIpAddress, formatIpAddress } from '../../data/index.ts';
import type { Code, Fix } from './check-finding.ts';

/** Matches the service's messages for a place where a number was expected. */
const WANTED_NUMBER = /^expected digit$|radix (?:8|10)$/u;

function range({ kind, span }: ParseError, bytes: string): LikelyMistake | undefined {
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

function hyphenRange({ message, span }: ParseError, bytes: string): LikelyMistake | undefined {
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

function hostBits({ message, span }: ParseError, bytes: string): LikelyMistake | undefined {
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

function addressForm({ kind, message, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const [, hint] = ADDRESS_FORMS.find(([pattern]) => kind === 'ParseNetwork' && pattern.test(message)) ?? [];
  // Of a word that begins with hexadecimal letters, the parser takes these letters for an address.
  const isWord = /^[a-f]+$/iu.test(bytes.slice(span.start, span.end));
  return hint === undefined || isWord ? undefined : { code: 'expression/syntax', hint };
}

function number({ message, span }: ParseError, bytes: string): LikelyMistake | undefined {
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

function stringRange({ span }: ParseError, bytes: string): LikelyMistake | undefined {
  return bytes.startsWith('..', span.start) && bytes.charAt(span.start - 1) === '"'
    ? { code: 'expression/syntax', hint: 'ranges are of numbers or addresses, not of strings' }
    : undefined;
}

function listName({ kind, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const cut = /\$[a-z0-9_.]*$/u.test(bytes.slice(0, span.start)) && /^[^\s)]/u.test(bytes.slice(span.start));
  return kind === 'InvalidListName' || (kind === 'EOF' && cut)
    ? { code: 'expression/syntax', hint: 'names of lists have lower-case letters, digits and underscores' }
    : undefined;
}

/** Slips in the right side of a comparison: numbers, strings, addresses, ranges, sets, lists (`rules-language.md` 1.3). */
const LITERAL_SLIPS: readonly Recogniser[] = [
  range,
  hyphenRange,
  hostBits,
  addressForm,
  number,
  stringRange,
  listName,
];

/** Returns the slip behind a parse error when it is a known one (`rules-language.md` 8). */
export function recogniseMistake(error: ParseError, bytes: string): LikelyMistake | undefined {
  for (const recognise of RECOGNISERS) {
    const mistake = recognise(error, bytes);
    if (mistake !== undefined) {
      return mistake;
    }
  }
  return undefined;
}

function tab({ span }: ParseError, bytes: string): LikelyMistake | undefined {
  const start = span.start + (/^[ \r\n]*/u.exec(bytes.slice(span.start))?.[0].length ?? 0);
  return bytes.charAt(start) === '\t'
    ? {
        code: 'expression/tab',
        message: 'there is a TAB here',
        fix: { span: { start, end: start + 1 }, replacement: ' ' },
      }
    : undefined;
}

/** What editors of HTML put in the place of operators and quotes. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#34;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
]);
const ENTITY = /&(?:amp|lt|gt|quot|nbsp|#34|#39);/gu;

function htmlEntity({ span }: ParseError, bytes: string): LikelyMistake | undefined {
  // The parser may have read the & as an operator.
  const from = bytes.charAt(span.start - 1) === '&' ? span.start - 1 : span.start;
  const [, space = '', written = ''] =
    /^(\s*)((?:&(?:amp|lt|gt|quot|nbsp|#34|#39);)+)/u.exec(bytes.slice(from)) ?? [];
  if (written === '') {
    return undefined;
  }
  const meant = written.replaceAll(ENTITY, (entity) => ENTITIES.get(entity) ?? '');
  const start = from + space.length;
  const advice = {
    code: 'expression/syntax',
    message: `\`${written}\` is HTML, and not \`${meant}\``,
    hint: `write \`${meant}\`; the text was probably copied from a web page`,
  } as const;
  return /^[&<>]+$/u.test(meant)
    ? { ...advice, fix: { span: { start, end: start + written.length }, replacement: meant } }
    : advice;
}

/** Escapes of other languages for characters that are written by their number here. */
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\\r', '\\x0d'],
  ['\\n', '\\x0a'],
  ['\\t', '\\x09'],
]);

function controlEscape({ kind, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const start = span.start - 1;
  const [written = ''] = /^(?:\\[rnt])+/u.exec(bytes.slice(start)) ?? [];
  if (kind !== 'InvalidCharacterEscape' || written === '') {
    return undefined;
  }
  const meant = written.replaceAll(/\\./gu, (escape) => CONTROLS.get(escape) ?? escape);
  return {
    code: 'expression/syntax',
    message: `\`${written}\` means nothing in a text: characters that cannot be seen are written by their number`,
    hint: `write \`${meant}\`; only regular expressions know \`${written}\``,
    fix: { span: { start, end: start + written.length }, replacement: meant },
  };
}

function upperCaseOperator({ span }: ParseError, bytes: string): LikelyMistake | undefined {
  const found = /^(\s*)(AND|OR|XOR|NOT|EQ|NE|LT|LE|GT|GE|IN|CONTAINS|MATCHES)\b/u.exec(
    bytes.slice(span.start),
  );
  if (found === null) {
    return undefined;
  }
  const [, space = '', word = ''] = found;
  const start = span.start + space.length;
  const replacement = word.toLowerCase();
  const hint = `operators are in lower case: ${replacement}`;
  return { code: 'expression/syntax', hint, fix: { span: { start, end: start + word.length }, replacement } };
}

function comma({ span }: ParseError, bytes: string): LikelyMistake | undefined {
  const inSet = bytes.charAt(span.start) === ',' && /\{[^{}]*$/u.test(bytes.slice(0, span.start));
  const replacement = bytes.charAt(span.start + 1) === ' ' ? '' : ' ';
  return inSet
    ? {
        code: 'expression/set-comma',
        message: 'items of a set are separated by spaces, not commas',
        fix: { span: { start: span.start, end: span.start + 1 }, replacement },
      }
    : undefined;
}

function quotedAddress({ message, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const quoted = /^"([0-9a-fA-F:./]+)"/u.exec(bytes.slice(span.start));
  const [whole = '', address = ''] = quoted ?? [];
  if (message !== 'expected IP address character' || quoted === null) {
    return undefined;
  }
  const fix = { span: { start: span.start, end: span.start + whole.length }, replacement: address };
  return { code: 'expression/quoted-address', ...(parseIpAddress(address) === undefined ? {} : { fix }) };
}

function network({ kind, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const text = bytes.slice(span.start, span.end);
  const operator = /(?:eq|==) *$/u.exec(bytes.slice(0, span.start));
  if (kind !== 'ParseNetwork' || !text.includes('/') || operator === null) {
    return undefined;
  }
  const fix = { span: { start: operator.index, end: span.end }, replacement: `in {${text}}` };
  return parseIpSetItem(text).ok
    ? { code: 'expression/network-comparison', hint: `networks belong in sets: in {${text}}`, fix }
    : { code: 'expression/network-comparison' };
}

function singleEqualSign({ message, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const [, next] =
    message === 'expected ComparisonOp' ? (/^=(~?)(?!=)/u.exec(bytes.slice(span.start)) ?? []) : [];
  if (next === undefined) {
    return undefined;
  }
  const replacement = next === '~' ? '~' : '==';
  return {
    code: 'expression/syntax',
    hint: next === '~' ? 'write matches or ~' : 'write == or eq',
    fix: { span: { start: span.start, end: span.start + 1 + next.length }, replacement },
  };
}

/** A field with its indexes, or a closing parenthesis, right before an operator. */
const BARE = /(?:(?:^|[\s(!])([a-z][\w.]*(?:\["[^"]*"\]|\[\d+\])*)|\))\s*$/u;

function comparedBool({ kind, span }: ParseError, bytes: string): LikelyMistake | undefined {
  const rest = bytes.slice(span.start);
  const bare = BARE.exec(bytes.slice(Math.max(0, span.start - 100), span.start));
  if (
    kind !== 'EOF' ||
    bare === null ||
    !/^ *(?:[!=<>~]|(?:eq|ne|in|is|contains|matches|wildcard)\b)/u.test(rest)
  ) {
    return undefined;
  }
  const message = `${bare[1] ?? 'what stands before this'} is a condition by itself, and nothing is compared with it`;
  const hint = 'write it alone, or with not in front of it';
  const [same] = /^ *(?:==?|eq|is) +true\b/u.exec(rest) ?? [];
  const fix =
    same === undefined
      ? {}
      : { fix: { span: { start: span.start, end: span.start + same.length }, replacement: '' } };
  return { code: 'expression/type', message, hint, ...fix };
}

const RECOGNISERS: readonly Recogniser[] = [
  htmlEntity,
  controlEscape,
  tab,
  upperCaseOperator,
  comma,
  quotedAddress,
  network,
  singleEqualSign,
  comparedBool,
  ...LITERAL_SLIPS,
];

/** A frequent mistake behind a parse error, with advice. */
interface LikelyMistake {
  readonly code: Code;
  /** Replaces the error's message where that would mislead. */
  readonly message?: string;
  readonly hint?: string;
  readonly fix?: Fix;
}

/** Recognises one slip from a parse error and the text (as bytes); undefined when it is not that slip. */
type Recogniser = (error: ParseError, bytes: string) => LikelyMistake | undefined;
