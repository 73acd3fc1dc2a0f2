import { canonicalJson } from '../../model/json.ts';
import { quoted } from '../../model/quoted.ts';
import type { RuleContent } from '../../model/rule.ts';
import { executedReference } from '../../model/ruleset-references.ts';
import { someNames } from '../../model/some-names.ts';
import type { Stand, ExecutedRuleset } from './stand.ts';

/** The custom ruleset that a rule executes; undefined where it executes none. */
export function executedRuleset(content: RuleContent, { executed }: Stand): ExecutedRuleset | undefined {
  const reference = executedReference(content);
  return reference === undefined ? undefined : executed?.(reference);
}

/** A rule, and those that it executes, as they act beside others. */
export function actingRules(content: RuleContent, stand: Stand): readonly RuleContent[] {
  const ruleset = executedRuleset(content, stand);
  return ruleset === undefined ? [content] : [content, ...rulesExecutedBy(content, ruleset)];
}

/** The rules that a rule executes, each where both conditions are met; of what nobody has read, a block and a skip stand for all. */
export function rulesExecutedBy(content: RuleContent, { rules }: ExecutedRuleset): readonly RuleContent[] {
  const { expression, enabled } = content;
  return rules === undefined
    ? [
        { ...content, action: 'block', action_parameters: {} },
        { ...content, action: 'skip', action_parameters: { phase: 'current' } },
      ]
    : reaching(rules).map((rule) => ({
        ...rule,
        // It executes no other one (api.md 4.4).
        ...(rule.action === 'execute' ? { action_parameters: {} } : {}),
        enabled,
        expression: `(${expression}) and (${rule.expression})`,
      }));
}

/** The rules that do something to requests; a skip of the rest of their own ruleset only takes from what that would do. */
function reaching(rules: readonly RuleContent[]): readonly RuleContent[] {
  return rules.filter(
    ({ enabled, action, action_parameters: parameters = {} }) =>
      enabled && !(action === 'skip' && canonicalJson(parameters) === '{"ruleset":"current"}'),
  );
}

/** How reasons call what a rule does that executes a custom ruleset, in which there are things of these names. */
export function executeLabel(
  { name, rules }: ExecutedRuleset,
  does: readonly { readonly label: string }[],
): string {
  const labels = [...new Set(does.map(({ label }) => label))];
  const what =
    rules === undefined ? 'whose rules are not known' : `which has ${someNames(labels, MOST_NAMED)}`;
  return `execute of ${quoted(name)}, ${what}`;
}

/** The most things that a reason names of a ruleset. */
const MOST_NAMED = 3;
