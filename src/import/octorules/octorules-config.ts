import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../../data/index.ts';

/** A zone that the configuration of octorules names. */
export interface OctorulesZone {
  /** As its file is called; `*` stands for every zone that has a file. */
  readonly name: string;
  /** What the service calls it. */
  readonly resource: string;
  /** The name of the provider that its rules are written with, which rules may name. */
  readonly target: string;
  /** Processors change rules on their way from the file to the service. */
  readonly processors: readonly string[];
}

/** The configuration of octorules as far as an import needs it. */
export interface OctorulesConfig {
  /** The folder with the rules, as written: relative to the configuration. */
  readonly rules: string;
  readonly zones: readonly OctorulesZone[];
  /** Zones that no file is read for, and why. */
  readonly left: readonly { readonly zone: string; readonly why: string }[];
  /** What the configuration says that is to be said again by hand. */
  readonly notes: readonly string[];
}

/** Shares that octorules has where nobody says others. */
const USUAL: Readonly<Record<string, number>> = {
  delete_threshold: 30,
  update_threshold: 30,
  min_existing: 3,
};

/** Sections of `providers` that are no provider. */
const SHARED: ReadonlySet<string> = new Set(['rules', 'lists']);

const CLASS = /^octorules_cloudflare(?:\.|$)/u;

/** Reads a configuration; a text says why it is none. */
export function readOctorulesConfig(value: JsonValue): OctorulesConfig | string {
  const { providers, zones } = objectOf(value);
  if (!isJsonObject(providers) || !isJsonObject(zones)) {
    return 'is no configuration of octorules: it has no providers, or no zones';
  }
  const all = Object.entries(providers).filter(([name]) => !SHARED.has(name));
  const ours = new Set(
    all.filter(([name, provider]) => isOurs(name, objectOf(provider))).map(([name]) => name),
  );
  if (ours.size === 0) {
    return 'has no provider for Cloudflare: one is called cloudflare, or has a class of octorules_cloudflare';
  }
  const found: OctorulesZone[] = [];
  const left: OctorulesConfig['left'][number][] = [];
  for (const [name, zone] of Object.entries(zones)) {
    const { sources, targets, processors, zone_names: names } = objectOf(zone);
    const aimed = targets === undefined ? all.map(([provider]) => provider) : listOf(targets).map(textOf);
    const [target, second] = aimed.filter((one) => ours.has(one));
    if (target === undefined) {
      left.push({ zone: name, why: 'it goes to no provider for Cloudflare' });
    } else if (second !== undefined) {
      left.push({ zone: name, why: `it goes to several accounts: ${target} and ${second}` });
    } else if (sources !== undefined && !listOf(sources).includes('rules')) {
      left.push({ zone: name, why: 'octorules reads no file for it: its sources do not name rules' });
    } else {
      const own = textOf(objectOf(names)[target]);
      const resource = own === '' ? name : own;
      const same = found.find((one) => one.target === target && one.resource === resource);
      if (same !== undefined) {
        left.push({ zone: name, why: `octorules writes it to ${resource}, as it does ${same.name}` });
        continue;
      }
      found.push({ name, resource, target, processors: listOf(processors).map(textOf) });
    }
  }
  const folder = textOf(objectOf(providers['rules'])['directory']);
  return {
    rules: folder === '' ? './rules' : folder,
    zones: found,
    left,
    notes: notesOf(
      [...ours].map((name) => [`providers.${name}`, objectOf(providers[name])]),
      Object.entries(zones),
    ),
  };
}

function isOurs(name: string, { class: path }: JsonObject): boolean {
  return path === undefined ? name === 'cloudflare' : CLASS.test(textOf(path));
}

function notesOf(
  providers: readonly (readonly [string, JsonObject])[],
  zones: readonly (readonly [string, JsonValue])[],
): readonly string[] {
  const safety = [...providers, ...zones.map(([name, zone]) => [`zones.${name}`, objectOf(zone)] as const)];
  const own = safety.flatMap(([where, { safety: said }]) =>
    Object.entries(objectOf(said)).flatMap(([key, value]) =>
      Object.hasOwn(USUAL, key) && USUAL[key] !== value ? [`${where}: ${key} ${JSON.stringify(value)}`] : [],
    ),
  );
  const dry = zones.flatMap(([name, zone]) => (objectOf(zone)['always_dry_run'] === true ? [name] : []));
  return [
    ...(own.length === 0
      ? []
      : [
          `Say its thresholds under safety in rulewright.yaml, as max_deleted, max_changed and min_rules: ${own.join(', ')}.`,
        ]),
    ...(dry.length === 0
      ? []
      : [
          `octorules never wrote to ${dry.join(', ')} (always_dry_run), and an apply would: read the plan first.`,
        ]),
  ];
}
