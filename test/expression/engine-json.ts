import type {
  Argument,
  Condition,
  Literal,
  Operand,
  RightSide,
  Tree,
} from '../../src/expression/language/ast.ts';
import { decodeBytes } from '../../src/expression/values/bytes.ts';
import { formatIpAddress } from '../../src/data/index.ts';
import { printIpRange } from '../../src/expression/print/print-literal.ts';

/** A tree as the engine writes it in JSON (rules-language.md 6.2): parentheses vanish, and with them spans and spelling. */
export function engineJson(tree: Tree): unknown {
  return tree.mode === 'filter' ? condition(tree.root) : operand(tree.root);
}

const OPERATORS = {
  eq: 'Equal',
  ne: 'NotEqual',
  lt: 'LessThan',
  le: 'LessThanEqual',
  gt: 'GreaterThan',
  ge: 'GreaterThanEqual',
  bitwise_and: 'BitwiseAnd',
  contains: 'Contains',
  matches: 'Matches',
  wildcard: 'Wildcard',
  'strict wildcard': 'Strict Wildcard',
} as const;
const COMBINERS = { or: 'Or', xor: 'Xor', and: 'And' } as const;

function condition(node: Condition): unknown {
  switch (node.kind) {
    case 'group':
      return condition(node.item);
    case 'not':
      return { op: 'Not', arg: condition(node.item) };
    case 'quantifier':
      return { op: node.quantifier === 'any' ? 'Any' : 'All', arg: argument(node.argument) };
    case 'bare':
      return { lhs: operand(node.operand), op: 'IsTrue' };
    case 'comparison': {
      const inSet = node.right.kind === 'list' ? 'InList' : 'OneOf';
      const op = node.operator === 'in' ? inSet : OPERATORS[node.operator];
      return { lhs: operand(node.left), op, rhs: right(node.right) };
    }
    default:
      return { op: COMBINERS[node.kind], items: node.items.map(condition) };
  }
}

function operand({ source, indexes }: Operand): unknown {
  const base =
    source.kind === 'field' ? source.name : { name: source.name, args: source.arguments.map(argument) };
  const path = indexes.map((index) => {
    if (index.kind === 'each') {
      return { kind: 'MapEach' };
    }
    return index.kind === 'key'
      ? { kind: 'MapKey', value: decodeBytes(index.key) }
      : { kind: 'ArrayIndex', value: index.index };
  });
  return path.length === 0 ? base : [base, ...path];
}

function argument(node: Argument): unknown {
  if (node.kind === 'operand') {
    return { kind: 'IndexExpr', value: operand(node) };
  }
  return node.kind === 'condition'
    ? { kind: 'SimpleExpr', value: condition(node.condition) }
    : { kind: 'Literal', value: literal(node) };
}

function right(node: RightSide): unknown {
  switch (node.kind) {
    case 'operand':
      return { kind: 'IndexExpr', value: operand(node) };
    case 'set':
      return node.items.map((item) => {
        if (item.kind === 'bytes') {
          return literal(item);
        }
        if (item.kind === 'int-range') {
          return { start: Number(item.first), end: Number(item.last) };
        }
        const { family, first, last } = item.range;
        return item.text.includes('..')
          ? {
              start: formatIpAddress({ family, value: first }),
              end: formatIpAddress({ family, value: last }),
            }
          : printIpRange(item);
      });
    case 'list':
      return node.name;
    case 'regex':
      return decodeBytes(node.pattern);
    case 'wildcard-pattern':
      return bytes(node.pattern);
    default:
      return literal(node);
  }
}

function literal(node: Literal): unknown {
  switch (node.kind) {
    case 'int':
      return Number(node.value);
    case 'ip':
      return formatIpAddress(node.value);
    default:
      return node.form === 'hex' ? numbers(node.value) : bytes(node.value);
  }
}

function bytes(value: string): unknown {
  return decodeBytes(value) ?? numbers(value);
}

function numbers(value: string): readonly number[] {
  return Array.from(value, (char) => char.charCodeAt(0));
}
