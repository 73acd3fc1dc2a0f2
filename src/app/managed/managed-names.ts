import type { ReadClient } from '../../api/index.ts';
import type { FileNote } from '../../config/index.ts';
import type { ManagedRulesets } from '../../live/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { objectOf, objectsIn, textOf } from '../../data/index.ts';
import { executedReference, skippedRules } from '../../model/index.ts';
import type { LiveRule, LiveRulesetHead, Scope } from '../../model/index.ts';

/** Names of managed rules by their ids. */
export type ManagedNames = ReadonlyMap<string, string>;

/** Rules of a scope, and the heads of the rulesets that they can name. */
interface NamingRules {
  readonly scope: Scope;
  readonly rulesets: readonly { readonly rules: readonly LiveRule[] }[];
  readonly catalogue: readonly LiveRulesetHead[];
}

/** Reads the names of the managed rules that the rules of a scope refer to; rules of unreadable rulesets are left out. */
export async function readManagedNames(
  client: ReadClient,
  { scope, rulesets, catalogue }: NamingRules,
  managed: ManagedRulesets,
): Promise<ManagedNames> {
  const known = new Set(catalogue.filter(({ kind }) => kind === 'managed').map(({ id }) => id));
  const wanted = rulesets.flatMap(({ rules }) => rules.flatMap((rule) => namesManagedRules(rule)));
  const ids = [...new Set(wanted)].filter((id) => known.has(id));
  const readings = await Promise.all(ids.map((id) => managed(client, scope, id)));
  return new Map(
    readings.flatMap((reading) =>
      reading.kind === 'found'
        ? reading.ruleset.rules.map((rule) => [rule.id, rule.content.description] as const)
        : [],
    ),
  );
}

/** Returns the ids of the managed rulesets whose rules a rule refers to one by one. */
function namesManagedRules({ content }: LiveRule): readonly string[] {
  const executed = executedReference(content);
  return executed !== undefined && overridesOf(content.action_parameters).length > 0
    ? [executed]
    : [...skippedRules(content).keys()];
}

function overridesOf(parameters: JsonObject | undefined): readonly JsonObject[] {
  return objectsIn(objectOf(parameters?.['overrides'])['rules']);
}

/** Returns comments that name the managed rules which the rules of a ruleset refer to; ids of rulesets are those that will be written. */
export function managedNotes(
  rules: readonly LiveRule[],
  names: ManagedNames,
  catalogue: readonly LiveRulesetHead[],
): readonly FileNote[] {
  return rules.flatMap(({ content }, index): readonly FileNote[] => {
    const path = ['rules', index, 'action_parameters'];
    const executed = executedReference(content);
    if (executed !== undefined) {
      const head = catalogue.find(({ id }) => id === executed);
      const sorted = [...overridesOf(content.action_parameters)].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
      return [
        ...(head === undefined ? [] : [{ path: [...path, 'id'], text: head.name, place: 'behind' } as const]),
        ...sorted.flatMap((one, at): readonly FileNote[] => {
          const name = names.get(idOf(one)) ?? '';
          return name === ''
            ? []
            : [{ path: [...path, 'overrides', 'rules', at], text: name, place: 'behind' }];
        }),
      ];
    }
    return [...skippedRules(content)].flatMap(([key, ids]): readonly FileNote[] => {
      const known = ids.flatMap((id) => names.get(id) ?? []);
      return known.length === 0
        ? []
        : [{ path: [...path, 'rules', key], text: known.join('; '), place: 'before' }];
    });
  });
}

function idOf(override: JsonObject): string {
  return textOf(override['id']);
}
