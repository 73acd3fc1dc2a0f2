import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../data/index.ts';
import type { ScopeKind } from '../../model/index.ts';
import { scopeFilesIn } from '../project/scope-file.ts';
import type { ScopeFile } from '../project/scope-file.ts';
import type { Pack } from '../compose/pack.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';

/** Where a rule ends up when its file is composed. */
export interface FixPlace {
  readonly phase: string;
  readonly level: ScopeKind;
}

/** A rule as written, and all places where it ends up. */
export interface RuleToFix {
  readonly path: ValuePath;
  readonly value: JsonObject;
  readonly places: readonly FixPlace[];
}

/** Extracts the rules from a document, which is read anew after each round of fixes. */
export type RulesToFix = (document: YamlDocument) => readonly RuleToFix[];

/** Extracts the rules of a zone or account file. */
export const rulesOfScopeFile: RulesToFix = (document) => {
  // All zones of a list have the same rules.
  const [file] = scopeFilesIn(document);
  return (file?.rulesets ?? []).flatMap(({ address, scope, rules }) =>
    rules.map((rule) => ({ ...rule, places: [{ phase: address.phase, level: scope.kind }] })),
  );
};

/** Returns the extractor for the rules of a pack that ends up in these places. */
export function rulesOfPack(places: readonly FixPlace[]): RulesToFix {
  return ({ value }) => {
    const rules = objectOf(value)['rules'];
    return isJsonArray(rules)
      ? rules.flatMap((rule, index) =>
          isJsonObject(rule) ? [{ path: ['rules', index], value: rule, places }] : [],
        )
      : [];
  };
}

/** Returns the places of each pack by its name: where files use the pack, and where they use packs that contain it. */
export function placesOfPacks(
  files: readonly ScopeFile[],
  packs: ReadonlyMap<string, Pack>,
): ReadonlyMap<string, readonly FixPlace[]> {
  const places = new Map<string, Map<string, FixPlace>>();
  const note = (rules: readonly JsonValue[], place: FixPlace): void => {
    for (const rule of rules) {
      const name = isJsonObject(rule) && typeof rule['use'] === 'string' ? rule['use'] : undefined;
      const key = `${place.level} ${place.phase}`;
      const known = places.get(name ?? '') ?? new Map<string, FixPlace>();
      // This also ends a cycle of packs.
      if (name !== undefined && !known.has(key)) {
        places.set(name, known.set(key, place));
        note(packs.get(name)?.rules ?? [], place);
      }
    }
  };
  for (const { scope, rulesets } of files) {
    for (const { address, rules } of rulesets) {
      note(
        rules.map(({ value }) => value),
        { phase: address.phase, level: scope.kind },
      );
    }
  }
  return new Map([...places].map(([name, known]) => [name, [...known.values()]]));
}
