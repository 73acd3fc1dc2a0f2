import { isJsonObject, textsIn } from './json.ts';
import type { RuleContent } from './rule.ts';

/** Returns the rulesets that a rule names: ids, or `custom:<slug>` and `managed:<slug>` while unresolved. */
export function rulesetReferences(content: RuleContent): readonly string[] {
  const executed = executedReference(content);
  if (executed !== undefined) {
    return [executed];
  }
  const { rulesets, rules } = content.action_parameters ?? {};
  if (content.action !== 'skip') {
    return [];
  }
  return [...textsIn(rulesets), ...(isJsonObject(rules) ? Object.keys(rules) : [])];
}

/** Returns the ruleset that a rule executes, enabled or not; undefined when its action is not `execute`. */
export function executedReference({
  action,
  action_parameters: { id } = {},
}: RuleContent): string | undefined {
  return action === 'execute' && typeof id === 'string' ? id : undefined;
}

/** Whether any of these rules names a custom ruleset as `custom:<slug>`. */
export function namesCustom(rules: readonly { readonly content: RuleContent }[]): boolean {
  return rules.some(({ content }) => rulesetReferences(content).some((name) => name.startsWith('custom:')));
}

/** Whether any of these rules names a ruleset. */
export function namesRulesets(rules: readonly { readonly content: RuleContent }[]): boolean {
  return rules.some(({ content }) => rulesetReferences(content).length > 0);
}
