import type { RuleChange } from '../../model/change.ts';
import { formerIndex, formerOrder } from '../../model/former-order.ts';
import type { Step } from '../../model/plan.ts';
import type { DesiredRule, LiveRule } from '../../model/rule.ts';
import type { Cause } from '../../model/source.ts';

/** A rule as it was before a step. */
type Former = Omit<DesiredRule, 'cause'>;

/**
 * The rules that a ruleset had before a step that changed or deleted it, in their order. `live` are the
 * rules that it has now, of which those that the step did not touch are taken as they are.
 */
export function rulesBefore(
  step: Exclude<Step, { operation: 'create' }>,
  live: readonly LiveRule[],
  cause: Cause,
): readonly DesiredRule[] {
  const byId = new Map(live.map((rule) => [rule.id, rule]));
  const changed = new Map(
    step.changes.flatMap((change) => (change.kind === 'add' ? [] : [[change.id, change] as const])),
  );
  const order = step.operation === 'delete' ? [] : step.order;
  const kept = order.flatMap((entry) => (entry.kind === 'live' ? [entry.id] : []));
  // Rules that moved or went say where they were; all others kept their order among themselves.
  const placed = new Map<number, Former>();
  for (const change of step.changes) {
    const index = formerIndex(change);
    const former = formerRule(change, byId);
    if (index !== null && former !== null) {
      placed.set(index, former);
    }
  }
  const waiting = kept.flatMap((id): readonly Former[] => {
    const change = changed.get(id);
    if (change !== undefined) {
      const former = formerIndex(change) === null ? formerRule(change, byId) : null;
      return former === null ? [] : [former];
    }
    const rule = byId.get(id);
    return rule === undefined ? [] : [{ ref: rule.ref, id: rule.id, adopt: false, content: rule.content }];
  });
  return formerOrder(waiting, placed).map((rule) => ({ ...rule, exact: true, cause }));
}

function formerRule(change: RuleChange, live: ReadonlyMap<string, LiveRule>): Former | null {
  switch (change.kind) {
    case 'add':
      return null;
    case 'delete':
      return { ref: change.ref, adopt: false, content: change.before };
    case 'patch':
      return {
        ref: change.adopts ?? change.ref,
        id: change.id,
        adopt: change.adopts !== undefined,
        content: change.before,
      };
    case 'move': {
      const rule = live.get(change.id);
      return rule === undefined ? null : { ref: rule.ref, id: rule.id, adopt: false, content: rule.content };
    }
    default:
      return change satisfies never;
  }
}
