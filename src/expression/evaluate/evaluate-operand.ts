import type {
  Index,
  Operand,
  Argument,
  FunctionCall,
  Comparison,
  Literal,
  OrderingOperator,
  SetLiteral,
} from '../language/ast.ts';
import { CONSTANTS } from '../language/catalogue.ts';
import { intern } from '../values/bytes.ts';
import { isList, isMap, toInt, isInt, isIp } from '../values/value.ts';
import type { Value, Values, Int } from '../values/value.ts';
import { conditionType } from '../language/condition-type.ts';
import { FUNCTIONS } from '../functions/table.ts';
import { compileRegex } from '../regex/compile-regex.ts';
import { compileIntRanges, ipRangesContain, mergeRanges } from '../values/ranges.ts';
import type { IpAddress } from '../../data/index.ts';
import { compileWildcard, parseWildcard } from '../values/wildcard.ts';
import type { Compiler, Many, Single, CompiledTest } from './compiler.ts';

/** Compiles an operand without `[*]`. */
export function compileSingle(compiler: Compiler, operand: Operand): Single {
  return operand.indexes.reduce<Single>(compileIndex, compileSource(compiler, operand));
}

/**
 * Compiles an operand with one or several `[*]`: elements of an array in order, values of a map by the bytes of its keys. Rows without the
 * indexed element are skipped, not nil (rules-language.md 2.4).
 */
export function compileMany(compiler: Compiler, operand: Operand): Many {
  const first = operand.indexes.findIndex((index) => index.kind === 'each');
  const base = operand.indexes.slice(0, first).reduce<Single>(compileIndex, compileSource(compiler, operand));
  const rest = operand.indexes.slice(first + 1);
  if (rest.length === 0) {
    return (values) => elementsOf(base(values));
  }
  return (values) =>
    rest.reduce<readonly Value[] | undefined>(
      (rows, index) =>
        rows?.flatMap((row) => (index.kind === 'each' ? (elementsOf(row) ?? []) : found(row, index))),
      elementsOf(base(values)),
    );
}

function compileSource(compiler: Compiler, { source }: Operand): Single {
  if (source.kind === 'call') {
    return compileCall(compiler, source);
  }
  const name = intern(source.name);
  const constant = CONSTANTS.get(name);
  return constant === undefined ? (values) => values.get(name) : (values) => values.get(name) ?? constant;
}

function compileIndex(base: Single, index: Index): Single {
  switch (index.kind) {
    case 'element': {
      const { index: position } = index;
      return (values) => {
        const list = base(values);
        return isList(list) ? list[position] : undefined;
      };
    }
    case 'key': {
      const key = intern(index.key);
      return (values) => {
        const map = base(values);
        return isMap(map) ? map.get(key) : undefined;
      };
    }
    case 'each':
      return base;
    default:
      return index satisfies never;
  }
}

function elementsOf(value: Value | undefined): readonly Value[] | undefined {
  if (isList(value)) {
    return value;
  }
  return isMap(value) ? [...value.values()] : undefined;
}

/** Returns the element of a row as a list of one, or an empty list when the row has no such element. */
function found(row: Value, index: Exclude<Index, { readonly kind: 'each' }>): readonly Value[] {
  const element = compileIndex(() => row, index)(NO_VALUES);
  return element === undefined ? [] : [element];
}

const NO_VALUES: Values = new Map();

/**
 * Compiles a call. When its first argument has `[*]`, the function is applied to each element and missing results are dropped; the other
 * arguments are the same for all elements (rules-language.md 1.5 and 2.4).
 */
function compileCall(compiler: Compiler, call: FunctionCall): Single {
  const literals = call.arguments.map(literalOf);
  const built = FUNCTIONS.get(call.name)?.({ literals, context: compiler.context });
  if (built === undefined || !built.ok) {
    const message = built?.reason ?? `the function ${call.name} cannot be evaluated here`;
    compiler.problems.push({ message, span: call.span });
    return () => undefined;
  }
  const { apply } = built;
  const [first, ...others] = call.arguments;
  const rest = others.map((argument) => compileArgument(compiler, argument));
  if (call.elementwise && first?.kind === 'operand') {
    const elements = compiler.parts.many(compiler, first);
    return (values) => {
      const fixed = rest.map((argument) => argument(values));
      return elements(values)?.flatMap((element) => {
        const result = apply([element, ...fixed]);
        return result === undefined ? [] : [result];
      });
    };
  }
  const all = first === undefined ? [] : [compileArgument(compiler, first), ...rest];
  return (values) => apply(all.map((argument) => argument(values)));
}

function compileArgument(compiler: Compiler, argument: Argument): Single {
  switch (argument.kind) {
    case 'operand':
      return compiler.parts.single(compiler, argument);
    case 'condition':
      return conditionType(argument.condition).kind === 'Array'
        ? compiler.parts.conditionArray(compiler, argument.condition)
        : compiler.parts.condition(compiler, argument.condition);
    case 'bytes':
    case 'int':
    case 'ip': {
      const value = literalOf(argument);
      return () => value;
    }
    default:
      return argument satisfies never;
  }
}

function literalOf(argument: Argument): Value | undefined {
  switch (argument.kind) {
    case 'bytes':
      return intern(argument.value);
    case 'ip':
      return argument.value;
    case 'int':
      return toInt(argument.value);
    case 'operand':
    case 'condition':
      return undefined;
    default:
      return argument satisfies never;
  }
}

