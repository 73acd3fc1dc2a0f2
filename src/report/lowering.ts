import type { RuleChange } from '../model/change.ts';
import type { Drift } from '../model/drift.ts';
import type { Plan, Step } from '../model/plan.ts';

/** The changes that lower protection, or may, and why: the one answer that every rendering shows. */
export type Lowering = ReadonlyMap<RuleChange, string>;

/** Changes of a plan that weaken protection by what they do. */
export function planLowering(plan: Pick<Plan, 'scopes'>): Lowering {
  return new Map(
    stepsOf(plan)
      .flatMap(({ changes }) => changes)
      .flatMap((change): [RuleChange, string][] =>
        change.protection.kind === 'weakening' ? [[change, change.protection.reason]] : [],
      ),
  );
}

/** Changes that would take back what live protects less than the files. */
export function driftLowering(plan: Pick<Plan, 'scopes'>, changes: Drift['changes']): Lowering {
  const reasonOf = weakerLive(changes);
  return new Map(
    stepsOf(plan).flatMap((step) =>
      step.changes.flatMap((change): [RuleChange, string][] => {
        const reason = reasonOf(step, change);
        return reason === undefined ? [] : [[change, reason]];
      }),
    ),
  );
}

/** Why live protects less by a change, also where the plan is packed and its rules have no identity. */
export function weakerLive(
  changes: Drift['changes'],
): (step: Pick<Step, 'id'>, change: RuleChange) => string | undefined {
  const reasons = new Map(
    changes
      .filter(({ severity }) => severity === 'weakening')
      .map(({ step, rule, reason = '' }) => [JSON.stringify([step, rule]), reason]),
  );
  return ({ id }, { ref }) => reasons.get(JSON.stringify([id, ref]));
}

/** How many of some changes lower protection. */
export function countLowering(changes: readonly RuleChange[], lowering: Lowering): number {
  return changes.filter((change) => lowering.has(change)).length;
}

function stepsOf({ scopes }: Pick<Plan, 'scopes'>): readonly Step[] {
  return scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.steps : []));
}
