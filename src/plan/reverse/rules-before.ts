import { changesById } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import { orderBefore } from '../../model/rule-order.ts';
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
  const changed = changesById(step.changes);
  return orderBefore(step).flatMap((id): readonly DesiredRule[] => {
    const change = changed.get(id);
    const rule = byId.get(id);
    const former = change === undefined ? asIs(rule) : formerRule(change, rule);
    return former === null ? [] : [{ ...former, exact: true, cause }];
  });
}

function asIs(rule: LiveRule | undefined): Former | null {
  return rule === undefined ? null : { ref: rule.ref, id: rule.id, adopt: false, content: rule.content };
}

function formerRule(change: RuleChange, live: LiveRule | undefined): Former | null {
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
    case 'move':
      return asIs(live);
    default:
      return change satisfies never;
  }
}
