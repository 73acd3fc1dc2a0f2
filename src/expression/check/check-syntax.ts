import type { ParseError } from '../language/parse-error.ts';
import type { ParseErrorKind } from '../language/parse-error-kind.ts';
import type { Scheme } from '../language/catalogue.ts';
import { encodeBytes } from '../values/bytes.ts';
import { utf16Offsets } from '../language/source-bytes.ts';
import type { Code, Finding } from './check-finding.ts';
import { explain, fieldHint } from './explain-syntax.ts';
import { finding } from './check-finding.ts';
import { charactersBeyondLimit } from './check-limits.ts';
import { recogniseMistake } from './likely-mistakes.ts';
import { unclosedPart, lookAlikeHint, unfinishedHint } from './unfinished-text.ts';
import { nearestName } from './nearest-name.ts';

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
function syntaxHint(error: ParseError, text: string): string | undefined {
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

/** Names from other dialects and old samples, with the names used here. */
const KNOWN_AS: ReadonlyMap<string, string> = new Map([
  ['http.request.host', 'http.host'],
  ['http.request.path', 'http.request.uri.path'],
  ['http.path', 'http.request.uri.path'],
  ['http.method', 'http.request.method'],
  ['http.cookies', 'http.request.cookies'],
  ['http.headers', 'http.request.headers'],
  ['http.request.user_agent', 'http.user_agent'],
  ['tcp.port', 'cf.edge.server_port'],
  ['lowercase', 'lower'],
  ['uppercase', 'upper'],
  ['tolower', 'lower'],
  ['toupper', 'upper'],
  ['length', 'len'],
  ['startswith', 'starts_with'],
  ['endswith', 'ends_with'],
  // Words of the language itself, which are lower case.
  ['not', 'not'],
  ['any', 'any'],
  ['all', 'all'],
]);

/** What is said of an unknown name. */
type NameHint = Pick<Finding, 'hint' | 'kind'>;

function guess(hint: string | undefined): NameHint {
  return hint === undefined ? {} : { hint, kind: 'guess' };
}

/** Returns a hint at the field that an unknown name most likely means. */
function nameHint(name: string, { fields }: Scheme): NameHint {
  const parts = name.split('.').slice(0, MOST_PARTS);
  const map = parts
    .map((_part, index) => parts.slice(0, index).join('.'))
    .find((front) => fields.get(front)?.kind === 'Map');
  return map === undefined
    ? guess(didYouMean(name, fields.keys()) ?? endingIn(name, fields.keys()))
    : { hint: `write the name in brackets: ${map}["${name.slice(map.length + 1)}"]` };
}

/** Returns a hint at the function that an unknown name most likely means, or at the operator of that name. */
function functionHint(name: string, { functions }: Scheme): NameHint {
  const [, left = 'http.host', last = ''] = /^(?:(.*)\.)?([^.]*)$/u.exec(name) ?? [];
  if (OPERATOR.test(last)) {
    return { hint: `${last} is an operator, as in ${left} ${last} "…"` };
  }
  return last !== name && functions.has(last)
    ? { hint: `a function takes its field in parentheses: ${last}(${left}, …)` }
    : guess(didYouMean(name, functions.keys()));
}

const MOST_PARTS = 20;
const OPERATOR = /^(?:eq|ne|contains|matches|wildcard)$/u;

/** Returns a hint at the shortest field that ends in a name whose beginning is missing. */
function endingIn(name: string, known: Iterable<string>): string | undefined {
  const [shortest] = [...known]
    .filter((field) => field.endsWith(`.${name}`) && !field.startsWith('raw.'))
    .sort((one, other) => one.length - other.length);
  return shortest === undefined ? undefined : `did you mean ${shortest}?`;
}

function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const meant = KNOWN_AS.get(name.toLowerCase()) ?? nearestName(name, known);
  return meant === undefined || meant === name ? undefined : `did you mean ${meant}?`;
}

const CODE_OF: Readonly<Partial<Record<ParseErrorKind, Code>>> = {
  ParseRegex: 'expression/regex-syntax',
  ParseWildcard: 'expression/wildcard-syntax',
  NestingLimitExceeded: 'expression/too-deep',
  UnsupportedOp: 'expression/type',
  TypeMismatch: 'expression/type',
  InvalidIndexAccess: 'expression/type',
  InvalidArgumentsCount: 'expression/arguments',
  InvalidArgumentKind: 'expression/arguments',
  InvalidArgumentType: 'expression/arguments',
  InvalidArgumentValue: 'expression/arguments',
  InvalidMapEachAccess: 'expression/arguments',
};

