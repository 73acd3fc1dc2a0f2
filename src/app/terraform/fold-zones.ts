import { canonicalJson, groupBy, isJsonObject, jsonEqual, objectsIn } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { ConfiguredLocal, ConfiguredNames } from './configured-names.ts';
import { variableName } from './declare-secrets.ts';
import { mergeAlike, outlineOf } from './merge-alike.ts';
import type { NamedValue } from './merge-alike.ts';

/** A zone whose file could be shared: its name, and what its file would declare, without the name. */
export interface FoldableZone extends ConfiguredZone {
  readonly body: JsonObject;
  /** Variables that the packs of the zone use. */
  readonly vars?: ReadonlyMap<string, JsonValue>;
}

/** A zone, and what a configuration calls its values; without one, variables get names of their own. */
export interface ConfiguredZone {
  readonly name: string;
  readonly names?: ConfiguredNames;
}

/** Zones that are alike, in one document: what differs is a variable. Or one zone, with variables for the locals of its configuration, or for packs. */
export interface SharedDocument<Zone extends FoldableZone> {
  readonly members: readonly Zone[];
  /** What differs between them. */
  readonly variables: readonly string[];
  /** Locals of the configuration that are variables, by the names of these. */
  readonly locals: ReadonlyMap<string, ConfiguredLocal>;
  /** Without `zones`. */
  readonly body: JsonObject;
  /** What the file says for all its zones. */
  readonly vars: JsonObject;
  /** What stands under `zones`, in the order of the members. */
  readonly zones: readonly JsonValue[];
}

/** A value of a variable in each zone. */
interface Varying {
  readonly name: string;
  readonly values: readonly JsonValue[];
}

/**
 * Finds zones that differ in single values only, and makes one document of each group, with variables for these values; without `alike`, each zone
 * stays alone. A zone that is alone has a document where it has variables, or where `isWanted`. `taken` are names that variables must not have.
 * What the result says of each zone has to be checked: only loading it tells.
 */
export function foldZones<Zone extends FoldableZone>(
  zones: readonly Zone[],
  {
    taken,
    alike,
    isWanted = () => false,
  }: {
    readonly taken: Iterable<string>;
    readonly alike: boolean;
    readonly isWanted?: (zone: Zone) => boolean;
  },
): readonly SharedDocument<Zone>[] {
  const groups = groupBy(zones, ({ name, body, vars }) =>
    alike
      ? canonicalJson([outlineOf(body, { withActions: false }), [...(vars?.keys() ?? [])].toSorted()])
      : name,
  );
  return [...groups.values()].flatMap((members) => {
    const shared = sharedDocument(members, new Set(taken));
    if (shared === undefined) {
      return members.length < 2 ? [] : foldZones(members, { taken, alike: false, isWanted });
    }
    const isAlone = members.length < 2 && shared.locals.size === 0 && !members.some(isWanted);
    return isAlone ? [] : [shared];
  });
}

/** The most variables besides the name of the zone: zones that differ in more are not alike. */
export const MOST_VARIABLES = 6;

