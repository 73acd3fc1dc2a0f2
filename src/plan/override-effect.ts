import type { JsonObject, JsonValue } from '../model/json.ts';
import { isJsonArray, isJsonObject } from '../model/json.ts';
import type { LiveRule } from '../model/rule.ts';
import type { LiveRuleset } from '../model/ruleset.ts';

/** A managed rule that an override leaves in another state than before. */
export interface AffectedRule {
  readonly id: string;
  /** The vendor's description; "" where there is none. */
  readonly name: string;
  readonly tags: readonly string[];
  /** `off`, or what it does: its action, and sensitivity or score threshold where overridden. */
  readonly before: string;
  readonly after: string;
}

/** What a change of overrides does to the managed rules that it meets. */
export interface OverrideEffect {
  readonly total: number;
  readonly affected: readonly AffectedRule[];
  /** Those of `affected` that had an override and are as the vendor ships them now. */
  readonly reset: readonly AffectedRule[];
  /** Ids and categories of the new overrides that the managed ruleset does not have. */
  readonly unknownRules: readonly string[];
  readonly unknownCategories: readonly string[];
  /** Whether an override of the whole ruleset comes, goes or changes: it also reaches rules of the future. */
  readonly rulesetWide: boolean;
}

/**
 * Compares the states of all rules of a managed ruleset under two sets of overrides. A member of a rule's
 * override wins over its categories', the last matching category over earlier ones, and those over the
 * whole ruleset's (api.md 5.3). O(rules × categories of a rule).
 */
export function overrideEffect(managed: LiveRuleset, before: JsonObject, after: JsonObject): OverrideEffect {
  const states = [readOverrides(before), readOverrides(after)] as const;
  const none = readOverrides({});
  const compared = managed.rules.map((rule) => ({
    id: rule.id,
    name: rule.content.description,
    tags: rule.categories ?? [],
    before: stateOf(rule, states[0]),
    after: stateOf(rule, states[1]),
    vendor: stateOf(rule, none),
  }));
  const affected = compared.filter((rule) => rule.before !== rule.after);
  const ids = new Set(managed.rules.map((rule) => rule.id));
  const tags = new Set(managed.rules.flatMap((rule) => rule.categories ?? []));
  return {
    total: managed.rules.length,
    affected: affected.map(withoutVendor),
    reset: affected.filter((rule) => rule.after === rule.vendor).map(withoutVendor),
    unknownRules: [...states[1].rules.keys()].filter((id) => !ids.has(id)),
    unknownCategories: [...states[1].categories.keys()].filter((tag) => !tags.has(tag)),
    rulesetWide: OVERRIDE_MEMBERS.some((member) => before[member] !== after[member]),
  };
}

/** What an override sets at any of its levels. */
export const OVERRIDE_MEMBERS = ['enabled', 'action', 'sensitivity_level', 'score_threshold'] as const;

/** Overrides ready to be looked up; `categories` in order of precedence, weakest first. */
interface Overrides {
  readonly ruleset: JsonObject;
  readonly categories: ReadonlyMap<string, readonly { readonly rank: number; readonly entry: JsonObject }[]>;
  readonly rules: ReadonlyMap<string, JsonObject>;
}

/** Overrides as the service sends them, ready to be looked up. */
export function readOverrides(overrides: JsonObject): Overrides {
  const categories = new Map<string, { rank: number; entry: JsonObject }[]>();
  entriesOf(overrides['categories']).forEach((entry, rank) => {
    const tag = entry['category'];
    if (typeof tag === 'string') {
      categories.set(tag, [...(categories.get(tag) ?? []), { rank, entry }]);
    }
  });
  const rules = entriesOf(overrides['rules']).flatMap((entry) =>
    typeof entry['id'] === 'string' ? [[entry['id'], entry] as const] : [],
  );
  return { ruleset: overrides, categories, rules: new Map(rules) };
}

function entriesOf(value: JsonValue | undefined): readonly JsonObject[] {
  return (isJsonArray(value) ? value : []).filter((entry) => isJsonObject(entry));
}

function stateOf(rule: LiveRule, overrides: Overrides): string {
  const tagged = (rule.categories ?? [])
    .flatMap((tag) => overrides.categories.get(tag) ?? [])
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
  const own = overrides.rules.get(rule.id);
  const layers = [overrides.ruleset, ...tagged, ...(own === undefined ? [] : [own])];
  const member = (name: (typeof OVERRIDE_MEMBERS)[number]): JsonValue | undefined =>
    layers.findLast((layer) => layer[name] !== undefined)?.[name];
  if ((member('enabled') ?? rule.content.enabled) !== true) {
    return 'off';
  }
  const action = member('action') ?? rule.content.action;
  const sensitivity = member('sensitivity_level');
  const threshold = member('score_threshold');
  return [
    textOf(action),
    ...(sensitivity === undefined || sensitivity === 'default' ? [] : [`sensitivity ${textOf(sensitivity)}`]),
    ...(threshold === undefined ? [] : [`score ${textOf(threshold)}`]),
  ].join(', ');
}

/** A member's value, for people. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutVendor({ id, name, tags, before, after }: AffectedRule): AffectedRule {
  return { id, name, tags, before, after };
}
