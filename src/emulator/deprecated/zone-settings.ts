import { permissionProblem, readBody, type ScopedCall } from '../call.ts';
import { boundsProblem, invalidValue } from '../decode/bounds.ts';
import { decodeProblem } from '../decode/decode.ts';
import { list, object, opaque, text } from '../decode/shape.ts';
import { isObject, type JsonObject, listAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { document } from './document.ts';
import { goneProblem } from './effect.ts';
import { type SettingRow, settingRows } from './setting-rows.ts';

const READ = ['Zone Settings Read', 'Zone Settings Write'];
const WRITE = ['Zone Settings Write'];
const settingBody = object({ value: opaque, id: text() }, { required: ['value'] });
const batchBody = object(
  { items: list(object({ id: text(), value: opaque }, { required: ['id', 'value'] })) },
  { required: ['items'] },
);

/** GET one zone setting. */
export function getSetting(call: ScopedCall): Answer | Refusal {
  const name = call.params['setting'] ?? '';
  const row = permissionProblem(call, READ) ?? findRow(call, name);
  return isRefusal(row) ? row : result(showSetting(call, name, row));
}

/** PATCH one zone setting (POST where the setting had it). */
export function patchSetting(call: ScopedCall): Answer | Refusal {
  const name = call.params['setting'] ?? '';
  const row = permissionProblem(call, WRITE) ?? findRow(call, name);
  if (isRefusal(row)) {
    return row;
  }
  const body = readBody(call, settingBody);
  if (isRefusal(body)) {
    return body;
  }
  return writeSetting(call, name, row, body['value']) ?? result(showSetting(call, name, row));
}

/** GET all zone settings at once, until that ends (api.md 12.1). */
export function listSettings(call: ScopedCall): Answer | Refusal {
  return permissionProblem(call, READ) ?? goneProblem(call.service, BATCH) ?? result(showAll(call));
}

/** PATCH several zone settings at once, all or none, until that ends (api.md 12.1). */
export function patchSettings(call: ScopedCall): Answer | Refusal {
  const denied = permissionProblem(call, WRITE) ?? goneProblem(call.service, BATCH);
  const body = denied ?? readBody(call, batchBody);
  if (isRefusal(body)) {
    return body;
  }
  for (const item of listAt(body, 'items').filter(isObject)) {
    const name = textAt(item, 'id') ?? '';
    const row = findRow(call, name);
    const wrong = isRefusal(row) ? row : writeSetting(call, name, row, item['value']);
    if (wrong !== undefined) {
      return wrong;
    }
  }
  return result(showAll(call));
}

const BATCH = 'zone-settings-batch';

function findRow(call: ScopedCall, name: string): SettingRow | Refusal {
  const row = Object.hasOwn(settingRows, name) ? settingRows[name] : undefined;
  if (row === undefined) {
    return refuse(400, serviceError(`undefined zone setting: ${name}`));
  }
  return (row.deprecation === undefined ? undefined : goneProblem(call.service, row.deprecation)) ?? row;
}

function writeSetting(call: ScopedCall, name: string, row: SettingRow, value: unknown): Refusal | undefined {
  const problem = decodeProblem(row.value, value, '/value') ?? boundsProblem(row.value, value, '/value');
  if (problem !== undefined) {
    return problem;
  }
  if (row.ignored?.(call, value) === true) {
    return undefined;
  }
  const refused = row.write?.(call, value);
  if (refused !== undefined) {
    return refused;
  }
  const before = ownValue(call, name, row);
  const next = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  if (next === undefined) {
    return invalidValue(next, '/value', 'it is required');
  }
  const kept = document(groupOf(call), name, { value: next, modified_on: call.service.stamp() });
  call.service.store.documents.set(kept.key, kept);
  return undefined;
}

function showAll(call: ScopedCall): readonly JsonObject[] {
  return Object.entries(settingRows).flatMap(([name]) => {
    const row = findRow(call, name);
    return isRefusal(row) ? [] : [showSetting(call, name, row)];
  });
}

function showSetting(call: ScopedCall, name: string, row: SettingRow): JsonObject {
  const own = ownValue(call, name, row);
  const kept = call.service.store.documents.get(`${groupOf(call)}/${name}`)?.value;
  return {
    id: name,
    value: row.read === undefined ? own : row.read(call, own),
    modified_on: kept?.['modified_on'] ?? null,
    editable: true,
  };
}

function ownValue(call: ScopedCall, name: string, row: SettingRow): unknown {
  return call.service.store.documents.get(`${groupOf(call)}/${name}`)?.value['value'] ?? row.standard;
}

function groupOf(call: ScopedCall): string {
  return `${call.scope.owner}/settings`;
}
