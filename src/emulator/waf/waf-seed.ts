import { flag, list, map, object, text, word } from '../decode/body-shape.ts';
import type { ShapeFields, SchemaViolation } from '../decode/body-shape.ts';
import { namedId } from '../environment/service-clock.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { WafMigration, OldWaf } from '../records/old-records.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { stepTo } from './migration-state.ts';
import { createOverrideBody, packageBody, allowedModes, modeAsDelivered } from './old-waf-view.ts';
import { wafPackages } from './waf-catalogue.ts';

const packages = wafPackages.map(({ row }) => row.name);
const groups = wafPackages.flatMap((each) => each.groups.map(({ row }) => row.name));
const rules = new Map(wafPackages.flatMap((each) => each.rules.map((rule) => [rule.row.id, rule] as const)));
const oneOf = (names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`, 'u');

/**
 * What a zone of a seed may say about the old WAF (settings by package name, group name and rule id; URI-based
 * overrides) and about its migration. A zone that says neither has only ever had the new managed rules.
 */
export const wafSeedFields = {
  waf: object({
    enabled: flag(),
    packages: map(packageBody, { key: oneOf(packages) }),
    groups: map(word('on', 'off'), { key: oneOf(groups) }),
    rules: map(text({ min: 1 }), { key: oneOf([...rules.keys()]), also: wrongMode }),
    overrides: list(createOverrideBody),
  }),
  waf_migration: object({ state: word('start', 'validation', 'complete'), created: text({ min: 1 }) }),
};

type WafSeed = ShapeFields<typeof wafSeedFields>;

/** Stores what a zone of a seed says about the old WAF and its migration. */
export function seedOldWaf(
  store: Store,
  zone: Zone,
  { waf, waf_migration: migration }: WafSeed,
  seedTime: string,
): void {
  if (waf === undefined && migration === undefined) {
    return;
  }
  for (const [index, content] of (waf?.overrides ?? []).entries()) {
    const id = content.id ?? namedId('waf override', zone.id, String(index));
    store.wafOverrides.set(id, { id, zone: zone.id, content });
  }
  store.oldWafs.set(zone.id, {
    zone: zone.id,
    enabled: waf?.enabled !== false,
    packages: Object.fromEntries(
      wafPackages.flatMap(({ id, row }) => {
        const settings = waf?.packages?.[row.name];
        return settings === undefined ? [] : [[id, settings]];
      }),
    ),
    groups: groupSettings(waf?.groups ?? {}),
    rules: ruleSettings(waf?.rules ?? {}),
  });
  store.wafMigrations.set(zone.id, migrationRecord(zone, migration ?? {}, seedTime));
}

/** Finds a rule whose mode is not one of those that it can have. */
function wrongMode(modes: WireObject): SchemaViolation | undefined {
  for (const [id, mode] of Object.entries(modes)) {
    const rule = rules.get(id);
    const allowed = rule === undefined ? [] : allowedModes(rule);
    if (!allowed.includes(String(mode))) {
      return { at: id, reason: `it must be one of ${allowed.join(', ')}` };
    }
  }
  return undefined;
}

/** Leaves out the rules that are as delivered. */
function ruleSettings(modes: OldWaf['rules']): OldWaf['rules'] {
  return Object.fromEntries(
    Object.entries(modes).filter(([id, mode]) => {
      const rule = rules.get(id);
      return rule !== undefined && mode !== modeAsDelivered(rule);
    }),
  );
}

/** Translates the modes of groups from names to ids. */
function groupSettings(byName: OldWaf['groups']): OldWaf['groups'] {
  return Object.fromEntries(
    wafPackages
      .flatMap((each) => each.groups)
      .flatMap(({ id, row }) => {
        const mode = byName[row.name];
        return mode === undefined ? [] : [[id, mode] as const];
      }),
  );
}

function migrationRecord(
  zone: Zone,
  { created, state = 'start' }: NonNullable<WafSeed['waf_migration']>,
  seedTime: string,
): WafMigration {
  const steps =
    state === 'start'
      ? []
      : [
          stepTo('start', 'configuration saved', Date.parse(seedTime), 'seed'),
          stepTo('validation', 'new managed rules enabled', Date.parse(seedTime), 'seed'),
        ];
  return {
    zone: zone.id,
    created: created ?? seedTime,
    state,
    steps:
      state === 'complete'
        ? [...steps, stepTo('complete', 'previous WAF disabled', Date.parse(seedTime), 'seed')]
        : steps,
  };
}
