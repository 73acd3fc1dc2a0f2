import { groupBy } from '../data/index.ts';
import {
  calledName,
  changeKey,
  descriptionOf,
  entryKey,
  orderAfter,
  orderBefore,
  shortName,
  ruleCounts,
} from '../model/index.ts';
import type { RuleChange, Step, DeleteRule } from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { Detail } from './layout.ts';
import { isSevereChange } from './severity.ts';
import type { SeverityOf } from './severity.ts';
import { MARKS } from './perspective.ts';
import type { Perspective } from './perspective.ts';
import type { Block, OrderRow } from './tree.ts';

/** A rule in the order of a ruleset: its `entryKey`, and its change, if any. */
interface OrderedRule {
  readonly key: string;
  readonly change?: RuleChange;
}

/** The rules of a ruleset before and after a step. */
export interface RuleOrder {
  readonly before: readonly OrderedRule[];
  readonly after: readonly OrderedRule[];
}

/** Returns both orders of a ruleset, with the change of each rule. */
export function ruleOrder(step: Step): RuleOrder {
  const changes = new Map(step.changes.map((change) => [changeKey(change), change]));
  const ordered = (key: string): OrderedRule => {
    const change = changes.get(key);
    return change === undefined ? { key } : { key, change };
  };
  return {
    before: orderBefore(step).map((id) => ordered(entryKey({ kind: 'live', id }))),
    after: orderAfter(step).map((one) => ordered(entryKey(one))),
  };
}

/** A rule that changes, or a run of rules that do not. */
type RuleOrRun =
  | { readonly kind: 'rule'; readonly change: RuleChange }
  | { readonly kind: 'run'; readonly count: number };

/** Returns the changed rules in the order in which they are evaluated, each deleted rule at its former place. */
export function rulesInOrder(order: RuleOrder, step: Step): readonly RuleOrRun[] {
  const rules = withDeleted(order);
  const missing = step.changes.filter((change) => !rules.some((rule) => rule.change === change));
  const runs: RuleOrRun[] = [];
  for (const { change } of [...rules, ...missing.map((change) => ({ change }))]) {
    const last = runs.at(-1);
    if (change !== undefined) {
      runs.push({ kind: 'rule', change });
    } else if (last?.kind === 'run') {
      runs[runs.length - 1] = { kind: 'run', count: last.count + 1 };
    } else {
      runs.push({ kind: 'run', count: 1 });
    }
  }
  return runs;
}

function withDeleted({ before, after }: RuleOrder): readonly OrderedRule[] {
  const behind = new Map<string, readonly OrderedRule[]>();
  let last = '';
  for (const rule of before) {
    if (rule.change?.kind === 'delete') {
      behind.set(last, [...(behind.get(last) ?? []), rule]);
    } else if (rule.change === undefined || rule.change.kind === 'patch') {
      last = rule.key;
    }
  }
  return [...(behind.get('') ?? []), ...after.flatMap((rule) => [rule, ...(behind.get(rule.key) ?? [])])];
}

/** Returns both orders of a ruleset side by side; nothing when no rule moves. */
export function orderBlock({ before, after }: RuleOrder, { kind }: Perspective): readonly Block[] {
  const moves = after.filter(isMoved).length;
  if (moves === 0) {
    return [];
  }
  const [now, then] = kind === 'plan' ? ['Now', 'After apply'] : ['Live', 'Files'];
  return [
    {
      kind: 'order',
      caption:
        kind === 'plan'
          ? counted(moves, 'rule moves', 'rules move')
          : `${counted(moves, 'rule')} in another place`,
      before: { title: now, rows: rowsOf(before) },
      after: { title: then, rows: rowsOf(after) },
    },
  ];
}

function isMoved({ change }: Pick<OrderedRule, 'change'>): boolean {
  return change?.kind === 'move' || (change?.kind === 'patch' && change.move !== undefined);
}

function rowsOf(rules: readonly OrderedRule[]): readonly OrderRow[] {
  const rows: (Exclude<OrderRow, { readonly kind: 'run' }> | { readonly kind: 'run'; count: number })[] = [];
  for (const [index, { key, change }] of rules.entries()) {
    const last = rows.at(-1);
    if (change !== undefined && (isMoved({ change }) || change.kind === 'add' || change.kind === 'delete')) {
      // A patched rule has a row only when it also moves.
      const { style } = MARKS.plan[change.kind === 'patch' ? 'move' : change.kind];
      const name = calledName(change.ref, descriptionOf(change)) || change.ref;
      rows.push({ kind: 'thing', number: index + 1, name, style, key: isMoved({ change }) ? key : null });
    } else if (last?.kind === 'run') {
      last.count += 1;
    } else {
      rows.push({ kind: 'run', count: 1 });
    }
  }
  return rows.map((row) =>
    row.kind === 'run' ? { kind: 'run', text: counted(row.count, 'stays', 'stay') } : row,
  );
}

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
  readonly severityOf: SeverityOf;
  readonly perspective: Perspective['kind'];
  readonly detail?: Detail | undefined;
}

/**
 * Folds many moves of a step into one sentence and many deletions into groups, because nobody reads each of them. Severe moves, and
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
        : `order ${told.perspective === 'plan' ? 'changes' : 'differs'}: ${moves.length} of ${counted(ruleCounts(step).after, 'rule')}`,
    deletions: deletions.flatMap((group) => toldDeletions(group, step, told)),
  };
}

function plainMoves(step: Step, { severityOf }: ToldStep): readonly RuleChange[] {
  const moves = step.changes.filter(
    (change) => change.kind === 'move' && !isSevereChange(severityOf(step, change)),
  );
  return moves.length > FEW ? moves : [];
}

function alikeDeletions(step: Step, { severityOf }: ToldStep): readonly (readonly DeleteRule[])[] {
  const gone = step.changes.flatMap((change) =>
    change.kind === 'delete' && !isSevereChange({ ...severityOf(step, change), lowers: undefined })
      ? [change]
      : [],
  );
  const groups = groupBy(gone, (change) =>
    JSON.stringify([change.before.action, change.before.enabled, severityOf(step, change).lowers]),
  );
  return [...groups.values()].filter(({ length }) => length > FEW);
}

function toldDeletions(
  group: readonly DeleteRule[],
  step: Step,
  { severityOf }: ToldStep,
): readonly AlikeDeletions[] {
  const names = group.map(({ ref, before }) => shortName(ref, before.description));
  return group.slice(0, 1).map((first) => ({
    action: first.before.action,
    enabled: first.before.enabled,
    lowers: severityOf(step, first).lowers,
    names,
  }));
}
