import type {
  Condition,
  Operand,
  Tree,
  Argument,
  Comparison,
  Index,
  Literal,
  SetLiteral,
} from '../language/ast.ts';
import { showBytes } from '../language/source-bytes.ts';
import { encodeBytes } from '../values/bytes.ts';
import { formatIpAddress } from '../../data/index.ts';
import { isJoined, ungroup } from '../language/field-tests.ts';
import { writeLayout, enclosed, LINE, row } from './print-layout.ts';
import {
  printQuoted,
  printRaw,
  printBytes,
  printIntRange,
  printIpRange,
  printRegex,
} from './print-literal.ts';
import type { Layout } from './print-layout.ts';

/**
 * Returns the layout of a condition: operators in English, parentheses only around a joined condition inside another one. The text parses
 * to the same tree but for parentheses without effect (`rules-language.md` 6.4).
 */
function arrangeCondition(condition: Condition): Layout {
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
function arrangeOperand({ source, indexes }: Operand): Layout {
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

/** How an expression is printed. */
export interface PrintOptions {
  /** The width of a line; by default everything is on one line. */
  readonly width?: number;
  /** The maximum size of the text in bytes; a longer one is not broken over lines. 4,096 by default (`rules-language.md` 4). */
  readonly maximumLength?: number;
}

/**
 * Returns the canonical text of an expression (`rules-language.md` 6.4). It parses to the same tree, but for parentheses without effect and
 * the spelling of literals, and printing that tree gives the same text. With `width`, long expressions are broken over lines.
 */
export function printExpression(tree: Tree, options: PrintOptions = {}): string {
  const layout = tree.mode === 'filter' ? arrangeCondition(tree.root) : arrangeOperand(tree.root);
  const { width = Number.POSITIVE_INFINITY, maximumLength = 4096 } = options;
  const broken = writeLayout(layout, width);
  return showBytes(broken.length > maximumLength ? onOneLine(layout) : broken);
}

/** Returns the canonical text of a condition on one line. */
export function printCondition(condition: Condition): string {
  return showBytes(onOneLine(arrangeCondition(condition)));
}

/** Returns the canonical text of an operand on one line. */
export function printOperand(operand: Operand): string {
  return showBytes(onOneLine(arrangeOperand(operand)));
}

/** Returns a text as a quoted literal, which may stand wherever a string may; not for regular expressions. */
export function quoteText(text: string): string {
  return showBytes(printQuoted(encodeBytes(text)));
}

/** Returns a text as a raw literal, as regular expressions need it; undefined when that would take too many `#`. */
export function rawText(text: string): string | undefined {
  const raw = printRaw(encodeBytes(text));
  return raw === undefined ? undefined : showBytes(raw);
}

function onOneLine(layout: Layout): string {
  return writeLayout(layout, Number.POSITIVE_INFINITY);
}
