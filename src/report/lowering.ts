import type { RuleChange } from '../model/change.ts';
import type { Drift, DriftChange } from '../model/drift.ts';
import type { Step } from '../model/plan.ts';
import type { Telling } from './telling.ts';

/** Why something is to be said of a change of a step; undefined where it is not. */
export type Reason = (step: Pick<Step, 'id'>, change: RuleChange) => string | undefined;

/** Why a change lowers protection, or may: the one answer that every rendering shows. */
export type Lowering = Reason;

/** Changes of a plan weaken protection by what they do. */
export const planLowering: Lowering = (_step, { protection }) =>
  protection.kind === 'weakening' ? protection.reason : undefined;

/** Changes that would take back what live protects less than the files. */
export function driftLowering(changes: Drift['changes']): Lowering {
  return reasonsOf(changes, weakeningOf);
}

/** Changes that would take back what live does to every request, and what that is. */
export function driftEnding(changes: Drift['changes']): Reason {
  return reasonsOf(changes, endingOf);
}

/** Why live protects less by a rule, or may. */
export function weakeningOf({ severity, reason = '' }: DriftChange): string | undefined {
  return severity === 'weakening' ? reason : undefined;
}

/** What live does by a rule to every request, and the files do not. */
export function endingOf({ everyRequest }: DriftChange): string | undefined {
  return everyRequest;
}

function reasonsOf(changes: Drift['changes'], says: (change: DriftChange) => string | undefined): Reason {
  const reasons = new Map(
    changes.flatMap((change) => {
      const reason = says(change);
      return reason === undefined ? [] : [[JSON.stringify([change.step, change.rule]), reason] as const];
    }),
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

/** What a number of rules do that end every request. */
export function endingWord(count: number): string {
  return count === 1 ? 'ends every request' : 'end every request';
}

/** Of how many changes of a step something is to be said. */
export function countReasons(step: Step, reason: Reason): number {
  return step.changes.filter((change) => reason(step, change) !== undefined).length;
}
