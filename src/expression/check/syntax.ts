import type { ParseError } from '../language/parse-error.ts';
import type { ParseErrorKind } from '../language/parse-error-kind.ts';
import type { Scheme } from '../language/scheme.ts';
import { encodeBytes } from '../values/bytes.ts';
import type { Code } from './codes.ts';
import { explain, fieldHint } from './explain.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import { charactersBeyondLimit } from './limits.ts';
import { functionHint, nameHint } from './name-hint.ts';
import { recogniseSlip } from './slips.ts';
import { syntaxHint } from './syntax-hint.ts';
import { unclosedPart } from './unfinished.ts';

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
  const slip = recogniseSlip(error, bytes);
  if (slip !== undefined) {
    const { code, ...advice } = slip;
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
  const hint = isCall
    ? functionHint(name, scheme)
    : bytes.startsWith('://', span.end)
      ? 'a text needs double quotes'
      : (fieldHint(bytes, span.start) ?? nameHint(name, scheme));
  const message = `there is no ${isCall ? 'function' : 'field'} ${name}`;
  return finding(code, { message, span, ...(hint === undefined ? {} : { hint }) });
}
