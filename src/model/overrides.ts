import { onlyLogs } from './actions.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { objectsIn, omit } from '../data/index.ts';
import { isAlwaysOn } from './phases.ts';
import type { LiveRule } from './rule.ts';
import type { LiveRuleset } from './ruleset.ts';

/** The members that an override can set at any of its levels. */
export const OVERRIDE_MEMBERS = ['enabled', 'action', 'sensitivity_level', 'score_threshold'] as const;

/**
 * Overrides of a managed ruleset as they take effect. Of a category or rule that stands twice, each member has the value that stands last: files
 * cannot say that, and of live it is assumed, as categories of one rule are decided in this way (api.md 5.3).
 */
export interface Overrides {
  readonly ruleset: JsonObject;
  readonly categories: ReadonlyMap<string, CategoryOverride>;
  readonly rules: ReadonlyMap<string, JsonObject>;
}

/** What is overridden for a category. Of two categories of one rule, the one with the higher rank decides a member. */
export interface CategoryOverride {
  readonly values: JsonObject;
  readonly ranks: ReadonlyMap<string, number>;
}

/** Reads overrides in wire form. This is the only place where their lists become maps. */
export function readOverrides(overrides: JsonObject): Overrides {
  const categories = new Map<string, CategoryOverride>();
  for (const [rank, { category, ...values }] of objectsIn(overrides['categories']).entries()) {
    if (typeof category === 'string') {
      const known = categories.get(category);
      categories.set(category, {
        values: { ...known?.values, ...values },
        ranks: new Map([
          ...(known?.ranks ?? []),
          ...Object.keys(values).map((name) => [name, rank] as const),
        ]),
      });
    }
  }
  const rules = new Map<string, JsonObject>();
  for (const { id, ...values } of objectsIn(overrides['rules'])) {
    if (typeof id === 'string') {
      rules.set(id, { ...rules.get(id), ...values });
    }
  }
  return {
    ruleset: omit(overrides, ['categories', 'rules']),
    categories,
    rules,
  };
}

/**
 * Returns the state of a rule of a managed ruleset under overrides: the effective value of each member. A rule's own override wins over those of its
 * categories, the last matching category over earlier ones, and categories over the whole ruleset's (api.md 5.3).
 */
export function stateUnder(
  rule: LiveRule,
  ruleset: Pick<LiveRuleset, 'phase'>,
  overrides: Overrides,
): JsonObject {
  const { enabled, action } = rule.content;
  const usual: JsonObject = { enabled, action, sensitivity_level: 'default' };
  return Object.fromEntries(
    OVERRIDE_MEMBERS.flatMap((member) => {
      const isFixed =
        isAlwaysOn(ruleset) && (member === 'enabled' || rule.categories?.includes('read-only') === true);
      const value = (isFixed ? undefined : overridden(rule, member, overrides)) ?? usual[member];
      return value === undefined ? [] : [[member, value]];
    }),
  );
}

function overridden(
  { id, categories: tags = [] }: LiveRule,
  member: string,
  { ruleset, categories, rules }: Overrides,
): JsonValue | undefined {
  const decisive = tags
    .flatMap((tag) => categories.get(tag) ?? [])
    .reduce<CategoryOverride | undefined>(
      (last, one) => ((one.ranks.get(member) ?? -1) > (last?.ranks.get(member) ?? -1) ? one : last),
      undefined,
    );
  // Rules against known botnets ignore a `log` of the whole ruleset.
  const isIgnored = member === 'action' && onlyLogs(ruleset['action']) && tags.includes('gatebot');
  return rules.get(id)?.[member] ?? decisive?.values[member] ?? (isIgnored ? undefined : ruleset[member]);
}
