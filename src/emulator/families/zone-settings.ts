import { checkPermission, param, readBody } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { inZones } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { checkShape } from '../decode/bounds.ts';
import { list, object, opaque, text } from '../decode/body-shape.ts';
import { checkNotGone } from '../environment/service-clock.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { isObject, listAt, mergedObject, textAt } from '../protocol/wire-object.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import { bodyOf, documentOf, familyRoutes, shownDocument, writeDocument } from './family.ts';
import type { DocumentRow, Family } from './family.ts';
import { dnsSettingRows, settingRows } from './setting-rows.ts';
import type { SettingRow } from './setting-rows.ts';

type SettingRows = Readonly<Record<string, SettingRow>>;

const SETTINGS = '/settings';
const PERMISSIONS = ['Zone Settings'] as const;
const BATCH = 'zone-settings-batch';

const batchBody = object(
  { items: list(object({ id: text(), value: opaque }, { required: ['id', 'value'] })) },
  { required: ['items'] },
);

const oneByOne: Family = {
  path: `${SETTINGS}/:setting{[a-z0-9_]+}`,
  holds: 'document',
  access: PERMISSIONS,
  writes: { PATCH: mergedObject },
  ignores: ['id'],
  document: (call) => settingOf(settingRows, param(call, 'setting')),
};

/**
 * The routes of zone settings, one by one and, until the end of these endpoints, all at once (api.md 12.1); and of old endpoints inside the DNS
 * settings in the same form (specification 9, row of 2024-09-13; their form is assumed).
 */
export const settingRoutes: readonly Route[] = [
  inZones('GET', SETTINGS, allAtOnce('Read')),
  inZones('PATCH', SETTINGS, allAtOnce('Write')),
  ...familyRoutes(oneByOne),
  ...familyRoutes({
    ...oneByOne,
    path: '/dns_settings/:setting{[a-z0-9_]+}',
    access: ['DNS'],
    document: (call) => settingOf(dnsSettingRows, param(call, 'setting')),
  }),
  ...familyRoutes({
    ...oneByOne,
    path: `${SETTINGS}/:setting{privacy_pass}`,
    writes: { POST: mergedObject },
  }).filter(({ method }) => method === 'POST'),
];

/** Reads all settings, after changing several of them, all or none. */
function allAtOnce(access: Access): (call: ScopedCall) => Answer {
  return (call) => {
    checkPermission(call, access, PERMISSIONS);
    checkNotGone(call.service, BATCH);
    const setting = (name: string): Family => {
      const row = settingOf(settingRows, name);
      if (row.ends !== undefined) {
        checkNotGone(call.service, row.ends);
      }
      return { ...oneByOne, ...row };
    };
    const items = access === 'Read' ? [] : listAt(readBody(call, batchBody), 'items').filter(isObject);
    for (const item of items) {
      const family = setting(textAt(item, 'id') ?? '');
      checkShape(bodyOf(family) ?? opaque, item);
      const document = documentOf(family, call);
      const sent = mergedObject(document.value, item);
      writeDocument(family, call, { document, sent, before: document.value });
    }
    const shown = Object.keys(settingRows).map((name) => attempt(() => shownDocument(setting(name), call)));
    return result(shown.filter((each) => !(each instanceof Refusal)));
  };
}

/** Returns a setting as a document; refuses a name that no setting has. */
function settingOf(rows: SettingRows, name: string): DocumentRow {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) {
    throw refuse(400, `undefined zone setting: ${name}`);
  }
  const { value: shape, standard, deprecation, read, write, ignored, also, editable = true } = row;
  return {
    storedAt: SETTINGS,
    name,
    standard: { value: standard, modified_on: null },
    body: object({ value: shape }, { required: ['value'] }),
    fill: ({ value }, at) => {
      if (!editable) {
        throw refuse(400, `the setting ${name} cannot be changed`);
      }
      if (at.before !== undefined && ignored?.(at, value) === true) {
        return at.before;
      }
      write?.(at, value);
      return { value, modified_on: at.stamp };
    },
    show: ({ value, modified_on }, at) => ({
      id: name,
      value: read === undefined ? value : read(at, value),
      modified_on,
      editable,
      ...also?.(value),
    }),
    ...(deprecation === undefined ? {} : { ends: deprecation }),
  };
}
