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
import type { DesiredSetting, LiveSetting, Scope, SettingField } from '../../model/index.ts';

/** The settings of a zone as a file declares them. */
export interface ImportedSettings {
  /** What stands under `settings`; null for nothing. */
  readonly value: JsonObject | null;
  /** The names of these settings. */
  readonly names: readonly string[];
  /** Where settings come from, as lines above them. */
  readonly notes: readonly FileNote[];
  /** Why settings are left out. */
  readonly leftOut: readonly string[];
}

export const NO_SETTINGS: ImportedSettings = {
  value: null,
  names: [],
  notes: [],
  leftOut: [],
};

/** Reads settings of a zone, all of them unless named. Those that the token may not read, or that the zone does not have, are missing. */
export async function readAllSettings(
  client: ReadClient,
  scope: Scope,
  names: readonly string[] = SETTINGS.map(({ name }) => name),
): Promise<ReadonlyMap<string, LiveSetting>> {
  const read = await Promise.all(
    names.map((name) =>
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
 * a setting that is the same state as an entry point which the file declares, and fields that files declare already (`known`).
 */
export function declareSettings(
  live: ReadonlyMap<string, LiveSetting>,
  phases: readonly string[],
  known: readonly DesiredSetting[] = [],
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
      const isKnown = known.some(
        (one) => one.name === facts.name && one.fields.some((own) => own.path === path),
      );
      if (value === undefined || isKnown || field.readOnly !== undefined || isAtDefault(field, value)) {
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
  return {
    value: declared.length === 0 ? null : settingsValue(declared),
    names: declared.map(({ name }) => name),
    notes: [],
    leftOut,
  };
}

function isAtDefault(field: SettingField, value: JsonValue): boolean {
  return field.standard !== undefined && isSettingAsWanted(field, value, field.standard);
}
