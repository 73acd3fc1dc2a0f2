import { canonicalJson, groupBy, isJsonArray, isJsonObject, listOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { ConfiguredLocal } from './configured-names.ts';
import { slug } from '../../text/index.ts';
import { variableName } from './declare-secrets.ts';
import { MOST_VARIABLES, freeName, localsOf, memberWith } from './fold-zones.ts';
import type { ConfiguredZone } from './fold-zones.ts';
import { mergeAlike, outlineOf } from './merge-alike.ts';

/** A ruleset of a zone, and the resource block that it is an instance of. */
export interface BlockRuleset {
  /** The address of the block, without the keys of its instances. */
  readonly resource: string;
  readonly resourceName: string;
  /** Its `addressKey` in the zone. */
  readonly key: string;
  readonly value: JsonObject;
}

/** A zone whose rulesets may use packs. */
export interface PackableZone extends ConfiguredZone {
  readonly rulesets: readonly BlockRuleset[];
}

/** The rules that one resource block has in several zones, as a pack for each of them. */
export interface ZonePack<Zone extends PackableZone> {
  readonly name: string;
  readonly resource: string;
  readonly key: string;
  readonly members: readonly Zone[];
  /** The place of its first rule among those of each member. */
  readonly places: readonly number[];
  readonly rules: readonly JsonValue[];
  /** Locals of the configuration: parameters with their values as defaults, or variables of the project. */
  readonly locals: ReadonlyMap<string, ConfiguredLocal>;
  /** The variables for what differs, with the values of each member in its order. */
  readonly vars: ReadonlyMap<string, readonly JsonValue[]>;
}

/**
 * Finds resource blocks of which zones `apart` have instances with rules that are alike, and makes a pack of these. `taken` are names that variables must
 * not have, `packs` those of packs. What a zone then says has to be checked: only loading it tells.
 */
export function zonePacks<Zone extends PackableZone>(
  zones: readonly Zone[],
  {
    apart,
    taken,
    packs,
  }: {
    readonly apart: (members: readonly Zone[]) => boolean;
    readonly taken: ReadonlySet<string>;
    readonly packs: ReadonlySet<string>;
  },
): readonly ZonePack<Zone>[] {
  const all = zones.flatMap((zone) => zone.rulesets.map((ruleset) => instanceOf(zone, ruleset)));
  const blocks = groupBy(all, ({ resource, key }) => canonicalJson([resource, key]));
  const names = new Set(packs);
  const known: KnownVariables = new Map();
  return [...blocks.values()].flatMap((instances) =>
    sharedRuns(instances, apart).flatMap((members): readonly ZonePack<Zone>[] => {
      const [first] = members;
      const merged = mergedRules(members, { taken, known });
      if (first === undefined || merged === undefined) {
        return [];
      }
      const stem = slug(first.resourceName);
      const name = freeName(stem === '' ? 'rules' : stem, (one) => !names.has(one), '-');
      names.add(name);
      return [
        {
          name,
          resource: first.resource,
          key: first.key,
          members: members.map(({ zone }) => zone),
          places: members.map(({ at }) => at),
          ...merged,
        },
      ];
    }),
  );
}

/** The rules of a block in one zone, or a run of them. */
interface BlockInstance<Zone> extends BlockRuleset {
  readonly zone: Zone;
  readonly rules: readonly JsonValue[];
  /** What each rule is without what may differ. */
  readonly outlines: readonly string[];
  /** The place of the first one among all. */
  readonly at: number;
}

function instanceOf<Zone>(zone: Zone, ruleset: BlockRuleset): BlockInstance<Zone> {
  const rules = listOf(ruleset.value['rules']);
  const outlines = rules.map((rule) => canonicalJson(outlineOf({ rules: [rule] }, { withActions: true })));
  return { zone, ...ruleset, rules, outlines, at: 0 };
}

/** Shorter runs of rules, beside others of each zone, are not worth a file. */
const SHORTEST_RUN = 2;

/**
 * Returns the instances of a block in groups of zones `apart`, each with the rules that are alike in all of the group: all rules of some of the
 * instances, or the longest run of rules that every instance has, if that is more.
 */
function sharedRuns<Zone>(
  instances: readonly BlockInstance<Zone>[],
  apart: (members: readonly Zone[]) => boolean,
): readonly (readonly BlockInstance<Zone>[])[] {
  const isApart = (some: readonly BlockInstance<Zone>[]): boolean =>
    some.length > 1 && apart(some.map(({ zone }) => zone));
  const alike = [...groupBy(instances, ({ outlines }) => canonicalJson([...outlines])).values()].filter(
    (some) => isApart(some) && some.every(({ rules }) => rules.length > 0),
  );
  const covered = alike.reduce((sum, some) => sum + some.length * (some[0]?.rules.length ?? 0), 0);
  const run = longestRun(instances.map(({ outlines }) => outlines));
  if (!isApart(instances) || run.length < SHORTEST_RUN || run.length * instances.length <= covered) {
    return alike;
  }
  const ofRun = instances.map((one) => {
    const at = placeOf(run, one.outlines);
    return { ...one, at, rules: one.rules.slice(at, at + run.length) };
  });
  return [ofRun];
}

/** Returns the longest run of items that all lists have. */
function longestRun(lists: readonly (readonly string[])[]): readonly string[] {
  const different = [...new Map(lists.map((list) => [canonicalJson([...list]), list])).values()];
  const [shortest = [], ...others] = different.toSorted((a, b) => a.length - b.length);
  for (let length = shortest.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= shortest.length; start += 1) {
      const run = shortest.slice(start, start + length);
      if (others.every((list) => placeOf(run, list) !== -1)) {
        return run;
      }
    }
  }
  return [];
}

