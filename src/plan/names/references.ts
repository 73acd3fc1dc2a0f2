import type {
  RulesetTarget,
  PlannedScope,
  LiveRuleset,
  RulesetAddress,
  Scope,
  RuleName,
  ListUse,
  DesiredRule,
  DeclaredScope,
  DesiredScope,
} from '../../model/index.ts';
import { isWritten, ruleName, referenceFacts, formatPlace, stepId } from '../../model/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, listOf, objectOf } from '../../data/index.ts';

/** Name that the service gives an entry point created without one (api.md 2.2). */
const ENTRYPOINT_NAME = 'default';

/** Returns the target of a step on the ruleset at an address. */
export function targetOf(scope: Scope, address: RulesetAddress, live: LiveRuleset | null): RulesetTarget {
  return address.kind === 'entrypoint'
    ? {
        kind: 'ruleset',
        level: scope.kind === 'zone' ? 'zone' : 'root',
        phase: address.phase,
        name: live?.name ?? ENTRYPOINT_NAME,
      }
    : { kind: 'ruleset', level: 'custom', phase: address.phase, name: address.name };
}

/** Returns the address of the ruleset that a step acts on. */
export function addressOf({ level, phase, name }: RulesetTarget): RulesetAddress {
  return level === 'custom' ? { kind: 'custom', phase, name } : { kind: 'entrypoint', phase };
}

/** A declared rule that names lists. */
export interface ListingRule extends RuleName {
  readonly step: string;
  readonly cause: DesiredRule['cause'];
  readonly lists: readonly ListUse[];
  /** Whether the plan sends the rule to the service because it is new or changes. */
  readonly written: boolean;
}

/** Whether a rule of a scope names a list of the account. */
export function namesLists({ rulesets }: DeclaredScope): boolean {
  return rulesets.some((ruleset) => referenceFacts(ruleset).namesLists);
}

/** Returns the declared rules of a scope that name lists, each with whether the plan sends it. */
export function rulesWithLists(desired: DesiredScope, plan: PlannedScope): readonly ListingRule[] {
  const sent = new Map(
    plan.steps.flatMap((step) =>
      step.changes
        .filter(isWritten)
        .map(({ cause, ref }) => [`${step.id} ${formatPlace(cause)}`, ref] as const),
    ),
  );
  return desired.rulesets
    .filter(({ presence }) => presence === 'present')
    .flatMap(({ address, rules }) => {
      const step = stepId(plan.scope, address);
      return rules.flatMap(({ ref, content, lists, cause }) => {
        const written = sent.get(`${step} ${formatPlace(cause)}`);
        return lists === undefined
          ? []
          : [
              {
                step,
                ...ruleName(written ?? ref ?? '', content.description),
                cause,
                lists,
                written: written !== undefined,
              },
            ];
      });
    });
}

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
