import { isCollection, parseType, arrayOf } from '../values/type.ts';
import type { ParseError, ParseReading } from '../language/parse-error.ts';
import { showBytes, shortened } from '../language/source-bytes.ts';
import { parameterAt } from '../language/signature.ts';
import type { FunctionSignature } from '../language/signature.ts';
import type { Operand, Operator } from '../language/ast.ts';
import type { Type } from '../values/type.ts';
import type { ParseErrorKind } from '../language/parse-error-kind.ts';
import { printOperand } from '../print/print-expression.ts';

const SINGLE = { Bool: 'a condition', Int: 'a number', Bytes: 'a string', Ip: 'an address' } as const;
const SEVERAL = { Bool: 'conditions', Int: 'numbers', Bytes: 'strings', Ip: 'addresses' } as const;

/** What messages call a literal of each type. */
const LITERALS = { Int: 'a number', Bytes: 'a string in double quotes', Ip: 'an address' } as const;

/** A type in plain words: `a string`, `a map of lists of strings`. */
function typeWords(type: Type): string {
  return isCollection(type)
    ? `a ${type.kind === 'Map' ? 'map' : 'list'} of ${several(type.of)}`
    : SINGLE[type.kind];
}

function several(type: Type): string {
  return isCollection(type)
    ? `${type.kind === 'Map' ? 'maps' : 'lists'} of ${several(type.of)}`
    : SEVERAL[type.kind];
}

/** Types as the service lists them in a message (`Bytes or Int`, `{Bytes, Array<_>}`), in plain words. */
function listedTypes(listed: string): string {
  return listed
    .replaceAll(/[{}]/gu, '')
    .split(/, | or /u)
    .map((name) => wordsFor(name))
    .join(' or ');
}

function wordsFor(name: string): string {
  const type = parseType(name);
  return type === undefined
    ? name.replace(/^(?:Array|Map)<_>$/u, (any) => OF_ANY[any] ?? any)
    : typeWords(type);
}

const OF_ANY: Readonly<Record<string, string>> = { 'Array<_>': 'a list', 'Map<_>': 'a map' };

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

/** Returns what an argument is called, by its index: `the first argument`, `argument 21`. */
function argumentWords(index: number): string {
  const place = PLACES[index];
  return place === undefined ? `argument ${index + 1}` : `the ${place} argument`;
}

/** Returns a sample test of a value of a type, to be copied: of one of its items where it has several. */
function sampleTest(name: string, type: Type): string {
  let inner = type;
  let operand = name;
  let isOfItems = name.includes('[*]');
  while (isCollection(inner)) {
    isOfItems ||= inner.kind === 'Array';
    operand += inner.kind === 'Array' ? '[*]' : '["…"]';
    inner = inner.of;
  }
  const test = `${operand}${BEHIND[inner.kind]}`;
  return isOfItems ? `any(${test})` : test;
}

const BEHIND = { Bool: '', Int: ' gt 10', Bytes: ' eq "…"', Ip: ' in {192.0.2.0/24}' } as const;

/** Quotes the word, string or sign at a place; returns `NOTHING` at the end of the text. */
function partAt(bytes: string, at: number): string {
  const from = /^\s*/u.exec(bytes.slice(at, at + MOST_LOOKED_AT))?.[0].length ?? 0;
  const rest = bytes.slice(at + from, at + from + MOST_LOOKED_AT);
  const [part = ''] = /^(?:"(?:\\.|[^"\\])*"?|[^\s"(){},]+|.)/su.exec(rest) ?? [];
  const shown = showBytes(part).replaceAll(/\s+/gu, ' ');
  return shown === '' ? NOTHING : `\`${shortened(shown, MOST_SHOWN)}\``;
}

/** What `partAt` returns at the end of the text. */
const NOTHING = 'the end';
/** How many bytes are searched for a slip. */
const MOST_LOOKED_AT = 200;
/** How many characters of a part a message quotes. */
const MOST_SHOWN = 40;

