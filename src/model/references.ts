import { isJsonArray, isJsonObject, listOf, objectOf, textsIn } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { actionKind } from './actions.ts';

/**
 * How rules name rulesets and other rules: `execute` the ruleset that it runs, `skip` the rulesets that it skips and the single rules of rulesets
 * (api.md 5.3, 5.4). Names are `managed:<slug>`, `custom:<slug>` and `rule:<ref>`, or ids. Nobody else knows where in a rule they stand.
 */

/** The rule fields that name others; the rule may be declared in a file, live, or in wire form. */
interface ReferringRule {
  readonly action?: unknown;
  readonly action_parameters?: unknown;
}

/** A ruleset that a rule names. */
export interface NamedRuleset {
  /** `managed:<slug>`, `custom:<slug>` or an id. */
  readonly reference: string;
  /** Where it stands in the action parameters, and whether it is a key there. */
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
}

/** Returns the rulesets that a rule executes or skips, as it names them, in the order of the rule. */
export function namedRulesets(rule: ReferringRule): readonly NamedRuleset[] {
  const executed = executedReference(rule);
  if (executed !== undefined) {
    return [{ reference: executed, path: ['id'], isKey: false }];
  }
  if (actionKind(rule.action) !== 'skip') {
    return [];
  }
  const { rulesets, rules } = objectOf(rule.action_parameters);
  return [
    ...listOf(rulesets).flatMap((reference, index) =>
      typeof reference === 'string' ? [{ reference, path: ['rulesets', index], isKey: false }] : [],
    ),
    ...Object.keys(objectOf(rules)).map((reference) => ({
      reference,
      path: ['rules', reference],
      isKey: true,
    })),
  ];
}

/** Returns the rulesets that a rule names: ids, or `custom:<slug>` and `managed:<slug>` while unresolved. */
export function rulesetReferences(rule: ReferringRule): readonly string[] {
  return namedRulesets(rule).map(({ reference }) => reference);
}

/** Returns the ruleset that a rule executes, enabled or not; undefined when its action runs none. */
export function executedReference({
  action,
  action_parameters: parameters,
}: ReferringRule): string | undefined {
  const { id } = objectOf(parameters);
  return actionKind(action) === 'execute' && typeof id === 'string' ? id : undefined;
}

/** Returns the rules that a rule skips one by one, by the rulesets that it names; of a ruleset without any it skips the whole. */
export function skippedRules({
  action,
  action_parameters: parameters,
}: ReferringRule): ReadonlyMap<string, readonly string[]> {
  const { rules } = objectOf(parameters);
  return new Map(
    actionKind(action) === 'skip'
      ? Object.entries(objectOf(rules)).map(([reference, ids]) => [reference, textsIn(ids)] as const)
      : [],
  );
}

/** Splits the name of a ruleset into kind and slug; `[undefined]` for an id. */
export function splitReference(text: string): readonly ['managed' | 'custom', string] | readonly [undefined] {
  if (text.startsWith('managed:')) {
    return ['managed', text.slice('managed:'.length)];
  }
  return text.startsWith('custom:') ? ['custom', text.slice('custom:'.length)] : [undefined];
}

const RULE_PREFIX = 'rule:';

/** Returns how a plan names, in a skip, a rule that has no id yet: by the `ref` with which it will be created. */
export function ruleReference(ref: string): string {
  return `${RULE_PREFIX}${ref}`;
}

/** Returns the `ref` in a `rule:<ref>`; undefined for an id. */
export function referredRef(reference: string): string | undefined {
  return reference.startsWith(RULE_PREFIX) ? reference.slice(RULE_PREFIX.length) : undefined;
}

/** Returns the first `rule:<ref>` of a rule: one that it skips and that has no id yet. */
export function unmadeRule(rule: ReferringRule): string | undefined {
  return [...skippedRules(rule).values()].flat().find((id) => referredRef(id) !== undefined);
}

/** What is to stand in place of the names in a rule; what has no mapping stays. */
export interface ReferenceMapping {
  /** Renames a ruleset. An executed one has the phase of the rule (api.md 4.4); a skipped one may have any. */
  readonly ruleset?: (reference: string, by: 'execute' | 'skip') => string;
  /** Renames a rule that is skipped alone. The ruleset is given as it was called, and as it is called now. */
  readonly rule?: (reference: string, ruleset: string, renamed: string) => string;
}

/** Replaces the names of rulesets and rules in a rule. */
export function mapReferences<Rule extends ReferringRule>(rule: Rule, mapping: ReferenceMapping): Rule {
  const { action, action_parameters: parameters } = rule;
  if (!isJsonObject(parameters)) {
    return rule;
  }
  const executed = executedReference(rule);
  if (executed !== undefined) {
    const id = mapping.ruleset?.(executed, 'execute') ?? executed;
    return { ...rule, action_parameters: { ...parameters, id } };
  }
  return actionKind(action) === 'skip' ? { ...rule, action_parameters: mapSkip(parameters, mapping) } : rule;
}

function mapSkip(parameters: JsonObject, { ruleset, rule }: ReferenceMapping): JsonObject {
  const { rulesets, rules } = parameters;
  const rename = (value: string): string => ruleset?.(value, 'skip') ?? value;
  const inTexts = (values: readonly JsonValue[], change: (text: string) => string): readonly JsonValue[] =>
    values.map((value) => (typeof value === 'string' ? change(value) : value));
  const entries = Object.entries(objectOf(rules)).map(([name, ids]): readonly [string, JsonValue] => {
    const renamed = rename(name);
    return [renamed, isJsonArray(ids) ? inTexts(ids, (id) => rule?.(id, name, renamed) ?? id) : ids];
  });
  return {
    ...parameters,
    ...(isJsonArray(rulesets) ? { rulesets: inTexts(rulesets, rename) } : {}),
    ...(isJsonObject(rules) ? { rules: merged(entries) } : {}),
  };
}

/** Merges entries whose names mean one ruleset; an empty list means the whole ruleset (api.md 5.4). */
function merged(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const byName = new Map<string, JsonValue>();
  for (const [name, ids] of entries) {
    const known = byName.get(name);
    const both = isJsonArray(known) && isJsonArray(ids) && known.length > 0 && ids.length > 0;
    byName.set(name, both ? [...new Set([...known, ...ids])] : known !== undefined ? [] : ids);
  }
  return Object.fromEntries(byName);
}
