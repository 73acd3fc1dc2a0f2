import type { RuleChange } from '../model/change.ts';
import type { Step } from '../model/plan.ts';
import { ruleCounts } from '../model/rule-order.ts';
import { counted } from './count.ts';
import type { Lowering } from './lowering.ts';
import type { Telling } from './telling.ts';
import type { Detail } from './theme.ts';

/** Up to so many moves of a ruleset, each is told by itself. */
const FEW = 20;

/** The changes of a step that are told one by one, and what is told of its many moves at once. */
export interface ToldChanges {
  readonly changes: readonly RuleChange[];
  /** Null where each move is among the changes. */
  readonly order: string | null;
}

/** Of a list in another order, nobody reads where each rule goes; a move that lowers protection is told all the same. */
export function toldChanges(
  step: Step,
  {
    lowering,
    telling,
    detail,
  }: { readonly lowering: Lowering; readonly telling: Telling['kind']; readonly detail?: Detail | undefined },
): ToldChanges {
  const isPlain = (change: RuleChange): boolean =>
    change.kind === 'move' && lowering(step, change) === undefined;
  const moves = detail === 'each' ? 0 : step.changes.filter(isPlain).length;
  return moves <= FEW
    ? { changes: step.changes, order: null }
    : {
        changes: step.changes.filter((change) => !isPlain(change)),
        order: `order ${telling === 'plan' ? 'changes' : 'differs'}: ${moves} of ${counted(ruleCounts(step).after, 'rule')}`,
      };
}
