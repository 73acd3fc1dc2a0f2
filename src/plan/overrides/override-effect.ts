import type { JsonObject, JsonValue } from '../../model/json.ts';
import { objectsIn, omit } from '../../model/json.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { compareEntry } from '../protect/overrides.ts';

/** A managed rule that an override leaves in another state than before. */
export interface AffectedRule {
  readonly id: string;
  /** The vendor's description; "" where there is none. */
  readonly name: string;
  readonly tags: readonly string[];
  /** `off`, or what it does: its action, and sensitivity or score threshold where overridden. */
  readonly before: string;
  readonly after: string;
  /** Whether it protects less than before, or may. */
  readonly weaker: boolean;
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

/** What a managed rule is under overrides: each member as it counts, and on or off. */
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

/** What the override of the whole ruleset says of a rule: those against known botnets do not only log for it (api.md 5.3). */
function wholeFor({ categories }: LiveRule, { ruleset }: Overrides): JsonObject {
  return ruleset['action'] === 'log' && categories?.includes('gatebot') === true
    ? omit(ruleset, ['action'])
    : ruleset;
}

/** `off`, or what a rule does; two states of one text are one state. */
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

/** A rule that was off cannot protect less. */
function isWeaker(before: JsonObject, after: JsonObject): boolean {
  return before['enabled'] === true && compareEntry('', before, after).kind === 'weaker';
}

/** A member's value, for people. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutVendor({ id, name, tags, before, after, weaker }: AffectedRule): AffectedRule {
  return { id, name, tags, before, after, weaker };
}
