import { isJsonObject, objectOf } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import type { LiveSetting, SettingFacts, SettingFieldChange } from '../model/index.ts';
import type { ReadClient } from './client.ts';
import { zonePath } from './paths.ts';
import type { WriteRequest } from './request.ts';
import { decodeResult } from './response.ts';
import { decodeOne, flagOr, membersAt, optionalItems, textMember, unexpected } from './answer-shape.ts';
import type { FieldReaders } from './answer-shape.ts';

/** Reads a setting of a zone. */
export async function getSetting(
  client: ReadClient,
  zoneId: string,
  facts: SettingFacts,
): Promise<LiveSetting> {
  return decodeResult(await client.get(`${zonePath(zoneId)}${facts.path}`), decodeSetting(facts));
}

/**
 * Returns a decoder of a setting. Fields that the answer lacks, or has as null, are missing; an answer that has nothing of the setting is none, since
 * fields that are missing are taken for their defaults.
 */
export function decodeSetting(facts: SettingFacts): (result: unknown) => LiveSetting {
  return decodeOne((answer) => {
    const whole = wholeOf(facts, answer);
    const values = new Map<string, JsonValue>();
    for (const path of Object.keys(facts.fields)) {
      const value = valueAt(path, facts, answer);
      if (value !== undefined && value !== null) {
        values.set(path, value);
      }
    }
    const editable = facts.form.kind !== 'value' || flagOr(answer, 'editable', true);
    return { name: facts.name, values, whole, editable };
  });
}

/** Returns all that an answer shows of a setting; that of a setting which is one value is empty. */
function wholeOf({ name, form, fields }: SettingFacts, { object, pointer }: FieldReaders): JsonObject {
  if (form.kind === 'value') {
    const { value } = object;
    if (value === undefined || value === null) {
      throw unexpected(`${pointer}/value`, `should be the value of ${name} and is missing`);
    }
    return objectOf(value);
  }
  const keys = form.kind === 'switches' ? Object.keys(form.lists) : Object.keys(fields).map(firstKey);
  if (!keys.some((key) => key in object)) {
    throw unexpected(pointer, `has no field of ${name}`);
  }
  return form.kind === 'switches' ? {} : object;
}

function firstKey(path: string): string {
  return path.split('/')[1] ?? '';
}

function valueAt(path: string, { form }: SettingFacts, answer: FieldReaders): JsonValue | undefined {
  switch (form.kind) {
    case 'switches':
      return Object.keys(form.lists)
        .flatMap((list) => optionalItems(answer, list).map((item) => membersAt(item)))
        .find((item) => textMember(item, 'id') === path.slice(1))?.object['enabled'];
    case 'value':
      return inner(answer.object['value'], path);
    default:
      return inner(answer.object, path);
  }
}

function inner(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((at, key) => objectOf(at)[key], value);
}

/**
 * Returns the write of changed fields. Where a write has to name all fields, the others keep their live values, or else their defaults; also those
 * that are not known here.
 */
export function settingRequest(
  zoneId: string,
  facts: SettingFacts,
  { fields, live }: { readonly fields: readonly SettingFieldChange[]; readonly live: LiveSetting },
): WriteRequest {
  const changed = new Map(fields.map(({ path, after }) => [path, after]));
  return {
    method: facts.method,
    path: `${zonePath(zoneId)}${facts.path}`,
    body: bodyOf(facts, { changed, live }),
    ...(repeatsLive(facts) ? { once: true } : {}),
  };
}

/** Whether a write has to name fields that do not change. */
function repeatsLive({ form, fields }: SettingFacts): boolean {
  return form.kind === 'object' ? form.sends === 'whole' : form.kind === 'value' && !('' in fields);
}

function bodyOf(
  { form, fields }: SettingFacts,
  { changed, live }: { readonly changed: ReadonlyMap<string, JsonValue>; readonly live: LiveSetting },
): JsonValue {
  const all = new Map(
    Object.entries(fields).flatMap(([path, { standard, readOnly }]): readonly [string, JsonValue][] => {
      const value = changed.get(path) ?? live.values.get(path) ?? standard;
      return value === undefined || readOnly !== undefined ? [] : [[path, value]];
    }),
  );
  switch (form.kind) {
    case 'switches':
      return Object.fromEntries(
        Object.entries(form.lists).flatMap(([list, paths]) => {
          const items = paths.flatMap((path) => {
            const enabled = changed.get(path);
            return enabled === undefined ? [] : [{ id: path.slice(1), enabled }];
          });
          return items.length === 0 ? [] : [[list, items]];
        }),
      );
    case 'value':
      return { value: nested(all, live.whole) };
    default:
      return form.sends === 'whole' ? nested(all, live.whole) : nested(changed);
  }
}

/** Puts the values at pointers into an object. */
function nested(values: ReadonlyMap<string, JsonValue>, into: JsonObject = {}): JsonValue {
  return [...values].reduce<JsonValue>(
    (whole, [path, value]) => withValue(whole, path.split('/').slice(1), value),
    into,
  );
}

function withValue(whole: JsonValue, [key, ...path]: readonly string[], value: JsonValue): JsonValue {
  const at: JsonObject = isJsonObject(whole) ? whole : {};
  return key === undefined ? value : { ...at, [key]: withValue(at[key] ?? {}, path, value) };
}
