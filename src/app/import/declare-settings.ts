import type { ReadClient } from '../../api/index.ts';
import { isForbidden, isNotFound, orElse } from '../../api/index.ts';
import { settingsValue } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { readSettings } from '../../live/index.ts';
import {
  SETTINGS,
  isSettingAsWanted,
  isSettingValue,
  phaseFacts,
  settingFieldName,
} from '../../model/index.ts';
import type { LiveSetting, Scope, SettingField } from '../../model/index.ts';

/** The settings of a zone as a file declares them. */
export interface ImportedSettings {
  /** What stands under `settings`; null for nothing. */
  readonly value: JsonObject | null;
  /** Where settings come from, as lines above them. */
  readonly notes: readonly FileNote[];
  /** Why settings are left out. */
  readonly leftOut: readonly string[];
}

export const NO_SETTINGS: ImportedSettings = { value: null, notes: [], leftOut: [] };

/** Reads all settings of a zone. Those that the token may not read, or that the zone does not have, are missing. */
export async function readAllSettings(
  client: ReadClient,
  scope: Scope,
): Promise<ReadonlyMap<string, LiveSetting>> {
  const read = await Promise.all(
    SETTINGS.map(({ name }) =>
      orElse(
        readSettings(client, scope, [name]),
        () => new Map<string, LiveSetting>(),
        (error) => isForbidden(error) || isNotFound(error),
      ),
    ),
  );
  return new Map(read.flatMap((one) => [...one]));
}

/**
 * Declares the settings that somebody has set away from their defaults, and those whose default is not known. What nobody can write is left out, as is
 * a setting that is the same state as an entry point which the file declares.
 */
export function declareSettings(
  live: ReadonlyMap<string, LiveSetting>,
  phases: readonly string[],
): ImportedSettings {
  const leftOut: string[] = SETTINGS.flatMap(({ name }) =>
    live.has(name) ? [] : [`setting ${name}: it could not be read`],
  );
  const declared = SETTINGS.flatMap((facts) => {
    const setting = live.get(facts.name);
    if (setting?.editable !== true || phases.some((phase) => phaseFacts(phase)?.setting === facts.name)) {
      return [];
    }
    const fields = Object.entries(facts.fields).flatMap(([path, field]) => {
      const value = setting.values.get(path);
      if (value === undefined || field.readOnly !== undefined || isAtDefault(field, value)) {
        return [];
      }
      if (!isSettingValue(field, value)) {
        leftOut.push(`setting ${settingFieldName(facts, path)}: a file cannot say ${JSON.stringify(value)}`);
        return [];
      }
      return [{ path, value }];
    });
    return fields.length === 0 ? [] : [{ name: facts.name, fields }];
  });
  return { value: declared.length === 0 ? null : settingsValue(declared), notes: [], leftOut };
}

function isAtDefault(field: SettingField, value: JsonValue): boolean {
  return field.standard !== undefined && isSettingAsWanted(field, value, field.standard);
}
