import type { ParseError } from '../language/parse-error.ts';
import { parameterAt } from '../language/signature.ts';
import type { Signature } from '../language/signature.ts';
import { parseType } from '../values/type.ts';
import type { Explanation, ReadingOf } from './explanation.ts';
import { partAt } from './part-at.ts';
import { argumentWords, LITERALS, listedTypes } from './words.ts';

/** Explains an error in an argument of a call. */
export function explainArgument(
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
function takenBy(signature: Signature, index: number): string {
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

function countOf({ mandatory, optional, rest }: Signature): string {
  const least = mandatory.length;
  const most = least + optional.length;
  const count =
    rest !== undefined ? `at least ${least}` : least === most ? String(most) : `${least} to ${most}`;
  return `${count} argument${count === '1' ? '' : 's'}`;
}
