import { isCollection } from '../values/type.ts';
import type { ParseError } from '../language/parse-error.ts';
import { showBytes } from '../language/source.ts';
import { explainArgument } from './explain-argument.ts';
import { explainComparison } from './explain-comparison.ts';
import type { Explanation, ReadingOf } from './explanation.ts';
import { MOST_LOOKED_AT, NOTHING, partAt } from './part-at.ts';
import { sampleTest, typeWords } from './words.ts';

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
