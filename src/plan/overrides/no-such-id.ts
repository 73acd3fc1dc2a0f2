import type { LiveRuleset, ManagedLookUp, Overrides } from '../../model/index.ts';
import { nearName, oneLine } from '../../text/index.ts';

/** Results of looking up managed rulesets, by their ids. */
export type ManagedLookUps = ReadonlyMap<string, ManagedLookUp>;

/** Returns the ids and categories in overrides that no rule of a managed ruleset has. */
export function unknownEntries(
  { rules }: LiveRuleset,
  overrides: Overrides,
): { readonly rules: readonly string[]; readonly categories: readonly string[] } {
  const ids = new Set(rules.map(({ id }) => id));
  const tags = new Set(rules.flatMap(({ categories }) => categories ?? []));
  return {
    rules: [...overrides.rules.keys()].filter((id) => !ids.has(id)),
    categories: [...overrides.categories.keys()].filter((tag) => !tags.has(tag)),
  };
}

/** Says that a managed ruleset has no rule of an id, and which other ruleset has it. */
export function noSuchRule(id: string, { name }: LiveRuleset, lookUps: ManagedLookUps): string {
  const owner = [...lookUps.values()].find(
    (one) => one.kind === 'found' && one.ruleset.rules.some((rule) => rule.id === id),
  );
  const whose = owner?.kind === 'found' ? `, which belongs to ${owner.ruleset.name}` : '';
  return `${name} has no rule ${id}${whose}`;
}

/** Says that no rule of a managed ruleset has a tag, and which tag may be meant. */
export function noSuchTag(tag: string, { name, rules }: LiveRuleset): string {
  const near = nearName(tag, new Set(rules.flatMap(({ categories }) => categories ?? [])));
  return `${name} has no rule tagged ${oneLine(tag)}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}