function sharedDocument<Zone extends FoldableZone>(
  members: readonly Zone[],
  taken: Set<string>,
): SharedDocument<Zone> | undefined {
  const names = members.map(({ name }) => name);
  const ofPacks = [...(members[0]?.vars?.keys() ?? [])].map((name): Varying => ({
    name,
    values: members.map(({ vars }) => vars?.get(name) ?? null),
  }));
  const byValues = new Map<string, Varying>();
  for (const one of ofPacks) {
    taken.add(one.name);
    if (one.values.some((value) => !jsonEqual(value, one.values[0]))) {
      byValues.set(canonicalJson(one.values), one);
    }
  }
  const variableFor = (proposed: string, values: readonly JsonValue[]): string => {
    const key = canonicalJson(values);
    const known = byValues.get(key) ?? {
      name: freeName(variableName(proposed), (name) => !taken.has(name)),
      values,
    };
    taken.add(known.name);
    byValues.set(key, known);
    return known.name;
  };
  const locals = new Map<string, ConfiguredLocal>();
  const merged = mergeAlike(
    members.map(({ body }) => body),
    {
      names,
      variable: (proposed, values) => `\${${variableFor(memberWith(members, values) ?? proposed, values)}}`,
      locals: localsOf(members, locals, (local) =>
        variableFor(
          local.name,
          members.map(() => local.value),
        ),
      ),
    },
  );
  const varying = [...new Set([...ofPacks, ...byValues.values()])];
  const rules = rulesIn(members[0]?.body ?? {});
  const most = Math.min(MOST_VARIABLES, 1 + Math.floor(rules / 2));
  const own = varying.filter(
    (one) =>
      !locals.has(one.name) && !ofPacks.includes(one) && canonicalJson(one.values) !== canonicalJson(names),
  );
  if (merged === undefined || !isJsonObject(merged) || own.length > most) {
    return undefined;
  }
  const usual = varying.map((one) => ({ ...one, usual: commonest(one.values) }));
  return {
    members,
    variables: varying.flatMap(({ name }) => (locals.has(name) ? [] : [name])),
    locals,
    body: merged,
    vars: Object.fromEntries(
      usual.flatMap((one) => (one.usual === undefined ? [] : [[one.name, one.usual]])),
    ),
    zones: names.map((name, index) => {
      const vars = Object.fromEntries(
        usual.flatMap((one): readonly (readonly [string, JsonValue])[] => {
          const value = one.values[index] ?? null;
          return one.usual !== undefined && canonicalJson(value) === canonicalJson(one.usual)
            ? []
            : [[one.name, value]];
        }),
      );
      return Object.keys(vars).length === 0 ? name : { name, vars };
    }),
  };
}

/** Returns the member of the items of `for_each` that has these values in these zones. */
export function memberWith(
  members: readonly ConfiguredZone[],
  values: readonly JsonValue[],
): string | undefined {
  return [...(members[0]?.names?.items.keys() ?? [])].find((name) =>
    members.every(({ names }, index) => jsonEqual(names?.items.get(name), values[index])),
  );
}

/**
 * Returns what a place may name: the locals that all of these zones use in attributes of some keys, with the same values. One that is referred to goes
 * into `used`, by the name of its variable: the common one, or what `nameOf` gives.
 */
export function localsOf(
  members: readonly ConfiguredZone[],
  used: Map<string, ConfiguredLocal>,
  nameOf: (local: ConfiguredLocal) => string,
): (keys: readonly string[]) => readonly NamedValue[] {
  return (keys) =>
    [...(members[0]?.names?.locals ?? [])].flatMap(([key, local]) => {
      const attributes = keys.filter((one) => local.attributes.has(one));
      const isShared = members.every(({ names }) => jsonEqual(names?.locals.get(key)?.value, local.value));
      const refer = (): string => {
        const name = local.common ?? nameOf(local);
        const before = used.get(name)?.attributes ?? [];
        used.set(name, { ...local, attributes: new Set([...before, ...attributes]) });
        return `\${${name}}`;
      };
      return attributes.length > 0 && isShared ? [{ value: local.value, refer }] : [];
    });
}

/** Returns a name, or the first of the same with numbers, that is free. */
export function freeName(stem: string, isFree: (name: string) => boolean, between = '_'): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}${between}${count}`;
    if (isFree(name)) {
      return name;
    }
  }
}

function rulesIn(body: JsonObject): number {
  const { entrypoints, rulesets } = body;
  const all = [...Object.values(isJsonObject(entrypoints) ? entrypoints : {}), ...objectsIn(rulesets)];
  return all.reduce<number>((sum, one) => sum + (isJsonObject(one) ? objectsIn(one['rules']).length : 0), 0);
}

/** Returns the value that more than half of the zones have; undefined where there is none. */
function commonest(values: readonly JsonValue[]): JsonValue | undefined {
  const groups = [...groupBy(values, (value) => canonicalJson(value)).values()];
  return groups.find((some) => some.length * 2 > values.length)?.[0];
}