function placeOf(run: readonly string[], list: readonly string[]): number {
  return list.findIndex((_item, at) => run.every((one, index) => list[at + index] === one));
}

/** The values that zones have of variables, by name and then by zone: packs share what is the same in each zone. */
type KnownVariables = Map<string, Map<string, JsonValue>>;

function mergedRules(
  members: readonly { readonly zone: ConfiguredZone; readonly rules: readonly JsonValue[] }[],
  { taken, known }: { readonly taken: ReadonlySet<string>; readonly known: KnownVariables },
): Pick<ZonePack<PackableZone>, 'rules' | 'locals' | 'vars'> | undefined {
  const zones = members.map(({ zone }) => zone);
  const vars = new Map<string, readonly JsonValue[]>();
  const locals = new Map<string, ConfiguredLocal>();
  let unnamed = 0;
  const variableFor = (proposed: string, values: readonly JsonValue[]): string => {
    const same = [...vars].find(([, there]) => canonicalJson([...there]) === canonicalJson([...values]));
    if (same !== undefined) {
      return same[0];
    }
    const member = memberWith(zones, values);
    unnamed += member === undefined && proposed !== 'domain' ? 1 : 0;
    const name = freeName(variableName(member ?? proposed), (one) => {
      const there = known.get(one);
      const fits = zones.every((zone, at) => {
        const value = there?.get(zone.name);
        return value === undefined || canonicalJson(value) === canonicalJson(values[at] ?? null);
      });
      return fits && !taken.has(one) && !locals.has(one);
    });
    vars.set(name, values);
    return name;
  };
  const merged = mergeAlike(
    members.map(({ rules }) => ({ rules: [...rules] })),
    {
      names: zones.map(({ name }) => name),
      variable: (proposed, values) => `\${${variableFor(proposed, values)}}`,
      locals: localsOf(zones, locals, (local) =>
        freeName(
          variableName(local.name),
          (one) => !taken.has(one) && !vars.has(one) && (locals.get(one) ?? local).key === local.key,
        ),
      ),
    },
  );
  const rules = isJsonObject(merged) ? merged['rules'] : undefined;
  if (!isJsonArray(rules) || unnamed > MOST_VARIABLES) {
    return undefined;
  }
  for (const [name, values] of vars) {
    const there = known.get(name) ?? new Map<string, JsonValue>();
    zones.forEach((zone, at) => there.set(zone.name, values[at] ?? null));
    known.set(name, there);
  }
  return { rules, locals, vars };
}