/** Explains an error in a comparison: in the operand, its operator, or the right side. */
function explainComparison(
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

/** Explains a parse error by what was being read and by where it occurred; undefined where the service's own message is used. */
export function explain(error: ParseError, bytes: string): Explanation | undefined {
  return explainReading(error, bytes) ?? explainPlace(error, bytes);
}

function explainReading(error: ParseError, bytes: string): Explanation | undefined {
  const { reading } = error;
  switch (reading?.kind) {
    case 'comparison':
      return explainComparison(error, bytes, reading);
    case 'argument':
      return explainArgument(error, bytes, reading);
    case 'quantifier':
      return explainQuantifier(error, bytes, reading);
    case 'index':
      return explainIndex(error, bytes, reading);
    case 'rest':
      return {
        message: `unexpected ${partAt(bytes, error.span.start)}`,
        hint: reading.mode === 'filter' ? 'join conditions with `and` or `or`' : VALUE_HINT,
      };
    case 'value':
      return error.message === 'expected identifier character'
        ? {
            message: `a computed value begins with a field or a function, not with ${partAt(bytes, error.span.start)}`,
            hint: VALUE_HINT,
          }
        : undefined;
    default:
      return undefined;
  }
}

const VALUE_HINT =
  'texts and fields are joined with concat("…", http.host); a text that is always the same belongs in `value`, not in `expression`';

function explainQuantifier(
  { span }: ParseError,
  bytes: string,
  { quantifier, type }: ReadingOf<'quantifier'>,
): Explanation {
  const given = showBytes(bytes.slice(span.start, span.end));
  return type.kind === 'Bool'
    ? { message: `${quantifier}(...) takes a condition about each item of a list, not one about the request` }
    : {
        message: `${quantifier}(...) takes a condition about each item, not ${typeWords(type)}`,
        hint: `write it inside, as in ${sampleTest(given, type).replace(/^any/u, quantifier)}`,
      };
}

function explainIndex({ span }: ParseError, bytes: string, { type }: ReadingOf<'index'>): Explanation {
  const index = showBytes(bytes.slice(span.start, span.end));
  if (!isCollection(type)) {
    return { message: `${typeWords(type)} has no items: ${index} cannot follow it` };
  }
  return type.kind === 'Map'
    ? {
        message: `the items of a map have names, not numbers such as ${index}`,
        hint: 'write the name, as in ["name"]',
      }
    : {
        message: `the items of a list have numbers, not names such as ${index}`,
        hint: 'write [0] for the first item, or any(...[*] ...) for any of them',
      };
}

/** Explains an error by its kind and place alone, whatever was being read. */
function explainPlace({ kind, message, span }: ParseError, bytes: string): Explanation | undefined {
  const part = partAt(bytes, span.start);
  switch (kind) {
    case 'TypeMismatch':
      return {
        message: 'a condition with [*] is about each item, and not about the request',
        hint: 'wrap the part with [*] in any(...) or all(...)',
      };
    case 'ParseRegex':
      return {
        message,
        hint: message.includes('look-around')
          ? 'say it in a condition of its own, joined with `and not`'
          : undefined,
      };
    case 'InvalidCharacterEscape':
      return {
        message: `a backslash in front of ${part.replace(/^(`.).*/u, '$1`')} means nothing in a text`,
        hint: 'in a text a backslash is written \\\\; a regular expression comes after matches, as in matches r"\\d"',
      };
    case 'EOF':
      return { message: part === NOTHING ? 'the expression ends too early' : `${part} cannot stand here` };
    case 'ParseNetwork': {
      const [, bits, family] = /^invalid length .* (\d+) is too long for Ipv(\d)/u.exec(message) ?? [];
      return bits === undefined
        ? undefined
        : { message: `/${bits} is too long for an IPv${family ?? ''} network` };
    }
    case 'InvalidListName':
      return { message: `no list can be called $${part.replaceAll('`', '')}` };
    case 'ParseInt':
      return explainNumber(message, part);
    case 'ExpectedName':
      return message !== 'expected identifier character'
        ? undefined
        : part === NOTHING
          ? { message: 'a condition is missing at the end' }
          : {
              message: `a condition begins with a field or a function, not with ${part}`,
              hint: fieldHint(bytes, span.start),
            };
    case 'ExpectedLiteral': {
      const [, sign] = /^expected literal "\\?([^"\\])"$/u.exec(message) ?? [];
      return sign === undefined
        ? { message: `brackets take a name in double quotes, a number, or *, not ${part}` }
        : { message: `${sign === ',' ? '`,` or `)`' : `\`${sign}\``} is expected before ${part}` };
    }
    default:
      return undefined;
  }
}

function explainNumber(message: string, part: string): Explanation | undefined {
  if (message.startsWith('number too')) {
    return { message: `${part} does not fit into a number of 64 bits` };
  }
  return message.endsWith('radix 8')
    ? {
        message: `${part} begins with 0 like an octal number, but is not one`,
        hint: 'write the number without the 0',
      }
    : { message: `two hexadecimal digits have to follow \\x, not ${part}` };
}

/** Returns advice where a value or an operator stands in place of the field that is to be compared. */
export function fieldHint(bytes: string, at: number): string | undefined {
  const rest = bytes.slice(at, at + MOST_LOOKED_AT);
  if (/^(?:"[^"]*"|[\d.]+)\s*(?:[=!<>~]|(?:eq|ne|l[te]|g[te])\b)/u.test(rest)) {
    return 'the field comes first, then the value, as in http.host eq "…"';
  }
  if (/^(?:and|or|xor)\b/u.test(rest)) {
    return 'a condition has to stand on both sides of it';
  }
  return /^(?:["\d]|[=!<>~]|(?:eq|ne|l[te]|g[te]|in|contains|matches|wildcard)\b)/u.test(rest)
    ? 'each comparison has its own field in front: repeat it, or list the values in one set, as in http.host in {"…" "…"}'
    : undefined;
}

/** Explains an error in an argument of a call. */
function explainArgument(
  error: ParseError,
  bytes: string,
  { signature, index }: ReadingOf<'argument'>,
): Explanation | undefined {
  const { kind, message, span } = error;
  const argument = `${argumentWords(index)} of ${signature.name}`;
  switch (kind) {
    case 'InvalidArgumentsCount':
      return { message: `${signature.name} takes ${countOf(signature)}` };
    case 'InvalidArgumentKind':
      return {
        message: `${argument} has to be ${takenBy(signature, index)}, not ${partAt(bytes, span.start)}`,
      };
    case 'InvalidArgumentType': {
      const [, expected = '', actual = ''] =
        /expected value of type (.+), but got (.+)$/u.exec(message) ?? [];
      return { message: `${argument} has to be ${listedTypes(expected)}, not ${listedTypes(actual)}` };
    }
    case 'InvalidArgumentValue':
      return {
        message: message.replace(
          /^invalid value of argument #\d+: invalid argument: "(.*)"$/u,
          `${argument}: $1`,
        ),
      };
    case 'EOF':
      return {
        message: `${argument} has to be ${takenBy(signature, index)}, not ${partAt(bytes, span.start)}`,
      };
    case 'InvalidMapEachAccess':
      return { message: `only the first argument of ${signature.name} can have [*]` };
    default:
      return undefined;
  }
}

/** Describes what the parameter at an index accepts, in words for a message. */
function takenBy(signature: FunctionSignature, index: number): string {
  const parameter = parameterAt(signature, index);
  const literals = (parameter?.accepts ?? []).flatMap((name) => {
    const { kind } = parseType(name) ?? { kind: 'Bool' };
    return kind === 'Int' || kind === 'Bytes' || kind === 'Ip' ? [LITERALS[kind]] : [];
  });
  const fixed = literals.length === 0 ? 'a fixed value such as "text"' : literals.join(' or ');
  switch (parameter?.takes) {
    case 'literal':
      return fixed;
    case 'field':
      return 'a field or a function';
    default:
      return `a field, a function or ${fixed}`;
  }
}

function countOf({ mandatory, optional, rest }: FunctionSignature): string {
  const least = mandatory.length;
  const most = least + optional.length;
  const count =
    rest !== undefined ? `at least ${least}` : least === most ? String(most) : `${least} to ${most}`;
  return `${count} argument${count === '1' ? '' : 's'}`;
}

/** A parse error explained to people who do not know how parsers work, with advice. */
interface Explanation {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A `Reading` of one kind. */
type ReadingOf<Kind extends ParseReading['kind']> = Extract<ParseReading, { readonly kind: Kind }>;
