import type { ParseError } from '../language/parse-error.ts';
import { utf16Offsets } from '../language/source.ts';
import { nearestName } from './near-name.ts';
import { lookAlikeHint, unfinishedHint } from './unfinished.ts';

/** Returns a hint for an error at an offset of a text, when the text shows the slip. */
type Hint = (text: string, at: number, error: ParseError) => string | undefined;

/** Hints by the service's message of a syntax error (rules-language.md 3). */
const HINTS: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ['expected ComparisonOp', (text, at) => operatorHint(wordAt(text, at))],
  ['unrecognised input', (text, at) => meant(wordAt(text, skipSpace(text, at)), ['and', 'or', 'xor'])],
  ['expected 2 characters, but found 1', textHint],
  ['expected 1 characters, but found 0', textHint],
  ['invalid digit found in string while parsing with radix 16', textHint],
  ['expected byte separator', textHint],
  ['expected " or r', textHint],
  ['expected literal "{"', setHint],
]);

/** Text that can stand nowhere in an expression, with what to write instead. */
const STRAYS: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:\/\/|#|--)/u, 'there are no comments in expressions'],
  [/^\s*[|&](?![|&])/u, 'the operators are words: and, or'],
  [/^\s*\)/u, 'this parenthesis closes nothing'],
  [/^\s*[,;]/u, 'conditions are joined with `and` or `or`'],
  [/^\s*\{{1,2}\s*[\w.]+\s*\}\}/u, 'a variable is written `${name}`'],
  [/^(?:\.\d|%)/u, 'numbers are whole, and have no unit'],
  [/^-\d\d-\d\d/u, 'times are seconds since 1970, as in 1767225600'],
];

/** Returns a hint at what was most likely meant; undefined when the text does not show it. */
export function syntaxHint(error: ParseError, text: string): string | undefined {
  const { message, span } = error;
  const at = utf16Offsets(text)(span.start);
  return (
    listHint(text, at) ??
    lookAlikeHint(text, at) ??
    unfinishedHint(text, message, at) ??
    HINTS.get(message)?.(text, at, error) ??
    STRAYS.find(([pattern]) => pattern.test(text.slice(at, at + MOST_LETTERS)))?.[1]
  );
}

/** Hint for a list name where none can stand: people take `$name` for a variable, or put it into brackets as in other languages. */
function listHint(text: string, at: number): string | undefined {
  const [, name] = /^\s*[({]?\s*\$([A-Za-z_][\w.]*)/u.exec(text.slice(at, at + MOST_LETTERS)) ?? [];
  if (name === undefined) {
    return undefined;
  }
  const alone = `a list of the account is written alone, as in \`ip.src in $${name}\``;
  return name.includes('.') ? alone : `${alone}; a variable is written \`\${${name}}\``;
}

const OPERATORS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'contains', 'matches', 'wildcard', 'strict'];

/** Operators of other languages, with a hint at what to write here. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['is', 'did you mean eq?'],
  ['equals', 'did you mean eq?'],
  ['like', 'did you mean wildcard?'],
  ['includes', 'did you mean contains?'],
  ['not', 'not goes before the whole comparison: not http.host in {...}'],
  ['strict', 'strict goes before wildcard, as in strict wildcard "*.example"'],
  ['starts_with', 'starts_with is a function: starts_with(field, "text")'],
  ['ends_with', 'ends_with is a function: ends_with(field, "text")'],
]);

function operatorHint(word: string): string | undefined {
  return OTHER_WORDS.get(word.toLowerCase()) ?? meant(word, OPERATORS);
}

function meant(word: string, candidates: readonly string[]): string | undefined {
  const found = word === '' ? undefined : nearestName(word, candidates);
  return found === undefined ? undefined : `did you mean ${found}?`;
}

/**
 * Hint where a string is expected. The parser may already have read an operator with a letter too many, or the leading hex digits of an
 * unquoted text.
 */
function textHint(text: string, at: number): string | undefined {
  const before = /[^\s"(){}=~<>!]*$/.exec(text.slice(Math.max(0, at - MOST_LETTERS), at))?.[0] ?? '';
  if (OPERATORS.includes(before)) {
    return operatorHint(before + wordAt(text, at));
  }
  const value = before + upTo(text, at, /^[^\s"(){}]+/);
  if (value === '=') {
    return 'equality is written eq or ==';
  }
  return value === '' ? undefined : `put text in quotes: "${value.replaceAll('\\', String.raw`\\`)}"`;
}

/** Hint after `in`, where a name may be meant as that of a list or of a variable. */
function setHint(text: string, at: number, { reading }: ParseError): string | undefined {
  const name = upTo(text, at, /^[A-Za-z_]\w*/u);
  if (name !== '' && /\w$/u.test(text.slice(0, at))) {
    return operatorHint(`in${name}`);
  }
  if (name !== '') {
    return `a list of the account is written \`in $${name}\`, a variable \`in \${${name}}\`, a set \`in {…}\``;
  }
  if (/^[[(]/u.test(text.slice(at, at + 1))) {
    return 'a set is written in braces, with spaces between its items: `in {… …}`';
  }
  const [, list] = /^"\$?([a-z0-9_]+)"/u.exec(text.slice(at, at + MOST_LETTERS)) ?? [];
  const alone =
    list === undefined ? undefined : `a list of the account is written without quotes: \`in $${list}\``;
  if (alone !== undefined && reading?.kind === 'comparison' && reading.left.type.kind !== 'Bytes') {
    return alone;
  }
  const value = upTo(text, at, /^(?:"[^"]*"|[^\s"(){}]+)/u);
  const set = value === '' ? undefined : `a set is written in braces: \`in {${value}}\``;
  return set === undefined || alone === undefined ? set : `${set}; ${alone}`;
}

/** Longer words are not typing mistakes, and comparing them is slow. */
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
