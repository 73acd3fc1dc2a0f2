import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject, listOf, objectOf } from '../../model/json.ts';

const PREFIX = 'rule:';

/** Returns how a plan names, in `skip` `rules`, a rule that has no id yet: by the `ref` with which it will be created. */
export function ruleReference(ref: string): string {
  return `${PREFIX}${ref}`;
}

/** Returns the first `rule:<ref>` in the `skip` `rules` of a rule in wire form: a rule that has no id yet. */
export function unmadeRule(rule: JsonObject): string | undefined {
  const parameters = rule['action_parameters'];
  const skipped = objectOf(parameters)['rules'];
  return rule['action'] !== 'skip' || !isJsonObject(skipped)
    ? undefined
    : Object.values(skipped)
        .flatMap(listOf)
        .find((id): id is string => typeof id === 'string' && id.startsWith(PREFIX));
}

/**
 * Replaces `rule:<ref>` in the `skip` `rules` of a rule in wire form by ids. `find` returns the id of a created rule by the id of its ruleset
 * and its `ref`; what it does not find stays as it is, and the service refuses it.
 */
export function nameRulesInSkip(
  rule: JsonObject,
  find: (rulesetId: string, ref: string) => string | undefined,
): JsonObject {
  const parameters = rule['action_parameters'];
  const skipped = objectOf(parameters)['rules'];
  if (rule['action'] !== 'skip' || !isJsonObject(parameters) || !isJsonObject(skipped)) {
    return rule;
  }
  const named = Object.fromEntries(
    Object.entries(skipped).map(([rulesetId, ids]): [string, JsonValue] => [
      rulesetId,
      isJsonArray(ids) ? ids.map((id) => nameOne(id, (ref) => find(rulesetId, ref))) : ids,
    ]),
  );
  return { ...rule, action_parameters: { ...parameters, rules: named } };
}

function nameOne(id: JsonValue, find: (ref: string) => string | undefined): JsonValue {
  return typeof id === 'string' && id.startsWith(PREFIX) ? (find(id.slice(PREFIX.length)) ?? id) : id;
}
