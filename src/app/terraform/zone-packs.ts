import { canonicalJson, groupBy, isJsonArray, isJsonObject, listOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { ConfiguredLocal } from './configured-names.ts';
import { slug } from '../../text/index.ts';
import { variableName } from './declare-secrets.ts';
import { MOST_VARIABLES, freeName, localsAt, memberWith } from './fold-zones.ts';
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
  readonly rules: readonly JsonValue[];
  /** Locals of the configuration: parameters with their values as defaults. */
  readonly locals: ReadonlyMap<string, ConfiguredLocal>;
  /** The variables for what differs, with the values of each member in its order. */
  readonly vars: ReadonlyMap<string, readonly JsonValue[]>;
}

/**
 * Finds resource blocks of which zones `apart` have instances whose rules are alike, and makes a pack of each. `taken` are names that variables must
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
  const all = zones.flatMap((zone) =>
    zone.rulesets.flatMap((ruleset) => {
      const rules = listOf(ruleset.value['rules']);
      return rules.length === 0 ? [] : [{ zone, ...ruleset, rules }];
    }),
  );
  const groups = groupBy(all, ({ resource, key, rules }) =>
    canonicalJson([resource, key, outlineOf({ rules: [...rules] }, { withActions: true })]),
  );
  const names = new Set(packs);
  const known: KnownVariables = new Map();
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined || members.length < 2 || !apart(members.map(({ zone }) => zone))) {
      return [];
    }
    const merged = mergedRules(members, { taken, known });
    if (merged === undefined) {
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
        ...merged,
      },
    ];
  });
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
      locals: (keys) =>
        localsAt(zones, keys).map((local) => ({
          value: local.value,
          refer: () => {
            const name = freeName(
              variableName(local.name),
              (one) => !taken.has(one) && !vars.has(one) && (locals.get(one) ?? local) === local,
            );
            locals.set(name, local);
            return `\${${name}}`;
          },
        })),
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