/** Compiles a comparison of the values of `left`. A missing value gives false; for `ne` it gives `nilNotEqual` (rules-language.md 2.3). */
export function compileTest(compiler: Compiler, comparison: Comparison, left: Single): CompiledTest {
  switch (comparison.operator) {
    case 'eq':
    case 'ne':
    case 'ge':
    case 'le':
    case 'gt':
    case 'lt':
      return comparison.right.kind === 'operand'
        ? compareOperands(compiler, { left, operator: comparison.operator, right: comparison.right })
        : compareLiteral(compiler, { left, operator: comparison.operator, right: comparison.right });
    case 'in':
      return comparison.right.kind === 'list'
        ? compileList(compiler, left, comparison.right.name)
        : compileSet(left, comparison.right);
    case 'bitwise_and':
      return compileBits(left, toInt(comparison.right.value));
    case 'contains': {
      const part = intern(comparison.right.value);
      return onBytes(left, (value) => value.includes(part));
    }
    case 'matches': {
      const regex = compileRegex(comparison.right.pattern);
      if (!regex.ok) {
        compiler.problems.push({
          message: `regular expression: ${regex.reason}`,
          span: comparison.right.span,
        });
        return () => false;
      }
      return onBytes(left, regex.matches);
    }
    case 'wildcard':
    case 'strict wildcard': {
      const parsed = parseWildcard(comparison.right.pattern);
      if (!parsed.ok) {
        compiler.problems.push({ message: parsed.message, span: comparison.right.span });
        return () => false;
      }
      return onBytes(
        left,
        compileWildcard(parsed.pattern, comparison.operator === 'wildcard' ? 'fold' : 'exact'),
      );
    }
    default:
      return comparison satisfies never;
  }
}

function onBytes(left: Single, test: (value: string) => boolean): CompiledTest {
  return (values) => {
    const value = left(values);
    return typeof value === 'string' && test(value);
  };
}

/** For each operator, whether it holds for an order (negative, zero, positive). */
const ORDERS: Readonly<Record<OrderingOperator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};

interface Sides<Right> {
  readonly left: Single;
  readonly operator: OrderingOperator;
  readonly right: Right;
}

function compareLiteral(compiler: Compiler, { left, operator, right }: Sides<Literal>): CompiledTest {
  const { nilNotEqual } = compiler;
  if (right.kind === 'ip') {
    const address = right.value;
    return (values) => {
      const value = left(values);
      return isIp(value) ? compareAddresses(operator, value, address) : operator === 'ne' && nilNotEqual;
    };
  }
  const literal = right.kind === 'int' ? toInt(right.value) : intern(right.value);
  if (operator === 'eq') {
    return (values) => left(values) === literal;
  }
  if (operator === 'ne') {
    return (values) => {
      const value = left(values);
      return value === undefined ? nilNotEqual : value !== literal;
    };
  }
  const fits = ORDERS[operator];
  return (values) => {
    const value = left(values);
    return value !== undefined && fits(compareValues(value, literal));
  };
}

/** Compiles a comparison with a field or a call (rules-language.md 10): a value missing on either side counts as missing. */
function compareOperands(compiler: Compiler, { left, operator, right }: Sides<Operand>): CompiledTest {
  const { nilNotEqual } = compiler;
  const other = compileSingle(compiler, right);
  const fits = ORDERS[operator];
  return (values) => {
    const value = left(values);
    const against = other(values);
    if (value === undefined || against === undefined) {
      return operator === 'ne' && nilNotEqual;
    }
    return isIp(value) && isIp(against)
      ? compareAddresses(operator, value, against)
      : fits(compareValues(value, against));
  };
}

/** Addresses of different families are not ordered: only `ne` holds (rules-language.md 2.2). */
function compareAddresses(operator: OrderingOperator, left: IpAddress, right: IpAddress): boolean {
  return left.family === right.family
    ? ORDERS[operator](compareValues(left.value, right.value))
    : operator === 'ne';
}

/** Returns the order of two integers, or of two byte strings by their bytes; false comes before true. */
function compareValues(left: Value, right: Value): number {
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
}

function compileBits(left: Single, mask: Int): CompiledTest {
  const small = typeof mask === 'number' && (mask | 0) === mask ? mask : undefined;
  const wide = BigInt(mask);
  return (values) => {
    const value = left(values);
    if (small !== undefined && typeof value === 'number' && (value | 0) === value) {
      return (value & small) !== 0;
    }
    return isInt(value) && (BigInt(value) & wide) !== 0n;
  };
}

function compileList(compiler: Compiler, left: Single, name: string): CompiledTest {
  const { inList } = compiler.context;
  return (values) => {
    const value = left(values);
    return value !== undefined && inList !== undefined && inList(name, value);
  };
}

function compileSet(left: Single, set: SetLiteral): CompiledTest {
  switch (set.of) {
    case 'Bytes': {
      const members = new Set(set.items.map((item) => intern(item.value)));
      return onBytes(left, (value) => members.has(value));
    }
    case 'Int': {
      const contains = compileIntRanges(set.items);
      return (values) => {
        const value = left(values);
        return isInt(value) && contains(value);
      };
    }
    case 'Ip': {
      const ranges = mergeRanges(set.items.map((item) => item.range));
      return (values) => {
        const value = left(values);
        return isIp(value) && ipRangesContain(ranges, value);
      };
    }
    default:
      return set satisfies never;
  }
}
