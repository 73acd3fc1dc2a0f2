import { addressKey, listItemKey, orderAfter } from '../../model/index.ts';
import type { ListItem, ListStep, PlannedScope, RuleChange, Step } from '../../model/index.ts';
import { addressOf, nameTargets } from '../../plan/index.ts';
import type { Lists, SimulatedRule, SimulatedRuleset, SimulatedScope } from '../../simulate/index.ts';

type Catalogue = Parameters<typeof nameTargets>[2];

/** Returns the rules of a scope as the steps of a plan leave them. */
export function afterPlan(
  live: SimulatedScope,
  { steps }: Pick<PlannedScope, 'steps'>,
  catalogue: Catalogue,
): SimulatedScope {
  const rulesets = new Map(live.rulesets.map((ruleset) => [addressKey(ruleset.address), ruleset]));
  for (const step of steps) {
    const address = addressOf(step.target);
    const key = addressKey(address);
    if (step.operation === 'delete') {
      rulesets.delete(key);
    } else {
      rulesets.set(key, rulesetAfter(rulesets.get(key) ?? { address, rules: [] }, step, catalogue));
    }
  }
  return { ...live, rulesets: [...rulesets.values()] };
}

function rulesetAfter(ruleset: SimulatedRuleset, step: Step, catalogue: Catalogue): SimulatedRuleset {
  const known = new Map<string, SimulatedRule>();
  for (const rule of ruleset.rules) {
    known.set(`live ${rule.id ?? ''}`, rule);
  }
  for (const change of step.changes) {
    const changed = ruleAfter(change, step.target.phase, catalogue);
    if (changed !== undefined) {
      known.set(change.kind === 'add' ? `new ${change.ref}` : `live ${change.id}`, changed);
    }
  }
  const rules = orderAfter(step).flatMap(
    (entry) => known.get(entry.kind === 'new' ? `new ${entry.ref}` : `live ${entry.id}`) ?? [],
  );
  return { ...ruleset, rules };
}

/** Returns a rule that a change writes; undefined where it stays, or goes. */
function ruleAfter(change: RuleChange, phase: string, catalogue: Catalogue): SimulatedRule | undefined {
  switch (change.kind) {
    case 'add':
      return { ref: change.ref, content: nameTargets(change.content, phase, catalogue) };
    case 'patch':
      return { id: change.id, ref: change.ref, content: nameTargets(change.content, phase, catalogue) };
    default:
      return undefined;
  }
}

/** Returns the items of lists as the steps of a plan leave them. A list that could not be read stays unknown. */
export function listsAfter(lists: Lists, steps: readonly ListStep[]): Lists {
  const after = new Map(Object.entries(lists));
  for (const { operation, target, items } of steps) {
    const { name } = target;
    const before = operation === 'create' ? [] : after.get(name);
    if (operation === 'delete') {
      after.delete(name);
    } else if (before !== undefined) {
      const gone = new Set(items.remove.map(({ item }) => listItemKey(item)));
      const kept = before.filter((value) => !gone.has(String(value)));
      after.set(name, [...kept, ...items.add.flatMap(comparedValue)]);
    }
  }
  return Object.fromEntries(after);
}

/** Returns what conditions compare with an item; nothing for redirects, which only the service looks up. */
function comparedValue(item: ListItem): readonly (string | number)[] {
  return 'ip' in item ? [item.ip] : 'asn' in item ? [item.asn] : 'hostname' in item ? [item.hostname] : [];
}
