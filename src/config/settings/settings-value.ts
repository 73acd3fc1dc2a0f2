import { isJsonObject, objectOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { settingFacts, settingKeys } from '../../model/index.ts';
import type { DesiredSetting } from '../../model/index.ts';

/** Returns what stands under `settings` of a file that declares these. */
export function settingsValue(settings: readonly Pick<DesiredSetting, 'name' | 'fields'>[]): JsonObject {
  return settings
    .flatMap(({ name, fields }) =>
      fields.map(({ path, value }) => {
        return {
          keys: settingKeys(settingFacts(name) ?? { name }, path),
          value,
        };
      }),
    )
    .reduce<JsonObject>((whole, { keys, value }) => objectOf(withValue(whole, keys, value)), {});
}

function withValue(whole: JsonValue, [key, ...keys]: readonly string[], value: JsonValue): JsonValue {
  const at: JsonObject = isJsonObject(whole) ? whole : {};
  return key === undefined ? value : { ...at, [key]: withValue(at[key] ?? {}, keys, value) };
}
