import type { ParseError, ParseErrorKind } from '../parse-error.ts';
import { readableTypes } from '../rust-debug.ts';
import type { Scheme } from '../scheme.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Code } from './codes.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import { nearestName } from './near-name.ts';
import { recogniseSlip } from './slips.ts';
import { syntaxHint } from './syntax-hint.ts';

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

/** A parse error as a finding: the service's message, with what is known about the slip behind it. */
export function syntaxFinding(error: ParseError, text: string, scheme: Scheme): Finding {
  const { span } = error;
  const message = readableTypes(error.message);
  if (error.kind === 'UnknownIdentifier') {
    return unknownName(error, text, scheme);
  }
  const guessed = guessedName(error, text, scheme);
  if (guessed !== undefined) {
    return unknownName(guessed, text, scheme);
  }
  const slip = recogniseSlip(error, encodeBytes(text));
  if (slip !== undefined) {
    const { code, ...advice } = slip;
    return finding(code, { message, span, ...advice });
  }
  const code = CODE_OF[error.kind] ?? 'expression/syntax';
  const seen = code === 'expression/syntax' ? syntaxHint(error, text) : undefined;
  const hint = seen ?? HINT_OF[error.kind]?.(error.message);
  return finding(code, { message, span, ...(hint === undefined ? {} : { hint }) });
}

const HINT_OF: Readonly<Partial<Record<ParseErrorKind, (message: string) => string | undefined>>> = {
  UnsupportedOp: (message) =>
    /type (?:Array|Map)/u.test(message)
      ? 'take one element with [0] or ["key"], or use any(...[*] ...)'
      : undefined,
  TypeMismatch: (message) =>
    message.includes('got Array<Bool>') ? 'wrap the part with [*] in any(...) or all(...)' : undefined,
  ExpectedName: (message) =>
    message === 'expected ComparisonOp' ? 'compare the value: eq, ne, contains, in and so on' : undefined,
};

/** Names of other dialects and old samples, and what they are called here. */
const KNOWN_AS: ReadonlyMap<string, string> = new Map([
  ['http.request.host', 'http.host'],
  ['http.request.path', 'http.request.uri.path'],
  ['http.path', 'http.request.uri.path'],
  ['http.method', 'http.request.method'],
  ['http.request.user_agent', 'http.user_agent'],
  ['tcp.port', 'cf.edge.server_port'],
  ['lowercase', 'lower'],
  ['uppercase', 'upper'],
  ['tolower', 'lower'],
  ['toupper', 'upper'],
  ['length', 'len'],
  ['startswith', 'starts_with'],
  ['endswith', 'ends_with'],
  // Words of the language itself, which are in lower case.
  ['not', 'not'],
  ['any', 'any'],
  ['all', 'all'],
]);

/** A name, not a literal: it has parts, or is called. */
const NAME = /^[a-z_]\w*(?:(?:\.[a-z_]\w*)+|(?=\())/iu;

/**
 * The unknown name behind an error about an argument: of one that begins like hex digits, such as `cf.zone.nam`, the service says only
 * that nothing fits.
 */
function guessedName(error: ParseError, text: string, scheme: Scheme): ParseError | undefined {
  const { message, span } = error;
  const bytes = encodeBytes(text);
  const isArgument = /[(,]\s*$/u.test(bytes.slice(Math.max(0, span.start - 100), span.start));
  if (message !== 'unrecognised input' || !isArgument) {
    return undefined;
  }
  const [name] = NAME.exec(bytes.slice(span.start, span.end)) ?? [];
  return name === undefined || scheme.fields.has(name) || scheme.functions.has(name)
    ? undefined
    : { ...error, message: 'unknown identifier', span: { ...span, end: span.start + name.length } };
}

function unknownName({ span, message }: ParseError, text: string, scheme: Scheme): Finding {
  const bytes = encodeBytes(text);
  const name = bytes.slice(span.start, span.end);
  const isCall = /^[ \r\n]*\(/u.test(bytes.slice(span.end, span.end + 100));
  const code = isCall ? 'expression/unknown-function' : 'expression/unknown-field';
  const alias = KNOWN_AS.get(name.toLowerCase());
  const nearest = alias ?? nearestName(name, isCall ? scheme.functions.keys() : scheme.fields.keys());
  const hint = nearest === undefined || nearest === name ? {} : { hint: `did you mean ${nearest}?` };
  return finding(code, { message: `${message} ${name}`, span, ...hint });
}
