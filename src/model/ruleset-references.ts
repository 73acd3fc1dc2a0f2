import { isJsonObject, textsIn } from './json.ts';
import type { RuleContent } from './rule.ts';

/** Rulesets that a rule names: ids, or `custom:<slug>` and `managed:<slug>` where they are not known yet. */
export function rulesetReferences(content: RuleContent): readonly string[] {
  const { id, rulesets, rules } = content.action_parameters ?? {};
  if (content.action === 'execute') {
    return typeof id === 'string' ? [id] : [];
  }
  if (content.action !== 'skip') {
    return [];
  }
  return [...textsIn(rulesets), ...(isJsonObject(rules) ? Object.keys(rules) : [])];
}

/** Whether any of these rules names a custom ruleset by name. */
export function namesCustom(rules: readonly { readonly content: RuleContent }[]): boolean {
  return rules.some(({ content }) => rulesetReferences(content).some((name) => name.startsWith('custom:')));
}

/** Whether any of these rules names a ruleset. */
export function namesRulesets(rules: readonly { readonly content: RuleContent }[]): boolean {
  return rules.some(({ content }) => rulesetReferences(content).length > 0);
}
