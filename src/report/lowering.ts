import type { RuleChange } from '../model/change.ts';
import type { Drift } from '../model/drift.ts';
import type { Plan, Step } from '../model/plan.ts';

/** The changes that lower protection, or may, and why: the one answer that every rendering shows. */
export type Lowering = ReadonlyMap<RuleChange, string>;

/** Changes of a plan that weaken protection by what they do. */
export function planLowering(plan: Plan): Lowering {
  return new Map(
    stepsOf(plan)
      .flatMap(({ changes }) => changes)
      .flatMap((change): [RuleChange, string][] =>
        change.protection.kind === 'weakening' ? [[change, change.protection.reason]] : [],
      ),
  );
}

/** Changes that would take back what live protects less than the files. */
export function driftLowering({ plan, changes }: Drift): Lowering {
  const reasons = new Map(
    changes
      .filter(({ severity }) => severity === 'weakening')
      .map(({ step, rule, reason = '' }) => [JSON.stringify([step, rule]), reason]),
  );
  return new Map(
    stepsOf(plan).flatMap((step) =>
      step.changes.flatMap((change): [RuleChange, string][] => {
        const reason = reasons.get(JSON.stringify([step.id, change.ref]));
        return reason === undefined ? [] : [[change, reason]];
      }),
    ),
  );
}

/** How many of some changes lower protection. */
export function countLowering(changes: readonly RuleChange[], lowering: Lowering): number {
  return changes.filter((change) => lowering.has(change)).length;
}

function stepsOf({ scopes }: Plan): readonly Step[] {
  return scopes.flatMap((scope) => (scope.kind === 'planned' ? scope.steps : []));
}
