import type { RuleChange } from './change.ts';

/** The number from 1 that a rule had before it moved or went; null for rules that stay and for new ones. */
export function formerIndex(change: RuleChange): number | null {
  switch (change.kind) {
    case 'delete':
      return change.place.index;
    case 'move':
      return change.move.from.index;
    case 'patch':
      return change.move?.from.index ?? null;
    case 'add':
      return null;
    default:
      return change satisfies never;
  }
}

/** The order before a step: rules that moved or went by the number they had, between them those that stayed. */
export function formerOrder<Rule>(
  staying: readonly Rule[],
  placed: ReadonlyMap<number, Rule>,
): readonly Rule[] {
  const rules: Rule[] = [];
  const total = placed.size + staying.length;
  for (let index = 1, next = 0; index <= total; index += 1) {
    const rule = placed.get(index) ?? staying[next];
    next += placed.has(index) ? 0 : 1;
    if (rule !== undefined) {
      rules.push(rule);
    }
  }
  return rules;
}
