import type {
  Argument,
  Comparison,
  Condition,
  Index,
  Literal,
  Operand,
  SetLiteral,
} from '../language/ast.ts';
import { formatIpAddress } from '../values/ip.ts';
import { isJoined, ungroup } from '../language/ungroup.ts';
import { enclosed, LINE, row } from './layout.ts';
import type { Layout } from './layout.ts';
import { printBytes, printIntRange, printIpRange, printQuoted, printRegex } from './literal.ts';

/**
 * Returns the layout of a condition: operators in English, parentheses only around a joined condition inside another one. The text parses
 * to the same tree but for parentheses without effect (`rules-language.md` 6.4).
 */
export function arrangeCondition(condition: Condition): Layout {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and': {
      const items = condition.items.map((item, index) =>
        index === 0 ? arrangeInner(item) : row(LINE, `${condition.kind} `, arrangeInner(item)),
      );
      return { kind: 'group', content: row(...items) };
    }
    case 'not':
      return row('not ', arrangeInner(condition.item));
    case 'group':
      return arrangeCondition(condition.item);
    case 'quantifier':
      return row(condition.quantifier, enclosed('(', arrangeArgument(condition.argument), ')'));
    case 'bare':
      return arrangeOperand(condition.operand);
    case 'comparison':
      return row(arrangeOperand(condition.left), ` ${condition.operator} `, arrangeRight(condition));
    default:
      return condition satisfies never;
  }
}

/** Returns the layout of a field or call with its indexes. */
export function arrangeOperand({ source, indexes }: Operand): Layout {
  const ends = indexes.map(arrangeIndex).join('');
  if (source.kind === 'field') {
    return source.name + ends;
  }
  const given = source.arguments.map((argument, index) =>
    index === 0 ? arrangeArgument(argument) : row(',', LINE, arrangeArgument(argument)),
  );
  return row(source.name, given.length === 0 ? '()' : enclosed('(', row(...given), ')'), ends);
}

function arrangeInner(condition: Condition): Layout {
  const inner = ungroup(condition);
  return isJoined(inner) ? enclosed('(', arrangeCondition(inner), ')') : arrangeCondition(inner);
}

/** Returns the layout of an argument. A joined condition or a bare operand needs parentheses to be read as a condition there (1.5). */
function arrangeArgument(argument: Argument): Layout {
  if (argument.kind === 'operand') {
    return arrangeOperand(argument);
  }
  if (argument.kind !== 'condition') {
    return printLiteral(argument);
  }
  const inner = ungroup(argument.condition);
  return isJoined(inner) || inner.kind === 'bare'
    ? enclosed('(', arrangeCondition(inner), ')')
    : arrangeCondition(inner);
}

function arrangeRight({ right }: Comparison): Layout {
  switch (right.kind) {
    case 'operand':
      return arrangeOperand(right);
    case 'set':
      return arrangeSet(right);
    case 'list':
      return `$${right.name}`;
    case 'regex':
      return printRegex(right);
    case 'wildcard-pattern':
      return printBytes(right.pattern);
    default:
      return printLiteral(right);
  }
}

function arrangeSet(set: SetLiteral): Layout {
  const parts = setItems(set);
  return parts.length === 0 ? '{}' : enclosed('{', { kind: 'fill', parts }, '}');
}

/** Returns the items of a set in canonical form, in the order written. */
export function setItems(set: SetLiteral): readonly string[] {
  switch (set.of) {
    case 'Int':
      return set.items.map(printIntRange);
    case 'Ip':
      return set.items.map(printIpRange);
    case 'Bytes':
      return set.items.map(({ value }) => printBytes(value));
    default:
      return set satisfies never;
  }
}

/** Returns a literal in canonical form: integers in decimal, addresses in their shortest form. */
export function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'int':
      return String(literal.value);
    case 'ip':
      return formatIpAddress(literal.value);
    case 'bytes':
      return printBytes(literal.value);
    default:
      return literal satisfies never;
  }
}

function arrangeIndex(index: Index): string {
  if (index.kind === 'each') {
    return '[*]';
  }
  return index.kind === 'key' ? `[${printQuoted(index.key)}]` : `[${index.index}]`;
}
