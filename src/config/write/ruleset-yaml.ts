import { stringify } from 'yaml';
import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import type { JsonObject } from '../../model/json.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import { isNamed } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';

/** A live ruleset as a file of ours would declare it: YAML that can be pasted into one. */
export function rulesetYaml(scope: Scope, ruleset: LiveRuleset): string {
  const { description, kind, phase, name } = ruleset;
  const described = description === '' ? {} : { description };
  const rules = ruleset.rules.map(ruleDocument);
  const body =
    kind === 'custom'
      ? { rulesets: [{ name, phase, ...described, rules }] }
      : { entrypoints: { [phase]: { ...described, rules } } };
  return stringify({ [scope.kind]: scope.name, ...body }, { lineWidth: 100 });
}

/**
 * A live rule as a file declares it. One that nobody named is held by its id; parameters that the schema
 * does not know go to `extra_parameters`.
 */
export function ruleDocument(rule: LiveRule): JsonObject {
  const {
    action,
    expression,
    enabled,
    description,
    action_parameters: _parameters,
    ...rest
  } = contentToWire(rule.content);
  const known = KNOWN_ACTION_PARAMETERS.get(rule.content.action);
  const parameters = Object.entries(rule.content.action_parameters ?? {});
  const isKnown = (key: string): boolean => known === undefined || known.has(key);
  const ours = Object.fromEntries(parameters.filter(([key]) => isKnown(key)));
  const extra = Object.fromEntries(parameters.filter(([key]) => !isKnown(key)));
  return {
    ...(isNamed(rule) ? { ref: rule.ref } : { id: rule.id }),
    ...(description === undefined ? {} : { description }),
    expression: expression ?? '',
    action: action ?? '',
    ...(enabled === false ? { enabled } : {}),
    ...(Object.keys(ours).length === 0 ? {} : { action_parameters: ours }),
    ...(Object.keys(extra).length === 0 ? {} : { extra_parameters: extra }),
    ...rest,
  };
}
