import { ADDRESS_BITS, assertNever } from '../data/index.ts';
import type { Comparison, Index, Operand, RightSide, Type, Value } from '../expression/index.ts';
import { sampleOfPattern, isIp, sameScalar, toInt } from '../expression/index.ts';
import type { Evaluation } from '../simulate/index.ts';
import type { Assignment } from './generated-request.ts';

/** What a condition asks of an operand: a comparison, or whether the operand is true. */
export type Asked =
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | { readonly kind: 'truth' };

/** The address, text and number that generated requests take to be in every list (the address is from RFC 5737). */
const LISTED: readonly Value[] = [{ family: 4, value: 3_221_226_061n }, 'listed.example', 64_496];

/** How expressions are evaluated over generated requests: each value of `LISTED` stands for one that a list of the service holds. */
export const GENERATED_EVALUATION: Evaluation = {
  context: { inList: (_name, value) => LISTED.some((listed) => sameScalar(listed, value)) },
  lists: new Set(),
};

/**
 * Returns values for the field below an operand that lie at and around what the operand is compared with: equal, one more, one less, the ends of
 * ranges, other case, longer, empty. A function is followed back through its first argument.
 */
export function candidateValues(operand: Operand, asked: Asked): readonly Assignment[] {
  return through(operand, wantedValues(operand, asked));
}

/** Carries values of an operand back to the field that it is made from. */
function through({ source, indexes }: Operand, values: readonly Value[]): readonly Assignment[] {
  if (source.kind === 'field') {
    return values.map((value) => new Map([[source.name, nest(indexes, value)]]));
  }
  const [first, ...rest] = source.arguments;
  const literals = rest.flatMap((argument) => (argument.kind === 'bytes' ? [argument.value] : []));
  if (first === undefined || first.kind !== 'operand') {
    return source.arguments.flatMap((argument) =>
      argument.kind === 'operand' ? candidateValues(argument, { kind: 'truth' }) : [],
    );
  }
  // A function maps each item of a list, so the list is built where its items come from.
  const isMapped = first.indexes.some((index) => index.kind === 'each');
  const inner = isMapped ? values : values.map((value) => nest(indexes, value));
  const undone = inner.flatMap((value) => undo(source.name, value, literals));
  return through(first, undone);
}

/** Returns arguments from which a function makes the value; the value itself for functions that cannot be undone here. */
function undo(name: string, value: Value, literals: readonly string[]): readonly Value[] {
  const [part = ''] = literals;
  switch (name) {
    case 'lower':
    case 'upper':
      return typeof value === 'string' ? [value, value.toUpperCase(), value.toLowerCase()] : [value];
    case 'len':
      return typeof value === 'number' && value >= 0 && value <= 10_000 ? ['x'.repeat(value)] : ['', 'x'];
    case 'starts_with':
      return [part, `${part}x`, `x${part}`, part.slice(0, -1)];
    case 'ends_with':
      return [part, `x${part}`, `${part}x`, part.slice(1)];
    default:
      return [value];
  }
}

function nest(indexes: readonly Index[], value: Value): Value {
  return indexes.toReversed().reduce<Value>((inner, index) => {
    switch (index.kind) {
      case 'key':
        return new Map([[index.key, inner]]);
      case 'each':
        return [inner];
      case 'element':
        return Array.from({ length: index.index + 1 }, () => inner);
      default:
        return assertNever(index);
    }
  }, value);
}

function wantedValues({ type }: Operand, asked: Asked): readonly Value[] {
  return asked.kind === 'truth' ? ofType(type) : around(asked.comparison.right, type);
}

function ofType(type: Type): readonly Value[] {
  switch (type.kind) {
    case 'Bool':
      return [true, false];
    case 'Int':
      return [0, 1];
    case 'Bytes':
      return ['', 'x'];
    case 'Ip':
      return [{ family: 4, value: 3_221_226_050n }];
    case 'Array':
      return [[], ...ofType(type.of).map((item) => [item])];
    case 'Map':
      return [new Map()];
    default:
      return assertNever(type);
  }
}

function around(right: RightSide, type: Type): readonly Value[] {
  switch (right.kind) {
    case 'int':
      return numbersAround(right.value, right.value);
    case 'bytes':
      return textsAround(right.value);
    case 'ip':
      return addressesAround(right.value.family, right.value.value, right.value.value);
    case 'regex':
      return textsAround(sampleOfPattern(right.pattern) ?? '');
    case 'wildcard-pattern':
      return ['x', ''].flatMap((text) =>
        textsAround(right.pattern.replaceAll(/(?<!\\)\*/gu, text).replaceAll(/\\(.)/gu, '$1')),
      );
    case 'list':
      return [...LISTED.filter((value) => fits(value, type)), ...ofType(type)];
    case 'set':
      return right.items.flatMap((item) => {
        switch (item.kind) {
          case 'int-range':
            return numbersAround(item.first, item.last);
          case 'ip-range':
            return addressesAround(item.range.family, item.range.first, item.range.last);
          case 'bytes':
            return textsAround(item.value);
          default:
            return assertNever(item);
        }
      });
    case 'operand':
      return ofType(type);
    default:
      return assertNever(right);
  }
}

function numbersAround(first: bigint, last: bigint): readonly Value[] {
  return [...new Set([first, last, first - 1n, last + 1n])].map(toInt);
}

function addressesAround(family: 4 | 6, first: bigint, last: bigint): readonly Value[] {
  const most = 2n ** BigInt(ADDRESS_BITS[family]) - 1n;
  return [...new Set([first, last, first - 1n, last + 1n])]
    .filter((value) => value >= 0n && value <= most)
    .map((value) => ({ family, value }));
}

function textsAround(text: string): readonly Value[] {
  return [...new Set([text, `${text}x`, `x${text}`, text.slice(0, -1), text.toUpperCase(), ''])];
}

function fits(value: Value, type: Type): boolean {
  return (
    (type.kind === 'Ip' && isIp(value)) ||
    (type.kind === 'Bytes' && typeof value === 'string') ||
    (type.kind === 'Int' && typeof value === 'number')
  );
}
