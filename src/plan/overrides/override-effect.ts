import type { JsonObject, JsonValue } from '../../model/json.ts';
import { objectsIn, omit } from '../../model/json.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { compareEntry } from '../protect/overrides.ts';

/** A managed rule whose state a change of overrides alters. */
export interface AffectedRule {
  readonly id: string;
  /** The vendor's description; "" where there is none. */
  readonly name: string;
  readonly tags: readonly string[];
  /** `off`, or the rule's action, with sensitivity or score threshold if overridden. */
  readonly before: string;
  readonly after: string;
  /** Whether the rule protects less than before, or may. */
  readonly weaker: boolean;
}

/** The effect of a change of overrides on the managed rules that they apply to. */
export interface OverrideEffect {
  readonly total: number;
  readonly affected: readonly AffectedRule[];
  /** The rules in `affected` that had an override and are now as the vendor ships them. */
  readonly reset: readonly AffectedRule[];
  /** Ids and categories in the new overrides that the managed ruleset does not have. */
  readonly unknownRules: readonly string[];
  readonly unknownCategories: readonly string[];
  /** Whether an override of the whole ruleset is added, removed or changed: it also reaches future rules. */
  readonly rulesetWide: boolean;
}

/**
 * Compares the states of all rules of a managed ruleset under two sets of overrides. For each member, a rule's own override wins over those of
 * its categories, the last matching category wins over earlier ones, and categories win over the whole ruleset's (api.md 5.3). O(rules ×
 * categories of a rule).
 */
export function overrideEffect(managed: LiveRuleset, before: JsonObject, after: JsonObject): OverrideEffect {
  const states = [readOverrides(before), readOverrides(after)] as const;
  const none = readOverrides({});
  const compared = managed.rules.map((rule) => {
    const [old, now] = [stateOf(rule, states[0]), stateOf(rule, states[1])] as const;
    return {
      id: rule.id,
      name: rule.content.description,
      tags: rule.categories ?? [],
      before: stateText(old),
      after: stateText(now),
      weaker: isWeaker(old, now),
      vendor: stateText(stateOf(rule, none)),
    };
  });
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

/** The members that an override can set at any of its levels. */
export const OVERRIDE_MEMBERS = ['enabled', 'action', 'sensitivity_level', 'score_threshold'] as const;

/** Overrides prepared for look-up; within `categories`, a higher `rank` takes precedence. */
interface Overrides {
  readonly ruleset: JsonObject;
  readonly categories: ReadonlyMap<string, readonly { readonly rank: number; readonly entry: JsonObject }[]>;
  readonly rules: ReadonlyMap<string, JsonObject>;
}

/** Prepares overrides in wire form for look-up. */
export function readOverrides(overrides: JsonObject): Overrides {
  const categories = new Map<string, { rank: number; entry: JsonObject }[]>();
  objectsIn(overrides['categories']).forEach((entry, rank) => {
    const tag = entry['category'];
    if (typeof tag === 'string') {
      categories.set(tag, [...(categories.get(tag) ?? []), { rank, entry }]);
    }
  });
  const rules = objectsIn(overrides['rules']).flatMap((entry) =>
    typeof entry['id'] === 'string' ? [[entry['id'], entry] as const] : [],
  );
  return { ruleset: overrides, categories, rules: new Map(rules) };
}

/** Returns the state of a managed rule under overrides: the effective value of each member. */
function stateOf(rule: LiveRule, overrides: Overrides): JsonObject {
  const tagged = (rule.categories ?? [])
    .flatMap((tag) => overrides.categories.get(tag) ?? [])
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
  const own = overrides.rules.get(rule.id);
  const { enabled, action } = rule.content;
  const vendor: JsonObject = { enabled, action, sensitivity_level: 'default' };
  const layers = [vendor, wholeFor(rule, overrides), ...tagged, ...(own === undefined ? [] : [own])];
  return Object.fromEntries(
    OVERRIDE_MEMBERS.flatMap((name) => {
      const value = layers.findLast((layer) => layer[name] !== undefined)?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the override of the whole ruleset as it applies to a rule: it does not set rules against known botnets to `log` (api.md 5.3). */
function wholeFor({ categories }: LiveRule, { ruleset }: Overrides): JsonObject {
  return ruleset['action'] === 'log' && categories?.includes('gatebot') === true
    ? omit(ruleset, ['action'])
    : ruleset;
}

/** Returns the state of a rule as text; states with equal texts count as equal. */
function stateText({
  enabled,
  action,
  sensitivity_level: sensitivity,
  score_threshold: score,
}: JsonObject): string {
  return enabled === true
    ? [
        textOf(action ?? ''),
        ...(sensitivity === undefined || sensitivity === 'default'
          ? []
          : [`sensitivity ${textOf(sensitivity)}`]),
        ...(score === undefined ? [] : [`score ${textOf(score)}`]),
      ].join(', ')
    : 'off';
}

/** Whether a rule protects less than before, or may; a rule that was off cannot. */
function isWeaker(before: JsonObject, after: JsonObject): boolean {
  return before['enabled'] === true && compareEntry('', before, after).kind === 'weaker';
}

/** Formats a member's value for people. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutVendor({ id, name, tags, before, after, weaker }: AffectedRule): AffectedRule {
  return { id, name, tags, before, after, weaker };
}
