import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { Overrides } from '../../model/overrides.ts';
import { OVERRIDE_MEMBERS, readOverrides, stateUnder } from '../../model/overrides.ts';
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

/** Compares the states of all rules of a managed ruleset under two sets of overrides. O(rules × categories of a rule). */
export function overrideEffect(managed: LiveRuleset, before: JsonObject, after: JsonObject): OverrideEffect {
  const [from, to, none] = [readOverrides(before), readOverrides(after), readOverrides({})];
  const compared = managed.rules.map((rule) => {
    const stateIn = (overrides: Overrides): JsonObject => stateUnder(rule, managed, overrides);
    const [old, now] = [stateIn(from), stateIn(to)];
    return {
      id: rule.id,
      name: rule.content.description,
      tags: rule.categories ?? [],
      before: stateText(old),
      after: stateText(now),
      weaker: isWeaker(rule.id, old, now),
      vendor: stateText(stateIn(none)),
    };
  });
  const affected = compared.filter((rule) => rule.before !== rule.after);
  const ids = new Set(managed.rules.map((rule) => rule.id));
  const tags = new Set(managed.rules.flatMap((rule) => rule.categories ?? []));
  return {
    total: managed.rules.length,
    affected: affected.map(withoutVendor),
    reset: affected.filter((rule) => rule.after === rule.vendor).map(withoutVendor),
    unknownRules: [...to.rules.keys()].filter((id) => !ids.has(id)),
    unknownCategories: [...to.categories.keys()].filter((tag) => !tags.has(tag)),
    rulesetWide: OVERRIDE_MEMBERS.some((member) => before[member] !== after[member]),
  };
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
function isWeaker(id: string, before: JsonObject, after: JsonObject): boolean {
  return before['enabled'] === true && compareEntry(`rule ${id}`, before, after).kind === 'weaker';
}

/** Formats a member's value for people. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutVendor({ id, name, tags, before, after, weaker }: AffectedRule): AffectedRule {
  return { id, name, tags, before, after, weaker };
}
