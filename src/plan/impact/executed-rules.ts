import { canonicalJson } from '../../data/index.ts';
import { quoted, someNames } from '../../text/index.ts';
import type { RuleContent } from '../../model/index.ts';
import { executedReference, actionKind } from '../../model/index.ts';
import type { EffectContext, ExecutedRuleset } from './security-effect.ts';

/** Returns the custom ruleset that a rule executes; undefined when it executes none. */
export function executedRuleset(
  content: RuleContent,
  { executed }: EffectContext,
): ExecutedRuleset | undefined {
  const reference = executedReference(content);
  return reference === undefined ? undefined : executed?.(reference);
}

/** Returns a rule and the rules that it executes, as they act on requests. */
export function actingRules(content: RuleContent, context: EffectContext): readonly RuleContent[] {
  const ruleset = executedRuleset(content, context);
  return ruleset === undefined ? [content] : [content, ...rulesExecutedBy(content, ruleset)];
}

/**
 * Returns the rules that a rule executes, each under both conditions. For a ruleset that was not read, a block and a skip stand for all its
 * rules.
 */
export function rulesExecutedBy(content: RuleContent, { rules }: ExecutedRuleset): readonly RuleContent[] {
  const { expression, enabled } = content;
  return rules === undefined
    ? [
        { ...content, action: 'block', action_parameters: {} },
        { ...content, action: 'skip', action_parameters: { phase: 'current' } },
      ]
    : reaching(rules).map((rule) => ({
        ...rule,
        // A rule of a custom ruleset executes no other ruleset (api.md 4.4).
        ...(actionKind(rule.action) === 'execute' ? { action_parameters: {} } : {}),
        enabled,
        expression: `(${expression}) and (${rule.expression})`,
      }));
}

/** Returns the enabled rules, except skips of the rest of their own ruleset, which only reduce what the others do. */
function reaching(rules: readonly RuleContent[]): readonly RuleContent[] {
  return rules.filter(
    ({ enabled, action, action_parameters: parameters = {} }) =>
      enabled && !(actionKind(action) === 'skip' && canonicalJson(parameters) === '{"ruleset":"current"}'),
  );
}

/** Name of the effect of rules that execute a ruleset. */
export const EXECUTES = 'executes a ruleset';

/** What a rule does that executes a ruleset, for reasons. */
export const EXECUTING = { label: 'execute', verb: 'executes a ruleset' } as const;

/** Returns what a rule does, for reasons, that executes a custom ruleset whose rules do these things. */
export function executingLabels(
  { name, rules }: ExecutedRuleset,
  does: readonly { readonly label: string }[],
): { readonly label: string; readonly verb: string } {
  const labels = [...new Set(does.map(({ label }) => label))];
  const what =
    rules === undefined ? 'whose rules are not known' : `which has ${someNames(labels, MOST_NAMED)}`;
  return { label: `execute of ${quoted(name)}, ${what}`, verb: `executes ${quoted(name)}, ${what}` };
}

/** The most effects of a ruleset that a reason names. */
const MOST_NAMED = 3;
