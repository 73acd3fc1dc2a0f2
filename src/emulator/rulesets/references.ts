import { invalidValue } from '../decode/bounds.ts';
import { isObject, type JsonObject, listAt, objectAt, textAt, textsAt } from '../json.ts';
import { listReferencesProblem } from '../lists/references.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Store } from '../store/store.ts';
import type { Switches } from '../switches.ts';
import { executedTwice } from './errors.ts';
import type { SettledRule } from './identity.ts';
import type { Place } from './place.ts';
import { latest, type StoredRule, type StoredRuleset } from './ruleset.ts';
import { isEntitledTo } from './visible.ts';

/** What judging references needs of the service. */
export interface ReferenceTools {
  readonly store: Store;
  readonly switches: Switches;
}

/** Judges what the rules of a list name elsewhere: targets of execute and skip, overridden rules and tags (api.md 4.4, 5.3, 5.4). */
export function referencesProblem(
  service: ReferenceTools,
  settled: readonly SettledRule[],
  place: Place,
): Refusal | undefined {
  for (const { rule, pointer } of settled) {
    const problem =
      pointer === undefined
        ? undefined
        : (ruleProblem(service, rule, { pointer, place }) ??
          listReferencesProblem(service, rule, { pointer, place }));
    if (problem !== undefined) {
      return problem;
    }
  }
  return place.kind === 'zone'
    ? executedTwiceProblem(
        service.store,
        settled.map(({ rule }) => rule),
      )
    : undefined;
}

/** The ids of the rulesets that a rule's execution or skipping needs. */
function referencedRulesets(rule: StoredRule): readonly string[] {
  const parameters = rule.definition.action_parameters ?? {};
  if (rule.definition.action === 'execute') {
    return [textAt(parameters, 'id') ?? ''];
  }
  return rule.definition.action === 'skip' ? textsAt(parameters, 'rulesets') : [];
}

/** The ids of the rulesets that rules execute. */
export function executedRulesets(rules: readonly StoredRule[]): readonly string[] {
  return rules.filter(({ definition }) => definition.action === 'execute').flatMap(referencedRulesets);
}

/** A ruleset of the same owner whose latest version needs this one, if there is one. */
export function userOf(store: Store, ruleset: StoredRuleset): StoredRuleset | undefined {
  return store.rulesets
    .group(ruleset.owner)
    .find((candidate) =>
      latest(candidate).rules.some((rule) => referencedRulesets(rule).includes(ruleset.id)),
    );
}

function ruleProblem(
  service: ReferenceTools,
  rule: StoredRule,
  where: { readonly pointer: string; readonly place: Place },
): Refusal | undefined {
  const parameters = rule.definition.action_parameters ?? {};
  const at = `${where.pointer}/action_parameters`;
  if (rule.definition.action === 'execute') {
    return executeProblem(service, parameters, { at, place: where.place });
  }
  return rule.definition.action === 'skip'
    ? skipProblem(service, parameters, { at, place: where.place })
    : undefined;
}

interface Where {
  readonly at: string;
  readonly place: Place;
}

function executeProblem(service: ReferenceTools, parameters: JsonObject, where: Where): Refusal | undefined {
  const id = textAt(parameters, 'id') ?? '';
  const target = findTarget(service.store, id, where.place);
  if (target === undefined) {
    return invalidValue(id, `${where.at}/id`, 'the ruleset does not exist or cannot be executed here');
  }
  if (target.phase !== where.place.phase) {
    return invalidValue(
      id,
      `${where.at}/id`,
      `the ruleset belongs to the phase ${target.phase}, not to ${where.place.phase}`,
    );
  }
  const overrides = objectAt(parameters, 'overrides');
  return overrides === undefined || service.switches.managedRules === 'any'
    ? undefined
    : overridesProblem(overrides, latest(target).rules, `${where.at}/overrides`);
}

/** A zone executes managed rulesets and its own custom ones, an account managed ones and its own. */
function findTarget(store: Store, id: string, place: Place): StoredRuleset | undefined {
  const target = store.rulesets.get(id);
  if (target?.kind === 'managed') {
    return isEntitledTo(place.scope, target) ? target : undefined;
  }
  return target?.kind === 'custom' && target.owner === place.scope.owner ? target : undefined;
}

function overridesProblem(
  overrides: JsonObject,
  rules: readonly StoredRule[],
  at: string,
): Refusal | undefined {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  for (const [index, entry] of listAt(overrides, 'rules').entries()) {
    const id = isObject(entry) ? (textAt(entry, 'id') ?? '') : '';
    const rule = known.get(id);
    if (rule === undefined) {
      return invalidValue(id, `${at}/rules/${index}/id`, 'the executed ruleset has no such rule');
    }
    const threshold = isObject(entry) ? entry['score_threshold'] : undefined;
    if (threshold !== undefined && rule.score_threshold === undefined) {
      return invalidValue(
        threshold,
        `${at}/rules/${index}/score_threshold`,
        'the rule has no score threshold',
      );
    }
  }
  const tags = new Set(rules.flatMap((rule) => rule.categories ?? []));
  const index = listAt(overrides, 'categories').findIndex(
    (entry) => isObject(entry) && !tags.has(textAt(entry, 'category') ?? ''),
  );
  const entry = listAt(overrides, 'categories')[index];
  return isObject(entry)
    ? invalidValue(
        entry['category'],
        `${at}/categories/${index}/category`,
        'the executed ruleset has no rule with this category',
      )
    : undefined;
}

function skipProblem(service: ReferenceTools, parameters: JsonObject, where: Where): Refusal | undefined {
  const { store, switches } = service;
  for (const [index, id] of textsAt(parameters, 'rulesets').entries()) {
    const problem = skippedProblem(findTarget(store, id, where.place));
    if (problem !== undefined) {
      return invalidValue(id, `${where.at}/rulesets/${index}`, problem);
    }
  }
  for (const [id, rules] of Object.entries(objectAt(parameters, 'rules') ?? {})) {
    const target = findTarget(store, id, where.place);
    const problem = skippedProblem(target);
    if (target === undefined || problem !== undefined) {
      return invalidValue(id, `${where.at}/rules/${id}`, problem ?? '');
    }
    const known = new Set(latest(target).rules.map((rule) => rule.id));
    const strange = Array.isArray(rules) ? rules.findIndex((rule) => !known.has(String(rule))) : -1;
    if (switches.managedRules === 'known' && strange >= 0 && Array.isArray(rules)) {
      return invalidValue(
        rules[strange],
        `${where.at}/rules/${id}/${strange}`,
        'the ruleset has no such rule',
      );
    }
  }
  return undefined;
}

const SKIPPED_PHASE = 'http_request_firewall_managed';

/** Why a rule cannot skip a ruleset or rules of it: of the vendor's, only those of one phase (api.md 5.4; texts assumed). */
function skippedProblem(target: StoredRuleset | undefined): string | undefined {
  if (target === undefined) {
    return 'the ruleset does not exist';
  }
  return target.kind !== 'managed' || target.phase === SKIPPED_PHASE
    ? undefined
    : `the ruleset belongs to the phase ${target.phase}, not to ${SKIPPED_PHASE}`;
}

// Within a zone entry point a managed ruleset runs once; an account may run it for several expressions (api.md 4.4).
function executedTwiceProblem(store: Store, rules: readonly StoredRule[]): Refusal | undefined {
  const executed = executedRulesets(rules).filter((id) => store.rulesets.get(id)?.kind === 'managed');
  return new Set(executed).size < executed.length ? executedTwice() : undefined;
}
