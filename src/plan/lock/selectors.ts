import type { JsonObject } from '../../model/json.ts';
import type { LiveRule } from '../../model/rule.ts';
import { OVERRIDE_MEMBERS, readOverrides, textOf } from '../overrides/override-effect.ts';

/** A part of overrides that meets managed rules: of the whole ruleset, of a category, or of rules by id. */
export interface Selector {
  /** As the lock names it. */
  readonly key: string;
  /** What it does, for people: `action log`. */
  readonly does: string;
  /** The ids that it names; null for one that also meets rules of the future. */
  readonly ids: ReadonlySet<string> | null;
  readonly meets: (rule: LiveRule) => boolean;
}

/** The selectors of overrides: the whole ruleset first, then categories by name, then rules. */
export function selectorsOf(overrides: JsonObject): readonly Selector[] {
  const { ruleset, categories, rules } = readOverrides(overrides);
  const whole = membersText([ruleset]);
  const ids = new Set(rules.keys());
  return [
    ...(whole === '' ? [] : [{ key: 'ruleset', does: whole, ids: null, meets: () => true }]),
    ...[...categories]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([tag, entries]): Selector => ({
        key: `category ${tag}`,
        does: membersText(entries.map(({ entry }) => entry)),
        ids: null,
        meets: ({ categories: tags = [] }) => tags.includes(tag),
      })),
    ...(ids.size === 0 ? [] : [{ key: 'rules', does: '', ids, meets: ({ id }: LiveRule) => ids.has(id) }]),
  ];
}

function membersText(layers: readonly JsonObject[]): string {
  return OVERRIDE_MEMBERS.flatMap((member) => {
    const value = layers.findLast((layer) => layer[member] !== undefined)?.[member];
    return value === undefined ? [] : [`${member} ${textOf(value)}`];
  }).join(', ');
}
