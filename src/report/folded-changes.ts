import type { DeleteRule, RuleChange } from '../model/change.ts';
import { shortName } from '../model/described-name.ts';
import { groupBy } from '../model/group-by.ts';
import type { Step } from '../model/plan.ts';
import { ruleCounts } from '../model/rule-order.ts';
import { counted } from '../model/count.ts';
import type { Graves } from './lowering.ts';
import { isGraveChange } from './lowering.ts';
import type { Telling } from './telling.ts';
import type { Detail } from './theme.ts';

/** Up to so many changes of a ruleset that are alike, each is told by itself. */
const FEW = 20;

/** What is told of a step: changes one by one, and many that are alike at once. */
export interface ToldChanges {
  readonly changes: readonly RuleChange[];
  /** Of many moves; null where each is among the changes. */
  readonly order: string | null;
  readonly deletions: readonly AlikeDeletions[];
}

/** Rules that go, of one action and for one reason grave or not. */
export interface AlikeDeletions {
  readonly action: string;
  readonly enabled: boolean;
  /** Why they lower protection; undefined where they do not. */
  readonly lowers: string | undefined;
  /** All of them, in their order. */
  readonly names: readonly string[];
}

/** How a step is told. */
interface ToldStep {
  readonly graves: Graves;
  readonly telling: Telling['kind'];
  readonly detail?: Detail | undefined;
}

/**
 * Of a list in another order, nobody reads where each rule goes, and of hundreds that go, what each said. What is grave is told all the
 * same.
 */
export function toldChanges(step: Step, told: ToldStep): ToldChanges {
  if (told.detail === 'each' || step.changes.length <= FEW) {
    return { changes: step.changes, order: null, deletions: [] };
  }
  const moves = plainMoves(step, told);
  const deletions = alikeDeletions(step, told);
  const folded = new Set<RuleChange>([...moves, ...deletions.flat()]);
  return {
    changes: step.changes.filter((change) => !folded.has(change)),
    order:
      moves.length === 0
        ? null
        : `order ${told.telling === 'plan' ? 'changes' : 'differs'}: ${moves.length} of ${counted(ruleCounts(step).after, 'rule')}`,
    deletions: deletions.flatMap((group) => toldDeletions(group, step, told)),
  };
}

function plainMoves(step: Step, { graves }: ToldStep): readonly RuleChange[] {
  const moves = step.changes.filter(
    (change) => change.kind === 'move' && !isGraveChange(graves(step, change)),
  );
  return moves.length > FEW ? moves : [];
}

function alikeDeletions(step: Step, { graves }: ToldStep): readonly (readonly DeleteRule[])[] {
  const gone = step.changes.flatMap((change) =>
    change.kind === 'delete' && !isGraveChange({ ...graves(step, change), lowers: undefined })
      ? [change]
      : [],
  );
  const groups = groupBy(gone, (change) =>
    JSON.stringify([change.before.action, change.before.enabled, graves(step, change).lowers]),
  );
  return [...groups.values()].filter(({ length }) => length > FEW);
}

function toldDeletions(
  group: readonly DeleteRule[],
  step: Step,
  { graves }: ToldStep,
): readonly AlikeDeletions[] {
  const names = group.map(({ ref, before }) => shortName(ref, before.description));
  return group.slice(0, 1).map((first) => ({
    action: first.before.action,
    enabled: first.before.enabled,
    lowers: graves(step, first).lowers,
    names,
  }));
}
