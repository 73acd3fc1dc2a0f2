import { checkPermission, param, readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { checkShape } from '../decode/bounds.ts';
import { invalidValue } from '../protocol/templates.ts';
import { list, object, opaque, text } from '../decode/shape.ts';
import { isObject, listAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { attempt, Refusal, refuse } from '../protocol/refusal.ts';
import { findDocument, keepDocument } from './document.ts';
import { checkNotGone } from '../environment/in-effect.ts';
import { settingRows } from './setting-rows.ts';
import type { SettingRow } from './setting-rows.ts';

const GROUPS = ['Zone Settings'];
const settingBody = object({ value: opaque, id: text() }, { required: ['value'] });
const batchBody = object(
  { items: list(object({ id: text(), value: opaque }, { required: ['id', 'value'] })) },
  { required: ['items'] },
);

/** GET one zone setting. */
export function getSetting(call: ScopedCall): Answer {
  const name = param(call, 'setting');
  checkPermission(call, 'Read', GROUPS);
  return result(showSetting(call, name, findRow(call, name)));
}

/** PATCH one zone setting; also handles POST for the setting that had it. */
export function patchSetting(call: ScopedCall): Answer {
  const name = param(call, 'setting');
  checkPermission(call, 'Write', GROUPS);
  const row = findRow(call, name);
  writeSetting(call, name, row, readBody(call, settingBody)['value']);
  return result(showSetting(call, name, row));
}

/** GET all zone settings at once, until that endpoint's end (api.md 12.1). */
export function listSettings(call: ScopedCall): Answer {
  checkPermission(call, 'Read', GROUPS);
  checkNotGone(call.service, BATCH);
  return result(showAll(call));
}

/** PATCH several zone settings at once, all or none, until that endpoint's end (api.md 12.1). */
export function patchSettings(call: ScopedCall): Answer {
  checkPermission(call, 'Write', GROUPS);
  checkNotGone(call.service, BATCH);
  const body = readBody(call, batchBody);
  for (const item of listAt(body, 'items').filter(isObject)) {
    const name = textAt(item, 'id') ?? '';
    writeSetting(call, name, findRow(call, name), item['value']);
  }
  return result(showAll(call));
}

const BATCH = 'zone-settings-batch';

function findRow(call: ScopedCall, name: string): SettingRow {
  const row = Object.hasOwn(settingRows, name) ? settingRows[name] : undefined;
  if (row === undefined) {
    throw refuse(400, `undefined zone setting: ${name}`);
  }
  if (row.deprecation !== undefined) {
    checkNotGone(call.service, row.deprecation);
  }
  return row;
}

function writeSetting(call: ScopedCall, name: string, row: SettingRow, value: unknown): void {
  checkShape(row.value, value, '/value');
  if (row.ignored?.(call, value) === true) {
    return;
  }
  row.write?.(call, value);
  const before = ownValue(call, name, row);
  const next = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  if (next === undefined) {
    throw invalidValue(next, '/value', 'it is required');
  }
  const kept = { value: next, modified_on: call.service.stamp() };
  keepDocument(call.service.store, { group: groupOf(call), id: name }, kept);
}

function showAll(call: ScopedCall): readonly JsonObject[] {
  return Object.keys(settingRows).flatMap((name) => {
    const row = attempt(() => findRow(call, name));
    return row instanceof Refusal ? [] : [showSetting(call, name, row)];
  });
}

function showSetting(call: ScopedCall, name: string, row: SettingRow): JsonObject {
  const own = ownValue(call, name, row);
  const kept = findDocument(call.service.store, groupOf(call), name)?.value;
  return {
    id: name,
    value: row.read === undefined ? own : row.read(call, own),
    modified_on: kept?.['modified_on'] ?? null,
    editable: true,
  };
}

function ownValue(call: ScopedCall, name: string, row: SettingRow): unknown {
  return findDocument(call.service.store, groupOf(call), name)?.value['value'] ?? row.standard;
}

function groupOf(call: ScopedCall): string {
  return `${call.scope.owner}/settings`;
}
