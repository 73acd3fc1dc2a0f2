import { ADDRESS_BITS, formatIpAddress, parseIpAddress } from '../../expression/values/ip.ts';
import { networkRange } from '../../expression/values/ip-set-item.ts';
import { nearName } from '../../model/near-name.ts';
import { lookAlikeHint, swallowedHint, unfinishedHint } from './unfinished-hints.ts';

/** What is known of a finding: its code, the service's message, and its first UTF-16 unit. */
export interface Hintable {
  readonly code: string;
  readonly message: string;
  readonly start: number;
}

/** From the text of an expression and an offset in it to a hint, when that text shows the slip. */
type Hint = (text: string, at: number) => string | undefined;

/** Hints by the service's message of a syntax error (rules-language.md 3). */
const HINTS: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ['expected ComparisonOp', (text, at) => operatorHint(wordAt(text, at))],
  ['unrecognised input', (text, at) => meant(wordAt(text, skipSpace(text, at)), ['and', 'or', 'xor'])],
  ['expected 2 characters, but found 1', textHint],
  ['invalid digit found in string while parsing with radix 16', textHint],
  ['expected " or r', textHint],
  ['expected literal "{"', setHint],
  ['host part of address was not zero', networkHint],
]);

/** What somebody most likely meant who wrote this; nothing when the text does not tell. */
export function hintFor(text: string, { code, message, start }: Hintable): string | undefined {
  if (code === 'expression/blank') {
    return "write 'true', in quotes, to match everything: without them YAML reads a boolean";
  }
  return code === 'expression/syntax'
    ? (swallowedHint(text, start) ??
        listHint(text, start) ??
        lookAlikeHint(text, start) ??
        unfinishedHint(text, message, start) ??
        HINTS.get(message)?.(text, start))
    : undefined;
}

/** Where the name of a list stands and cannot: people take `$name` for a variable, or put it into braces as in other languages. */
function listHint(text: string, at: number): string | undefined {
  const [, name] = /^\s*[({]?\s*\$([A-Za-z_][\w.]*)/u.exec(text.slice(at, at + MOST_LETTERS)) ?? [];
  if (name === undefined) {
    return undefined;
  }
  const alone = `a list of the account is written alone, as in \`ip.src in $${name}\``;
  return name.includes('.') ? alone : `${alone}; a variable is written \`\${${name}}\``;
}

const OPERATORS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'contains', 'matches', 'wildcard', 'strict'];

/** Operators of other languages, and what stands for them here. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['is', 'did you mean eq?'],
  ['equals', 'did you mean eq?'],
  ['like', 'did you mean wildcard?'],
  ['includes', 'did you mean contains?'],
  ['not', 'not goes before the whole comparison: not http.host in {...}'],
  ['starts_with', 'starts_with is a function: starts_with(field, "text")'],
  ['ends_with', 'ends_with is a function: ends_with(field, "text")'],
]);

function operatorHint(word: string): string | undefined {
  return OTHER_WORDS.get(word.toLowerCase()) ?? meant(word, OPERATORS);
}

function meant(word: string, candidates: readonly string[]): string | undefined {
  const found = word === '' ? undefined : nearName(word, candidates);
  return found === undefined ? undefined : `did you mean ${found}?`;
}

/** Where text is expected. An operator with a letter too many, and text that begins with hex digits, is read so far. */
function textHint(text: string, at: number): string | undefined {
  const before = /[^\s"(){}=~<>!]*$/.exec(text.slice(Math.max(0, at - MOST_LETTERS), at))?.[0] ?? '';
  if (OPERATORS.includes(before)) {
    return operatorHint(before + wordAt(text, at));
  }
  const value = before + upTo(text, at, /^[^\s"(){}]+/);
  return value === '' ? undefined : `put text in quotes: "${value.replaceAll('\\', String.raw`\\`)}"`;
}

/** Behind `in`, where a name may be meant as that of a list or of a variable. */
function setHint(text: string, at: number): string | undefined {
  const name = upTo(text, at, /^[A-Za-z_]\w*/u);
  if (name !== '') {
    return `a list of the account is written \`in $${name}\`, a variable \`in \${${name}}\`, a set \`in {…}\``;
  }
  const value = upTo(text, at, /^(?:"[^"]*"|[^\s"(){}]+)/u);
  return value === '' ? undefined : `a set is written in braces: \`in {${value}}\``;
}

/** The network that an address with a host part lies in. */
function networkHint(text: string, at: number): string | undefined {
  const [address = '', prefix = ''] = upTo(text, at, /^[0-9A-Fa-f:.]+\/\d{1,3}/).split('/');
  const read = parseIpAddress(address);
  if (read === undefined || Number(prefix) > ADDRESS_BITS[read.family]) {
    return undefined;
  }
  const { family, first } = networkRange(read, Number(prefix));
  return `did you mean ${formatIpAddress({ family, value: first })}/${Number(prefix)}?`;
}

/** Longer words are no slips, and not worth comparing. */
const MOST_LETTERS = 100;

function wordAt(text: string, at: number): string {
  return upTo(text, at, /^[A-Za-z_]+/);
}

function upTo(text: string, at: number, pattern: RegExp): string {
  return pattern.exec(text.slice(at, at + MOST_LETTERS))?.[0] ?? '';
}

function skipSpace(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
}
