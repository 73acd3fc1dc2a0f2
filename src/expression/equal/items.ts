import type { Comparison, SetLiteral } from '../ast.ts';
import { printLiteral, setItems } from '../print/arrange.ts';
import { printOperand } from '../print.ts';
import { showBytes } from '../source.ts';

/** Items that were added to and removed from the values that one operand is tested against, in canonical text. */
export interface ItemChange {
  readonly kind: 'items';
  /** The operand in canonical text. */
  readonly operand: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The difference of two tests of one operand against fixed values; undefined when one of them is something else. */
export function differentItems(before: Comparison, after: Comparison): ItemChange | undefined {
  const old = itemsOf(before);
  const now = itemsOf(after);
  if (old === undefined || now === undefined) {
    return undefined;
  }
  return {
    kind: 'items',
    operand: printOperand(before.left),
    added: without(now, new Set(old)),
    removed: without(old, new Set(now)),
  };
}

function itemsOf({ operator, right }: Comparison): readonly string[] | undefined {
  if (operator === 'in' && right.kind === 'set') {
    return shown(right);
  }
  return operator === 'eq' && right.kind !== 'operand' ? [showBytes(printLiteral(right))] : undefined;
}

function shown(set: SetLiteral): readonly string[] {
  return setItems(set).map(showBytes);
}

function without(items: readonly string[], known: ReadonlySet<string>): readonly string[] {
  return [...new Set(items)].filter((item) => !known.has(item));
}
