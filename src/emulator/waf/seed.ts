import { checkBounds } from '../decode/bounds.ts';
import { flag, list, map, object, text, word } from '../decode/shape.ts';
import type { Shape } from '../decode/shape.ts';
import { namedId } from '../ids.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { stepTo } from '../migration/state.ts';
import type { WafMigration } from '../migration/state.ts';
import type { Zone } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { createOverrideBody, packageBody } from './body.ts';
import { wafPackages } from './catalogue.ts';
import { packageSettings } from './old-waf.ts';

const packages = wafPackages.map(({ row }) => row.name);
const groups = wafPackages.flatMap((each) => each.groups.map(({ row }) => row.name));
const rules = wafPackages.flatMap((each) => each.rules.map(({ row }) => row.id));
const oneOf = (names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`, 'u');

/**
 * What a zone of a seed may say about the old WAF (settings by package name, group name and rule id; URI-based overrides)
 * and about its migration. A zone that says neither was born on the new managed rules.
 */
export const wafSeedFields: Readonly<Record<string, Shape>> = {
  waf: object({
    enabled: flag(),
    packages: map(packageBody, { key: oneOf(packages) }),
    groups: map(word('on', 'off'), { key: oneOf(groups) }),
    rules: map(text({ min: 1 }), { key: oneOf(rules) }),
    overrides: list(createOverrideBody),
  }),
  waf_migration: object({ state: word('start', 'validation', 'complete'), created: text({ min: 1 }) }),
};

/** Stores what a zone of a seed says about the old WAF; refuses what the service would not take. */
export function seedOldWaf(store: Store, zone: Zone, raw: JsonObject, seedTime: string): void {
  const waf = objectAt(raw, 'waf');
  const migration = objectAt(raw, 'waf_migration');
  if (waf === undefined && migration === undefined) {
    return;
  }
  for (const [index, content] of listAt(waf ?? {}, 'overrides')
    .filter(isObject)
    .entries()) {
    checkBounds(createOverrideBody, content, `/waf/overrides/${index}`);
    const id = textAt(content, 'id') ?? namedId('waf override', zone.id, String(index));
    store.wafOverrides.set(id, { id, zone: zone.id, content });
  }
  store.oldWafs.set(zone.id, {
    zone: zone.id,
    enabled: waf?.['enabled'] !== false,
    packages: Object.fromEntries(
      wafPackages.flatMap(({ id, row }) => {
        const settings = objectAt(objectAt(waf ?? {}, 'packages') ?? {}, row.name);
        return settings === undefined ? [] : [[id, packageSettings(settings)]];
      }),
    ),
    groups: groupSettings(objectAt(waf ?? {}, 'groups') ?? {}),
    rules: Object.fromEntries(
      Object.entries(objectAt(waf ?? {}, 'rules') ?? {}).map(([id, mode]) => [id, String(mode)]),
    ),
  });
  store.wafMigrations.set(zone.id, migrationRecord(zone, migration ?? {}, seedTime));
}

function groupSettings(raw: JsonObject): Readonly<Record<string, 'on' | 'off'>> {
  return Object.fromEntries(
    wafPackages
      .flatMap((each) => each.groups)
      .flatMap(({ id, row }) =>
        raw[row.name] === undefined ? [] : [[id, raw[row.name] === 'off' ? 'off' : 'on'] as const],
      ),
  );
}

function migrationRecord(zone: Zone, raw: JsonObject, seedTime: string): WafMigration {
  const created = textAt(raw, 'created') ?? seedTime;
  const state = (['validation', 'complete'] as const).find((word) => word === raw['state']) ?? 'start';
  const steps =
    state === 'start'
      ? []
      : [
          stepTo('start', 'configuration saved', Date.parse(seedTime), 'seed'),
          stepTo('validation', 'new managed rules enabled', Date.parse(seedTime), 'seed'),
        ];
  return {
    zone: zone.id,
    created,
    state,
    steps:
      state === 'complete'
        ? [...steps, stepTo('complete', 'previous WAF disabled', Date.parse(seedTime), 'seed')]
        : steps,
  };
}
