import type { Operand, Operator } from '../language/ast.ts';
import { arrayOf } from '../values/type.ts';
import type { Type } from '../values/type.ts';
import type { ParseError } from '../language/parse-error.ts';
import type { ParseErrorKind } from '../language/parse-error-kind.ts';
import { printOperand } from '../print/print.ts';
import { shortened, showBytes } from '../language/source.ts';
import type { Explanation, ReadingOf } from './explanation.ts';
import { MOST_LOOKED_AT, MOST_SHOWN, NOTHING, partAt } from './part-at.ts';
import { LITERALS, sampleTest, typeWords } from './words.ts';

/** Explains an error in a comparison: in the operand, its operator, or the right side. */
export function explainComparison(
  error: ParseError,
  bytes: string,
  { left, operator, right }: ReadingOf<'comparison'>,
): Explanation | undefined {
  const name = nameOf(left);
  const is = typeWords(left.type);
  if (error.kind === 'UnsupportedOp') {
    const sign = showBytes(bytes.slice(error.span.start, error.span.end)).split(/\s/u)[0] ?? '';
    return {
      message:
        sign === ''
          ? `${name} has several values for each item`
          : `${sign} cannot compare ${name}, which is ${is}`,
      hint: `test it otherwise, as in ${sampleTest(name, left.type)}`,
    };
  }
  if (operator === undefined) {
    const hint = `compare it, as in ${sampleTest(name, left.type)}`;
    return /^\s*(?:$|[),]|(?:and|or|xor)\b|&&|\|\||\^\^)/u.test(bytes.slice(error.span.start))
      ? { message: `${name} is ${is}, which is not a condition by itself`, hint }
      : { message: `expected an operator after ${name}, found ${partAt(bytes, error.span.start)}`, hint };
  }
  if (right !== undefined) {
    const other = right.each > 0 ? arrayOf(right.type) : right.type;
    return {
      message: `${name} is ${is}, and ${nameOf(right)} ${typeWords(other)}`,
      hint: 'both have to be of one kind',
    };
  }
  const wants = wanted(error, left, operator);
  const start = literalStart(bytes, error.span.start);
  if (wants === undefined || start === undefined) {
    return undefined;
  }
  const given = partAt(bytes, start);
  return {
    message: given === NOTHING ? `a value is missing: ${name} ${wants}` : `${name} ${wants}, not ${given}`,
    hint: hintFor(given, name, left.type),
  };
}

function hintFor(given: string, name: string, type: Type): string | undefined {
  if (SEVERAL_VALUES.test(given)) {
    return `several values stand in a set, as in ${name} in {…}, or in comparisons joined with \`or\``;
  }
  if (type.kind !== 'Bytes' && SEVERAL_IN_ONE.test(given)) {
    return 'each value stands by itself: in a set, spaces separate them; in a YAML list, commas';
  }
  return TIME.test(name) && given !== NOTHING ? 'times are seconds since 1970, as in 1767225600' : undefined;
}

const TIME = /timestamp/u;
const SEVERAL_IN_ONE = /^`"[^"]*[^\s,"][\s,]+[^\s,"]/u;
const SEVERAL_VALUES = /^`[({[]/u;

/** Returns the operand as a message names it, shortened when it is long. */
function nameOf(operand: Operand): string {
  return shortened(printOperand(operand), MOST_SHOWN);
}

const ITEMS = { Int: 'numbers', Bytes: 'strings in double quotes', Ip: 'addresses and networks' } as const;
const PATTERNS: Readonly<Partial<Record<Operator, string>>> = {
  matches: 'is matched with a regular expression in double quotes',
  wildcard: 'is matched with a pattern in double quotes',
  'strict wildcard': 'is matched with a pattern in double quotes',
};

/**
 * Says what the right side of a comparison has to be, for an error that something else stands there; undefined for an error inside a value
 * of the right kind, which the service's message explains.
 */
function wanted({ kind, message }: ParseError, { type }: Operand, operator: Operator): string | undefined {
  if (!OF_LITERALS.has(kind) || (kind === 'ParseInt' && !/^invalid digit.* radix 1[06]$/u.test(message))) {
    return undefined;
  }
  if (kind === 'ParseNetwork' && !message.startsWith("couldn't parse address")) {
    return undefined;
  }
  const { kind: of } = type;
  if (of !== 'Int' && of !== 'Bytes' && of !== 'Ip') {
    return undefined;
  }
  if (operator === 'in') {
    return message === 'expected literal "{"'
      ? 'is looked up in a set in braces'
      : `is looked up in a set of ${ITEMS[of]}`;
  }
  return PATTERNS[operator] ?? `is compared with ${LITERALS[of]}`;
}

const OF_LITERALS: ReadonlySet<ParseErrorKind> = new Set([
  'CountMismatch',
  'ParseInt',
  'ExpectedName',
  'ExpectedLiteral',
  'ParseNetwork',
  'EOF',
]);

/**
 * Returns the start of the word in which a literal fails: the parser may have read its first letters as hex bytes. Undefined inside an
 * escape.
 */
function literalStart(bytes: string, at: number): number | undefined {
  const [before = ''] = /[^\s"(){},=~<>!]*$/u.exec(bytes.slice(Math.max(0, at - MOST_LOOKED_AT), at)) ?? [];
  return before.includes('\\') ? undefined : OPERATOR.test(before) ? at : at - before.length;
}

const OPERATOR = /^(?:eq|ne|l[te]|g[te]|in|contains|matches|wildcard)$/u;
