import type { Condition, Operand, Tree } from '../language/ast.ts';
import { arrangeCondition, arrangeOperand } from './arrange.ts';
import { writeLayout } from './layout.ts';
import { printQuoted, printRaw } from './literal.ts';
import type { Layout } from './layout.ts';
import { showBytes } from '../language/source.ts';
import { encodeBytes } from '../values/bytes.ts';

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
