import type { RuleContent } from '../../model/rule.ts';
import type { Passed } from './place.ts';

/** A rule of the final list that lives already. */
export interface Standing {
  readonly ref: string;
  /** Its place among the live rules before. */
  readonly live: number;
  readonly content: RuleContent;
  /** What it says before. */
  readonly before: RuleContent;
}

/**
 * The rules that stand on the other side of a moved rule than before, of those that are there before and
 * after. `order` is the final list without new rules; `at` is the moved rule's place in it.
 */
export function rulesPassed(order: readonly Standing[], at: number): readonly Passed[] {
  const moved = order[at];
  if (moved === undefined) {
    return [];
  }
  return order.flatMap((other, index): readonly Passed[] => {
    const wasBefore = other.live < moved.live;
    const isBefore = index < at;
    return index === at || wasBefore === isBefore
      ? []
      : [
          {
            ref: other.ref,
            content: other.content,
            before: other.before,
            direction: isBefore ? 'down' : 'up',
          },
        ];
  });
}
