import type { Combination, Condition, Group, Not } from './ast.ts';

/** A condition that is not in parentheses. */
export type Ungrouped = Exclude<Condition, Group>;

/** The condition without the parentheses around it. */
export function ungroup(condition: Condition): Ungrouped {
  let inner = condition;
  while (inner.kind === 'group') {
    inner = inner.item;
  }
  return inner;
}

/** A condition that is not made of others by `and`, `or`, `xor`, `not` and parentheses. */
export type Leaf = Exclude<Condition, Combination | Group | Not>;

/** The leaves of a condition, in the order written. */
export function leavesOf(condition: Condition): readonly Leaf[] {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      return condition.items.flatMap(leavesOf);
    case 'not':
    case 'group':
      return leavesOf(condition.item);
    default:
      return [condition];
  }
}

/** Whether a condition is an `and`, `or` or `xor`. */
export function isJoined(condition: Condition): condition is Combination {
  return condition.kind === 'or' || condition.kind === 'xor' || condition.kind === 'and';
}

/** Returns the operands of one operator in one list, through parentheses and nested combinations of the same operator. */
export function flatten(condition: Condition, kind: Combination['kind']): readonly Ungrouped[] {
  const flat: Ungrouped[] = [];
  gather(condition, kind, flat);
  return flat;
}

function gather(condition: Condition, kind: Combination['kind'], into: Ungrouped[]): void {
  const inner = ungroup(condition);
  if (inner.kind !== kind) {
    into.push(inner);
    return;
  }
  for (const item of inner.items) {
    gather(item, kind, into);
  }
}
