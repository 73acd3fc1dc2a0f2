import type { ReadClient } from '../../api/index.ts';
import { orElse } from '../../api/index.ts';
import { settingsValue } from '../../config/index.ts';
import type { FileNote } from '../../config/index.ts';
import type { LeftInSource, StatedSetting, StatedSettings, StatedAddress } from '../../import/index.ts';
import { readSettings } from '../../live/index.ts';
import type {
  DesiredScope,
  DesiredSettingField,
  LiveSetting,
  Scope,
  SettingFacts,
} from '../../model/index.ts';
import {
  isSettingAsWanted,
  phaseFacts,
  scopeLabel,
  settingFacts,
  settingKeys,
  settingFieldName,
} from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import type { ImportedSettings } from '../import/declare-settings.ts';
import type { CommentsAbove } from './configured-names.ts';
import { commentsAbove } from './stated-comments.ts';
import type { StatedDifference } from './stated-scope.ts';

/** A live setting, or why it could not be read. */
type ReadSetting = LiveSetting | string;

/** Reads the live settings that a state has something of, one request each; one that cannot be read fails alone. */
export async function readStatedLive(
  client: ReadClient,
  scope: Scope,
  stated: readonly StatedSettings[],
): Promise<ReadonlyMap<string, ReadSetting>> {
  const names = [...new Set(stated.flatMap(({ settings }) => settings.map(({ name }) => name)))];
  const read = await Promise.all(
    names.map(async (name): Promise<readonly [string, ReadSetting]> => {
      const found = await orElse(readSettings(client, scope, [name]), ({ message }) => message);
      return [name, typeof found === 'string' ? found : (found.get(name) ?? 'the service has none of it')];
    }),
  );
  return new Map(read);
}

/** The settings of a zone as the state has them. */
interface ImportedFromState {
  readonly settings: ImportedSettings;
  readonly imported: readonly StatedAddress[];
  readonly left: readonly LeftInSource[];
  readonly differences: readonly StatedDifference[];
}

/** What the settings of a state are judged by. */
interface StatedContext {
  readonly scope: Scope;
  readonly live: ReadonlyMap<string, ReadSetting>;
  /** What the files say of the zone already. */
  readonly declared: DesiredScope | undefined;
  /** The phases of the entry points that the files get. */
  readonly phases: readonly string[];
  readonly above: CommentsAbove;
}

/**
 * Returns the settings of a state for the file of their zone: all that somebody chose, and of a resource that has all settings of a zone those that are
 * not at their defaults.
 */
export function statedSettings(stated: readonly StatedSettings[], context: StatedContext): ImportedFromState {
  const { scope } = context;
  const settings: StatedSetting[] = [];
  const notes: FileNote[] = [];
  const imported: StatedAddress[] = [];
  const left: LeftInSource[] = [];
  const differences: StatedDifference[] = [];
  for (const one of stated) {
    const { address } = one;
    const judged = one.settings.map((setting) => judge(setting, one, context));
    const taken = judged.flatMap((each) => (each.kind === 'taken' ? [each.setting] : []));
    const [why] = judged.flatMap((each) => (each.kind === 'left' ? [each.why] : []));
    if (taken.length === 0) {
      left.push({
        address,
        why:
          why ??
          'all that it sets is the default, which no file has to say: take it out of Terraform by hand',
      });
      continue;
    }
    imported.push(address);
    const rest = [...judged.flatMap((each) => (each.kind === 'left' ? [each.what] : [])), ...one.unsayable];
    if (rest.length > 0) {
      left.push({
        address,
        why: `its other settings are in the files, but not ${someNames(rest, MOST_NAMES)}, which nothing manages once the other tool forgets it`,
      });
    }
    if (context.declared === undefined) {
      settings.push(...taken);
      const lines = [
        ...(address.note === '' ? [] : [address.note]),
        ...commentsAbove(address, context.above),
      ];
      notes.push(...lines.map((text): FileNote => ({ path: pathOf(taken), text, place: 'before' })));
    }
    differences.push(
      ...taken.flatMap(({ name, fields }) =>
        differencesOf(name, fields, context).map((text) => ({
          scope: scopeLabel(scope),
          address: address.instance,
          text,
        })),
      ),
    );
  }
  return {
    settings: {
      value: settings.length === 0 ? null : settingsValue(settings),
      names: settings.map(({ name }) => name),
      notes,
      leftOut: [],
    },
    imported,
    left,
    differences,
  };
}

/** The most settings that a message names. */
const MOST_NAMES = 4;

/** A setting of a state: for the files, at its default, or left with the reason. */
type Judged =
  | { readonly kind: 'taken'; readonly setting: StatedSetting }
  | { readonly kind: 'usual' }
  | { readonly kind: 'left'; readonly what: string; readonly why: string };

function judge(
  { name, fields }: StatedSetting,
  { extent }: StatedSettings,
  { live, declared, phases }: StatedContext,
): Judged {
  const facts = settingFacts(name);
  const what = settingFieldName(facts ?? { name });
  const chosen = extent === 'chosen' ? fields : fields.filter((field) => !isAtDefault(facts, field));
  const phase = phases.find((one) => phaseFacts(one)?.setting === name);
  const found = live.get(name);
  if (chosen.length === 0) {
    return { kind: 'usual' };
  }
  if (phase !== undefined) {
    return {
      kind: 'left',
      what,
      why: `${what} and the entry point of ${phase} are one, and the files have that`,
    };
  }
  if (found === undefined || typeof found === 'string') {
    return { kind: 'left', what, why: `${what} could not be read live: ${found ?? 'it was not asked for'}` };
  }
  if (!found.editable) {
    return { kind: 'left', what, why: `the service does not let ${what} of this zone be changed` };
  }
  if (declared !== undefined && !declares(declared, name, chosen)) {
    return {
      kind: 'left',
      what,
      why: `the files declare the zone already: add ${what} to them, under \`settings\``,
    };
  }
  return { kind: 'taken', setting: { name, fields: chosen } };
}

function isAtDefault(facts: SettingFacts | undefined, { path, value }: DesiredSettingField): boolean {
  const field = facts?.fields[path];
  return field?.standard !== undefined && isSettingAsWanted(field, value, field.standard);
}

function declares(
  { settings = [] }: DesiredScope,
  name: string,
  fields: readonly DesiredSettingField[],
): boolean {
  const own = settings.find((setting) => setting.name === name)?.fields ?? [];
  return fields.every(({ path }) => own.some((field) => field.path === path));
}

function differencesOf(
  name: string,
  fields: readonly DesiredSettingField[],
  { live }: StatedContext,
): readonly string[] {
  const facts = settingFacts(name);
  const found = live.get(name);
  return fields.flatMap(({ path, value }) => {
    const field = facts?.fields[path];
    const is = typeof found === 'object' ? found.values.get(path) : undefined;
    return facts === undefined || field === undefined || isSettingAsWanted(field, is, value)
      ? []
      : [
          `setting ${settingFieldName(facts, path)} is ${JSON.stringify(value)} in the files and ${is === undefined ? 'not set' : JSON.stringify(is)} live`,
        ];
  });
}

/** Where the settings of a resource stand in a file: at one setting, or at all of a group. */
function pathOf(settings: readonly StatedSetting[]): readonly string[] {
  const [first, ...others] = settings.map(({ name }) => [
    'settings',
    ...settingKeys(settingFacts(name) ?? { name }),
  ]);
  return others.length === 0 ? (first ?? []) : (first ?? []).slice(0, -1);
}
