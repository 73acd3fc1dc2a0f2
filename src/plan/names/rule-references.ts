import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject, listOf, objectOf } from '../../model/json.ts';

const PREFIX = 'rule:';

/** How a plan names a rule in `skip` `rules` that has no id yet: by the `ref` that it is made with. */
export function ruleReference(ref: string): string {
  return `${PREFIX}${ref}`;
}

/** The first `rule:<ref>` in the `skip` `rules` of a rule in wire form: a rule that has no id yet. */
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
 * A rule in wire form with ids in the place of `rule:<ref>` in its `skip` `rules`. `find` answers the id of
 * a rule that was made, by the id of its ruleset and its `ref`; what it does not know stays as it is, and
 * the service refuses it.
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
