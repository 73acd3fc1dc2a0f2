import type { RuleChange } from '../model/change.ts';
import type { Drift } from '../model/drift.ts';
import type { Step } from '../model/plan.ts';
import type { Telling } from './telling.ts';

/** Why a change of a step lowers protection, or may; undefined where it does not: the one answer that every rendering shows. */
export type Lowering = (step: Pick<Step, 'id'>, change: RuleChange) => string | undefined;

/** Changes of a plan weaken protection by what they do. */
export const planLowering: Lowering = (_step, { protection }) =>
  protection.kind === 'weakening' ? protection.reason : undefined;

/** Changes that would take back what live protects less than the files. */
export function driftLowering(changes: Drift['changes']): Lowering {
  const reasons = new Map(
    changes
      .filter(({ severity }) => severity === 'weakening')
      .map(({ step, rule, reason = '' }) => [JSON.stringify([step, rule]), reason]),
  );
  return ({ id }, { ref }) => reasons.get(JSON.stringify([id, ref]));
}

/** What a number of changes that lower protection do. */
export function loweringWord(count: number, { kind }: Pick<Telling, 'kind'>): string {
  if (kind === 'drift') {
    return 'weaker live';
  }
  return count === 1 ? 'weakens' : 'weaken';
}

/** How many changes of a step lower protection. */
export function countLowering(step: Step, lowering: Lowering): number {
  return step.changes.filter((change) => lowering(step, change) !== undefined).length;
}
