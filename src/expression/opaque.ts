import { takeInventory } from './check/take-inventory.ts';
import type { Comparison, Condition, Tree } from './language/ast.ts';
import { BOOL } from './values/type.ts';

type FilterTree = Extract<Tree, { readonly mode: 'filter' }>;

/** Whether a literal, as it stands in an expression, is a placeholder for another text. */
export type IsOpaque = (literal: string) => boolean;

/**
 * Returns the condition for proofs: each test with a placeholder becomes a test of which a proof only knows whether two are identical. The
 * rest of the condition stays as it is.
 */
export function withOpaque(tree: FilterTree, isOpaque: IsOpaque): FilterTree {
  return hasOpaque(tree.root, isOpaque) ? { ...tree, root: within(tree.root, isOpaque) } : tree;
}

function hasOpaque(root: Condition, isOpaque: IsOpaque): boolean {
  const { comparisons, calls, operands } = takeInventory('', { mode: 'filter', root });
  return (
    comparisons.some((comparison) => textsOf(comparison).some(isOpaque)) ||
    calls.some((call) => call.arguments.some((part) => part.kind === 'bytes' && isOpaque(part.value))) ||
    operands.some(({ indexes }) => indexes.some((index) => index.kind === 'key' && isOpaque(index.key)))
  );
}

function within(condition: Condition, isOpaque: IsOpaque): Condition {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      return { ...condition, items: condition.items.map((item) => within(item, isOpaque)) };
    case 'not':
    case 'group':
      return { ...condition, item: within(condition.item, isOpaque) };
    default:
      return hasOpaque(condition, isOpaque) ? sealed(condition) : condition;
  }
}

/** Wraps a condition as the argument of a call of an unknown function: proofs only compare such calls for equality. */
function sealed(condition: Condition): Condition {
  const { span } = condition;
  const source = {
    kind: 'call',
    name: 'opaque',
    arguments: [{ kind: 'condition', condition, span }],
    type: BOOL,
    elementwise: false,
    span,
  } as const;
  const operand = { kind: 'operand', source, indexes: [], type: BOOL, each: 0, span } as const;
  return { kind: 'bare', operand, elementwise: false, span };
}

function textsOf({ right }: Comparison): readonly string[] {
  switch (right.kind) {
    case 'bytes':
      return [right.value];
    case 'regex':
    case 'wildcard-pattern':
      return [right.pattern];
    case 'set':
      return right.of === 'Bytes' ? right.items.map(({ value }) => value) : [];
    default:
      return [];
  }
}
