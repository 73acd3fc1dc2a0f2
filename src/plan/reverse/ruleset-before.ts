import { assertNever } from '../../model/assert-never.ts';
import { changesById, formerRef } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import type { Step } from '../../model/plan.ts';
import { orderBefore } from '../../model/rule-order.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';

/**
 * Returns a ruleset as it was before a step, given what the step left live; null when there was none. Rules that the step did not touch are
 * taken from live.
 */
export function rulesetBefore(step: Step, live: LiveRuleset | null): LiveRuleset | null {
  const { base, target } = step;
  if (base.kind !== 'version') {
    return null;
  }
  const described = step.operation === 'update' ? step.description?.before : step.description;
  return {
    ...base,
    name: target.name,
    description: described ?? live?.description ?? '',
    kind: target.level,
    phase: target.phase,
    rules: rulesBefore(step, live?.rules ?? []),
  };
}

function rulesBefore(step: Step, live: readonly LiveRule[]): readonly LiveRule[] {
  const byId = new Map(live.map((rule) => [rule.id, rule]));
  const changed = changesById(step.changes);
  return orderBefore(step).flatMap((id) => ruleBefore(changed.get(id), byId.get(id)));
}

function ruleBefore(change: RuleChange | undefined, live: LiveRule | undefined): readonly LiveRule[] {
  switch (change?.kind) {
    case 'delete':
      return [{ id: change.id, ref: change.ref, content: change.before }];
    case 'patch':
      return [{ id: change.id, ref: formerRef(change), content: change.before }];
    case 'move':
    case undefined:
      return live === undefined ? [] : [live];
    case 'add':
      return [];
    default:
      return assertNever(change);
  }
}
