import { refuse, invalidValue } from '../protocol/refusal.ts';
import { isObject, listAt, objectAt, textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { Store } from '../store/store.ts';
import type { Switches } from '../environment/switches.ts';
import type { CallLocation } from '../call/call-location.ts';
import { latest } from '../records/ruleset-record.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import { allLists } from '../../expression/index.ts';
import type { NamedList } from '../../expression/index.ts';
import type { SettledRule } from './rule-identity.ts';
import { phaseRow } from './parameters/phase-rows.ts';
import { isEntitledTo } from './visible-phases.ts';

/** The lists that the vendor maintains; all of them hold addresses. */
const MANAGED = ['cf.anonymizer', 'cf.botnetcc', 'cf.malware', 'cf.open_proxies', 'cf.vpn'];

/** A list that a rule names, and the kind of items that it must hold there. */
type ListReference = Pick<NamedList, 'name' | 'holds'>;

interface Tools {
  readonly store: Store;
  readonly switches: Switches;
}

/**
 * Checks the lists that a rule names: each must exist in the account and hold what the expression compares. Rate limits
 * have further restrictions (api.md 2.4, 8.3, 9.8). Texts are assumed.
 */
function checkListReferences(
  tools: Tools,
  rule: StoredRule,
  { pointer, place }: { readonly pointer: string; readonly place: CallLocation },
): void {
  const { definition } = rule;
  const expression = definition.expression ?? '';
  const counting = textAt(definition.ratelimit ?? {}, 'counting_expression') ?? '';
  const account = place.scope.account.id;
  const check = (
    uses: readonly ListReference[],
    where: { readonly value: unknown; readonly pointer: string },
  ) => {
    for (const use of uses) {
      checkUse(tools, account, use, where);
    }
  };
  check(allLists(expression, 'filter'), { value: expression, pointer: `${pointer}/expression` });
  check(allLists(counting, 'filter'), {
    value: counting,
    pointer: `${pointer}/ratelimit/counting_expression`,
  });
  if (definition.ratelimit !== undefined) {
    checkListsInRateLimit(definition.ratelimit, { expression, counting, pointer });
  }
  if (place.kind === 'root' && place.phase === 'http_ratelimit') {
    checkScope(expression, `${pointer}/expression`);
  }
  const fromList = objectAt(definition.action_parameters ?? {}, 'from_list');
  if (fromList !== undefined) {
    const name = textAt(fromList, 'name') ?? '';
    const where = { value: name, pointer: `${pointer}/action_parameters/from_list/name` };
    check([{ name, holds: 'redirect' }], where);
  }
}

function checkUse(
  { store, switches }: Tools,
  account: string,
  use: ListReference,
  { value, pointer }: { readonly value: unknown; readonly pointer: string },
): void {
  if (switches.lists === 'any') {
    return;
  }
  const list = store.lists.group(account).find(({ name }) => name === use.name);
  const kind = MANAGED.includes(use.name) ? 'ip' : list?.kind;
  if (kind === undefined) {
    throw invalidValue(value, pointer, `the list $${use.name} does not exist`);
  }
  if (kind !== use.holds) {
    const reason = `the list $${use.name} holds items of the kind ${kind}, not ${use.holds}`;
    throw invalidValue(value, pointer, reason);
  }
}

const RESPONSE_FIELD = /\bhttp\.response\./u;

function checkListsInRateLimit(
  ratelimit: WireObject,
  texts: {
    readonly expression: string;
    readonly counting: string;
    readonly pointer: string;
  },
): void {
  const named = allLists(texts.expression, 'filter').length > 0;
  const counted = allLists(texts.counting, 'filter').length > 0;
  const at = `${texts.pointer}/ratelimit`;
  if (named && ratelimit['requests_to_origin'] === true) {
    throw invalidValue(true, `${at}/requests_to_origin`, 'the expression names a list');
  }
  if (counted && RESPONSE_FIELD.test(texts.counting)) {
    throw invalidValue(
      texts.counting,
      `${at}/counting_expression`,
      'it cannot combine lists with fields of the response',
    );
  }
}

/** The scope of an account's rate limits is the condition of the rule that executes them (api.md 8.3). */
function checkScope(expression: string, at: string): void {
  if (RESPONSE_FIELD.test(expression)) {
    throw invalidValue(expression, at, 'the scope of rate limiting rules cannot look at the response');
  }
  if (allLists(expression, 'filter').length > 0) {
    throw invalidValue(expression, at, 'the scope of rate limiting rules cannot name lists');
  }
}

/** The parts of the service that checking references needs. */
export interface ReferenceTools {
  readonly store: Store;
  readonly switches: Switches;
}

/**
 * Checks what the rules of a list refer to: targets of execute and skip, overridden rules and tags, lists (api.md 4.4,
 * 5.3, 5.4).
 */
export function checkReferences(
  service: ReferenceTools,
  settled: readonly SettledRule[],
  place: CallLocation,
): void {
  for (const { rule, pointer } of settled) {
    if (pointer !== undefined) {
      checkTargets(service, rule, { at: `${pointer}/action_parameters`, place });
      checkListReferences(service, rule, { pointer, place });
    }
  }
  if (place.kind === 'zone' && phaseRow(place.phase)?.quota !== 'overrides') {
    checkExecutedOnce(
      service.store,
      settled.map(({ rule }) => rule),
    );
  }
}

/** Returns the ids of the rulesets that a rule executes or skips. */
function referencedRulesets(rule: StoredRule): readonly string[] {
  const parameters = rule.definition.action_parameters ?? {};
  if (rule.definition.action === 'execute') {
    return [textAt(parameters, 'id') ?? ''];
  }
  return rule.definition.action === 'skip' ? textsAt(parameters, 'rulesets') : [];
}

/** Returns the ids of the rulesets that some rules execute. */
export function executedRulesets(rules: readonly StoredRule[]): readonly string[] {
  return rules.filter(({ definition }) => definition.action === 'execute').flatMap(referencedRulesets);
}

/** Returns a ruleset of the same owner whose latest version refers to this ruleset, if there is one. */
export function referrerOf(store: Store, ruleset: StoredRuleset): StoredRuleset | undefined {
  return store.rulesets
    .group(ruleset.owner)
    .find((candidate) =>
      latest(candidate).rules.some((rule) => referencedRulesets(rule).includes(ruleset.id)),
    );
}

interface ReferencePlace {
  readonly at: string;
  readonly place: CallLocation;
}

function checkTargets(service: ReferenceTools, { definition }: StoredRule, where: ReferencePlace): void {
  const parameters = definition.action_parameters ?? {};
  if (definition.action === 'execute') {
    checkExecute(service, parameters, where);
  } else if (definition.action === 'skip') {
    checkSkip(service, parameters, where);
  }
}

function checkExecute(service: ReferenceTools, parameters: WireObject, where: ReferencePlace): void {
  const id = textAt(parameters, 'id') ?? '';
  const target = findTarget(service.store, id, where.place);
  if (target === undefined) {
    throw invalidValue(id, `${where.at}/id`, 'the ruleset does not exist or cannot be executed here');
  }
  if (target.phase !== where.place.phase) {
    throw invalidValue(
      id,
      `${where.at}/id`,
      `the ruleset belongs to the phase ${target.phase}, not to ${where.place.phase}`,
    );
  }
  const overrides = objectAt(parameters, 'overrides');
  if (overrides !== undefined && service.switches.managedRules === 'known') {
    checkOverrides(overrides, latest(target).rules, `${where.at}/overrides`);
  }
}

/** Finds a ruleset that rules in a place may execute: a managed one, or a custom one of the same zone or account. */
function findTarget(store: Store, id: string, place: CallLocation): StoredRuleset | undefined {
  const target = store.rulesets.get(id);
  if (target?.kind === 'managed') {
    return isEntitledTo(place.scope, target) ? target : undefined;
  }
  return target?.kind === 'custom' && target.owner === place.scope.owner ? target : undefined;
}

function checkOverrides(overrides: WireObject, rules: readonly StoredRule[], at: string): void {
  const known = new Set(rules.map(({ id }) => id));
  // One rule has the threshold, but the vendor's own tests set one on another rule of that ruleset too.
  const scored = rules.some((rule) => rule.score_threshold !== undefined);
  for (const [index, entry] of listAt(overrides, 'rules').entries()) {
    const id = isObject(entry) ? (textAt(entry, 'id') ?? '') : '';
    if (!known.has(id)) {
      throw invalidValue(id, `${at}/rules/${index}/id`, 'the executed ruleset has no such rule');
    }
    const threshold = isObject(entry) ? entry['score_threshold'] : undefined;
    if (threshold !== undefined && !scored) {
      throw invalidValue(
        threshold,
        `${at}/rules/${index}/score_threshold`,
        'the executed ruleset has no score threshold',
      );
    }
  }
  const tags = new Set(rules.flatMap((rule) => rule.categories ?? []));
  for (const [index, entry] of listAt(overrides, 'categories').entries()) {
    const category = isObject(entry) ? textAt(entry, 'category') : undefined;
    if (category !== undefined && !tags.has(category)) {
      const reason = 'the executed ruleset has no rule with this category';
      throw invalidValue(category, `${at}/categories/${index}/category`, reason);
    }
  }
}

function checkSkip(service: ReferenceTools, parameters: WireObject, where: ReferencePlace): void {
  const { store, switches } = service;
  for (const [index, id] of textsAt(parameters, 'rulesets').entries()) {
    findSkipped(store, id, { at: `${where.at}/rulesets/${index}`, place: where.place });
  }
  for (const [id, rules] of Object.entries(objectAt(parameters, 'rules') ?? {})) {
    const target = findSkipped(store, id, { at: `${where.at}/rules/${id}`, place: where.place });
    const known = new Set(latest(target).rules.map((rule) => rule.id));
    const strange = Array.isArray(rules) ? rules.findIndex((rule) => !known.has(String(rule))) : -1;
    if (switches.managedRules === 'known' && strange >= 0 && Array.isArray(rules)) {
      throw invalidValue(
        rules[strange],
        `${where.at}/rules/${id}/${strange}`,
        'the ruleset has no such rule',
      );
    }
  }
}

const SKIPPED_PHASE = 'http_request_firewall_managed';

/**
 * Finds the ruleset that a rule skips, as a whole or in part; managed rulesets must be of one phase (api.md 5.4; texts
 * assumed).
 */
function findSkipped(store: Store, id: string, { at, place }: ReferencePlace): StoredRuleset {
  const target = findTarget(store, id, place);
  if (target === undefined) {
    throw invalidValue(id, at, 'the ruleset does not exist');
  }
  if (target.kind === 'managed' && target.phase !== SKIPPED_PHASE) {
    throw invalidValue(id, at, `the ruleset belongs to the phase ${target.phase}, not to ${SKIPPED_PHASE}`);
  }
  return target;
}

// A zone's entry point may execute a managed ruleset only once. An account may execute it for several expressions
// (api.md 4.4), and so may a zone in the phase of its DDoS overrides (api.md 5.3).
function checkExecutedOnce(store: Store, rules: readonly StoredRule[]): void {
  const executed = executedRulesets(rules).filter((id) => store.rulesets.get(id)?.kind === 'managed');
  if (new Set(executed).size < executed.length) {
    throw refuse(400, 'more than one rule is trying to execute the same managed ruleset', { code: 20014 });
  }
}
