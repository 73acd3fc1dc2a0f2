import type { DeleteRule, RuleChange, Step } from '../model/index.ts';
import { shortName, ruleCounts } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { counted } from '../text/index.ts';
import type { Graves } from './severity.ts';
import { isGraveChange } from './severity.ts';
import type { Telling } from './telling.ts';
import type { Detail } from './layout.ts';

/** Up to this many changes of a ruleset that are alike are each shown. */
const FEW = 20;

/** The changes shown for a step: some one by one, and groups of many that are alike. */
export interface ToldChanges {
  readonly changes: readonly RuleChange[];
  /** A sentence about many moves; null when each move is among the changes. */
  readonly order: string | null;
  readonly deletions: readonly AlikeDeletions[];
}

/** Deleted rules with the same action, and the same reason for lowering protection, if any. */
export interface AlikeDeletions {
  readonly action: string;
  readonly enabled: boolean;
  /** Why deleting them lowers protection; undefined when it does not. */
  readonly lowers: string | undefined;
  /** The names of all these rules, in order. */
  readonly names: readonly string[];
}

/** How to show a step. */
interface ToldStep {
  readonly graves: Graves;
  readonly telling: Telling['kind'];
  readonly detail?: Detail | undefined;
}

/**
 * Folds many moves of a step into one sentence and many deletions into groups, because nobody reads each of them. Grave moves, and
 * deletions that concern every request, are always shown one by one.
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
