import { checkPermission, param, readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { inZones } from '../call/route.ts';
import type { Handle, Route } from '../call/route.ts';
import { checkShape } from '../decode/bounds.ts';
import { list, object, opaque, text } from '../decode/shape.ts';
import { isObject, listAt, merged, textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import { invalidValue, attempt, Refusal, refuse } from '../protocol/refusal.ts';
import { findDocument, keepDocument } from '../store/document.ts';
import { checkNotGone } from '../environment/clock.ts';
import { dnsSettingRows, settingRows } from './setting-rows.ts';
import type { SettingRow } from './setting-rows.ts';

/** Settings with one form of answers: where they are, who may use them, and the row of each. */
interface SettingFamily {
  readonly path: string;
  readonly permission: string;
  readonly rows: Readonly<Record<string, SettingRow>>;
}

const zoneSettings: SettingFamily = { path: '/settings', permission: 'Zone Settings', rows: settingRows };

/** Old endpoints inside the DNS settings (specification 9, row of 2024-09-13; their form is assumed). */
const oldDnsSettings: SettingFamily = { path: '/dns_settings', permission: 'DNS', rows: dnsSettingRows };

/** The routes of zone settings, one by one and all at once, and of settings in the same form. */
export const settingRoutes: readonly Route[] = [
  inZones('GET', zoneSettings.path, readAll(zoneSettings)),
  inZones('PATCH', zoneSettings.path, writeAll(zoneSettings)),
  ...[zoneSettings, oldDnsSettings].flatMap((family) => {
    const path = `${family.path}/:setting{[a-z0-9_]+}`;
    return [inZones('GET', path, readOne(family)), inZones('PATCH', path, writeOne(family))];
  }),
  inZones('POST', `${zoneSettings.path}/:setting{privacy_pass}`, writeOne(zoneSettings)),
];

const settingBody = object({ value: opaque, id: text() }, { required: ['value'] });
const batchBody = object(
  { items: list(object({ id: text(), value: opaque }, { required: ['id', 'value'] })) },
  { required: ['items'] },
);
const BATCH = 'zone-settings-batch';

function readOne(family: SettingFamily): Handle {
  return (call) => {
    checkPermission(call, 'Read', [family.permission]);
    return result(showSetting(call, findSetting(call, family, param(call, 'setting'))));
  };
}

function writeOne(family: SettingFamily): Handle {
  return (call) => {
    checkPermission(call, 'Write', [family.permission]);
    const setting = findSetting(call, family, param(call, 'setting'));
    writeSetting(call, setting, readBody(call, settingBody)['value']);
    return result(showSetting(call, setting));
  };
}

/** GET all settings at once, until that endpoint's end (api.md 12.1). */
function readAll(family: SettingFamily): Handle {
  return (call) => {
    checkPermission(call, 'Read', [family.permission]);
    checkNotGone(call.service, BATCH);
    return result(showAll(call, family));
  };
}

/** PATCH several settings at once, all or none, until that endpoint's end (api.md 12.1). */
function writeAll(family: SettingFamily): Handle {
  return (call) => {
    checkPermission(call, 'Write', [family.permission]);
    checkNotGone(call.service, BATCH);
    for (const item of listAt(readBody(call, batchBody), 'items').filter(isObject)) {
      writeSetting(call, findSetting(call, family, textAt(item, 'id') ?? ''), item['value']);
    }
    return result(showAll(call, family));
  };
}

interface Setting {
  readonly name: string;
  readonly row: SettingRow;
}

function findSetting(call: ScopedCall, { rows }: SettingFamily, name: string): Setting {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) {
    throw refuse(400, `undefined zone setting: ${name}`);
  }
  if (row.deprecation !== undefined) {
    checkNotGone(call.service, row.deprecation);
  }
  return { name, row };
}

function writeSetting(call: ScopedCall, { name, row }: Setting, value: unknown): void {
  if (row.editable === false) {
    throw refuse(400, `the setting ${name} cannot be changed`);
  }
  checkShape(row.value, value, '/value');
  if (row.ignored?.(call, value) === true) {
    return;
  }
  row.write?.(call, value);
  const next = merged(ownValue(call, { name, row }), value);
  if (next === undefined) {
    throw invalidValue(next, '/value', 'it is required');
  }
  const kept = { value: next, modified_on: call.service.stamp() };
  keepDocument(call.service.store, { group: groupOf(call), id: name }, kept);
}

function showAll(call: ScopedCall, family: SettingFamily): readonly WireObject[] {
  return Object.keys(family.rows).flatMap((name) => {
    const setting = attempt(() => findSetting(call, family, name));
    return setting instanceof Refusal ? [] : [showSetting(call, setting)];
  });
}

function showSetting(call: ScopedCall, { name, row }: Setting): WireObject {
  const own = ownValue(call, { name, row });
  const kept = findDocument(call.service.store, groupOf(call), name)?.value;
  return {
    id: name,
    value: row.read === undefined ? own : row.read(call, own),
    modified_on: kept?.['modified_on'] ?? null,
    editable: row.editable ?? true,
    ...row.also?.(own),
  };
}

function ownValue(call: ScopedCall, { name, row }: Setting): unknown {
  return findDocument(call.service.store, groupOf(call), name)?.value['value'] ?? row.standard;
}

function groupOf(call: ScopedCall): string {
  return `${call.scope.owner}/settings`;
}
