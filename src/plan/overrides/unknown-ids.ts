import { isWritten, ruleNameOf } from '../../model/index.ts';
import { listOf, objectOf, textsIn } from '../../data/index.ts';
import type {
  ManagedLookUp,
  PlanNote,
  PlannedScope,
  RuleContent,
  LiveRuleset,
  LiveRulesetHead,
} from '../../model/index.ts';
import { nearName, oneLine } from '../../text/index.ts';

/** Results of looking up managed rulesets, by their ids. */
export type ManagedLookUps = ReadonlyMap<string, ManagedLookUp>;

/** Says that a managed ruleset has no rule of an id, and which other ruleset has it. */
export function noSuchRule(id: string, { name }: LiveRuleset, lookUps: ManagedLookUps): string {
  const owner = [...lookUps.values()].find(
    (one) => one.kind === 'found' && one.ruleset.rules.some((rule) => rule.id === id),
  );
  const whose = owner?.kind === 'found' ? `, which belongs to ${owner.ruleset.name}` : '';
  return `${name} has no rule ${id}${whose}`;
}

/** Says that no rule of a managed ruleset has a tag, and which tag may be meant. */
export function noSuchTag(tag: string, { name, rules }: LiveRuleset): string {
  const near = nearName(tag, new Set(rules.flatMap(({ categories }) => categories ?? [])));
  return `${name} has no rule tagged ${oneLine(tag)}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** Adds to a plan what the service refuses in its changed rules: ids of rulesets that the scope does not see, and skipped rules that do not exist. */
export function noteUnknownIds(
  plan: PlannedScope,
  catalogue: readonly LiveRulesetHead[],
  lookUps: ManagedLookUps,
): PlannedScope {
  const known = new Set(catalogue.map(({ id }) => id));
  const notes = plan.steps.flatMap((step) =>
    step.changes.filter(isWritten).flatMap((change): readonly PlanNote[] => {
      const before = change.kind === 'patch' ? rulesetsIn(change.before) : [];
      const messages = [
        ...rulesetsIn(change.content)
          .filter((id) => /^[0-9a-f]{32}$/u.test(id) && !known.has(id) && !before.includes(id))
          .map(
            (id) =>
              `the ${plan.scope.kind} does not see a ruleset ${id}, so the service will refuse this rule`,
          ),
        ...unknownSkips(change.content, lookUps),
      ];
      return messages.map((message) => ({
        kind: 'unknown-id',
        step: step.id,
        ...ruleNameOf(change),
        message,
        cause: change.cause,
      }));
    }),
  );
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}

/** Returns the rulesets that a rule executes or skips. */
function rulesetsIn({
  action,
  action_parameters: { id, rulesets, rules } = {},
}: RuleContent): readonly string[] {
  if (action === 'execute') {
    return textsIn([id ?? null]);
  }
  return action === 'skip' ? [...new Set([...textsIn(rulesets), ...Object.keys(objectOf(rules))])] : [];
}

function unknownSkips(
  { action, action_parameters: parameters }: RuleContent,
  lookUps: ManagedLookUps,
): readonly string[] {
  const skipped = action === 'skip' ? Object.entries(objectOf(parameters?.['rules'])) : [];
  return skipped.flatMap(([ruleset, ids]) => {
    const found = lookUps.get(ruleset);
    if (found?.kind !== 'found') {
      return [];
    }
    const known = new Set(found.ruleset.rules.map(({ id }) => id));
    return textsIn(listOf(ids))
      .filter((id) => !known.has(id))
      .map((id) => `${noSuchRule(id, found.ruleset, lookUps)}: the service will refuse this rule`);
  });
}