/** Turns a parse error into a finding: the service's message, with what is known about the slip behind it. */
export function syntaxFinding(error: ParseError, text: string, scheme: Scheme): Finding {
  const { span } = error;
  if (error.kind === 'UnknownIdentifier') {
    return unknownName(error, text, scheme);
  }
  const guessed = guessedName(error, text, scheme);
  if (guessed !== undefined) {
    return unknownName(guessed, text, scheme);
  }
  const bytes = encodeBytes(text);
  const { message, hint } = explain(error, bytes) ?? { message: error.message };
  const other = error.reading?.kind === 'comparison' ? error.reading.right : undefined;
  if (other !== undefined) {
    return finding('expression/type', { message, span: other.span, ...(hint === undefined ? {} : { hint }) });
  }
  const mistake = recogniseMistake(error, bytes);
  if (mistake !== undefined) {
    const { code, ...advice } = mistake;
    return finding(code, { message, span, ...advice });
  }
  const code = CODE_OF[error.kind] ?? 'expression/syntax';
  // The search for hints reads the whole text, which is not worth it for a text too long for the service.
  const isRead = code === 'expression/syntax' && charactersBeyondLimit(text) === null;
  const unclosed = isRead ? unclosedPart(error, text) : undefined;
  if (unclosed !== undefined) {
    return finding(code, unclosed);
  }
  const told = (isRead ? syntaxHint(error, text) : undefined) ?? hint;
  return finding(code, { message, span, ...(told === undefined ? {} : { hint: told }) });
}

/** A name rather than a literal: it has several parts, or is called. */
const NAME = /^[a-z_]\w*(?:(?:\.[a-z_]\w*)+|(?=\())/iu;
/** What stands before an argument, and before the right side of a comparison that may be a field (`rules-language.md` 10). */
const BEFORE_ARGUMENT = /[(,]\s*$/u;
const BEFORE_RIGHT_SIDE = /(?:\b(?:eq|ne|l[te]|g[te])|[=<>])\s*$/u;

/**
 * Returns the unknown name behind an error. Of a name that begins like hex digits, such as `cf.zone.nam` or `cf.edge.nam`, the service reads
 * what it can as bytes, and only says that the input is unrecognised, or that a literal cannot stand there.
 */
function guessedName(error: ParseError, text: string, scheme: Scheme): ParseError | undefined {
  const bytes = encodeBytes(text);
  const { span } = error;
  const [read = ''] = /[\w.]*$/u.exec(bytes.slice(Math.max(0, span.start - 100), span.start)) ?? [];
  const start = span.start - read.length;
  const [name] = NAME.exec(bytes.slice(start, start + 200)) ?? [];
  if (name === undefined || scheme.fields.has(name) || scheme.functions.has(name)) {
    return undefined;
  }
  const before = bytes.slice(Math.max(0, start - 100), start);
  const isName =
    BEFORE_ARGUMENT.test(before) || (BEFORE_RIGHT_SIDE.test(before) && isOfKnownFamily(name, scheme));
  return isName
    ? { ...error, message: 'unknown identifier', span: { start, end: start + name.length } }
    : undefined;
}

/** Whether a name begins as those of known fields do: on the right of a comparison, any other is more likely a text without quotes. */
function isOfKnownFamily(name: string, { fields }: Scheme): boolean {
  const family = name.slice(0, name.indexOf('.') + 1);
  return family !== '' && [...fields.keys()].some((field) => field.startsWith(family));
}

function unknownName({ span }: ParseError, text: string, scheme: Scheme): Finding {
  const bytes = encodeBytes(text);
  const name = bytes.slice(span.start, span.end);
  const isCall = /^[ \r\n]*\(/u.test(bytes.slice(span.end, span.end + 100));
  const code = isCall ? 'expression/unknown-function' : 'expression/unknown-field';
  const message = `there is no ${isCall ? 'function' : 'field'} ${name}`;
  const known = isCall
    ? undefined
    : bytes.startsWith('://', span.end)
      ? 'a text needs double quotes'
      : fieldHint(bytes, span.start);
  const hint =
    known === undefined ? (isCall ? functionHint(name, scheme) : nameHint(name, scheme)) : { hint: known };
  return finding(code, { message, span, ...hint });
}
