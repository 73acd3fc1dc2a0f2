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

/**
 * Returns the unknown name behind an error about an argument. Of a name that begins like hex digits, such as `cf.zone.nam`, the service
 * only says that the input is unrecognised.
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
