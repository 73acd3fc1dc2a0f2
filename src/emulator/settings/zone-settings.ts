import { checkPermission, param, readBody } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { checkShape } from '../decode/bounds.ts';
import { list, object, opaque, text } from '../decode/shape.ts';
import { isObject, listAt, merged, textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { invalidValue, attempt, Refusal, refuse } from '../protocol/refusal.ts';
import { checkNotGone } from '../environment/clock.ts';
import { changeDocument, documentFamilyRoutes, showDocument } from './document-family.ts';
import type { DocumentFamily, DocumentRow } from './document-family.ts';
import { dnsSettingRows, settingRows } from './setting-rows.ts';
import type { SettingRow } from './setting-rows.ts';

type SettingRows = Readonly<Record<string, SettingRow>>;

const SETTINGS = '/settings';
const PERMISSION = 'Zone Settings';
const BATCH = 'zone-settings-batch';

const batchBody = object(
  { items: list(object({ id: text(), value: opaque }, { required: ['id', 'value'] })) },
  { required: ['items'] },
);

/**
 * The routes of zone settings, one by one and, until the end of these endpoints, all at once (api.md 12.1); and of old endpoints inside the DNS
 * settings in the same form (specification 9, row of 2024-09-13; their form is assumed).
 */
export const settingRoutes: readonly Route[] = [
  inZones('GET', SETTINGS, allAtOnce('Read')),
  inZones('PATCH', SETTINGS, allAtOnce('Write')),
  ...oneByOne(settingRows, { path: `${SETTINGS}/:setting{[a-z0-9_]+}`, permission: PERMISSION }),
  ...oneByOne(dnsSettingRows, { path: '/dns_settings/:setting{[a-z0-9_]+}', permission: 'DNS' }),
  ...oneByOne(settingRows, {
    path: `${SETTINGS}/:setting{privacy_pass}`,
    permission: PERMISSION,
    writes: ['POST'],
  }).filter(({ method }) => method === 'POST'),
];

function oneByOne(
  rows: SettingRows,
  family: Pick<DocumentFamily, 'path' | 'permission'> & Partial<DocumentFamily>,
): readonly Route[] {
  const body = object({ value: opaque, id: text() }, { required: ['value'] });
  return documentFamilyRoutes({ writes: ['PATCH'], body, ...family }, (call) =>
    settingOf(call, rows, param(call, 'setting')),
  );
}

/** Reads all settings, after changing several of them, all or none. */
function allAtOnce(access: Access): (call: ScopedCall) => Answer {
  return (call) => {
    checkPermission(call, access, [PERMISSION]);
    checkNotGone(call.service, BATCH);
    const items = access === 'Read' ? [] : listAt(readBody(call, batchBody), 'items').filter(isObject);
    for (const item of items) {
      changeDocument(call, settingOf(call, settingRows, textAt(item, 'id') ?? ''), item);
    }
    return result(
      Object.keys(settingRows).flatMap((name) => {
        const setting = attempt(() => settingOf(call, settingRows, name));
        return setting instanceof Refusal ? [] : [showDocument(call, setting)];
      }),
    );
  };
}

/** Returns a setting as a document; refuses a name that no setting has, or that the service has removed. */
function settingOf(call: ScopedCall, rows: SettingRows, name: string): DocumentRow {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) {
    throw refuse(400, `undefined zone setting: ${name}`);
  }
  if (row.deprecation !== undefined) {
    checkNotGone(call.service, row.deprecation);
  }
  return {
    path: SETTINGS,
    name,
    standard: { value: row.standard, modified_on: null },
    change: (before, { value }) => changeSetting(call, { name, row }, { before, value }),
    show: ({ value, modified_on }) => ({
      id: name,
      value: row.read === undefined ? value : row.read(call, value),
      modified_on,
      editable: row.editable ?? true,
      ...row.also?.(value),
    }),
  };
}

function changeSetting(
  call: ScopedCall,
  { name, row }: { readonly name: string; readonly row: SettingRow },
  { before, value }: { readonly before: WireObject; readonly value: unknown },
): WireObject {
  if (row.editable === false) {
    throw refuse(400, `the setting ${name} cannot be changed`);
  }
  checkShape(row.value, value, '/value');
  if (row.ignored?.(call, value) === true) {
    return before;
  }
  row.write?.(call, value);
  const next = merged(before['value'], value);
  if (next === undefined) {
    throw invalidValue(next, '/value', 'it is required');
  }
  return { value: next, modified_on: call.service.stamp() };
}
