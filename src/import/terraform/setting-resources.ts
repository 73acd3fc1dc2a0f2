import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, objectOf, objectsIn, textOf } from '../../data/index.ts';
import {
  SECRET_LIKE,
  SETTINGS,
  isId,
  isLikeRandom,
  isSettingValue,
  settingFacts,
  settingFieldName,
  shapedSecrets,
} from '../../model/index.ts';
import type { DesiredSetting, DesiredSettingField, SettingFacts } from '../../model/index.ts';
import type { StatedAddress } from './address.ts';
import type { TerraformInstance } from './read-state.ts';

/** The fields of a setting that a state has, in the form of the service. */
export type StatedSetting = Pick<DesiredSetting, 'name' | 'fields'>;

/** A resource with settings of a zone, as a state has it. */
export interface StatedSettings {
  readonly address: StatedAddress;
  readonly zoneId: string;
  readonly settings: readonly StatedSetting[];
  /** `chosen`: somebody wrote each of them; `all`: the provider has filled in what the zone has. */
  readonly extent: 'chosen' | 'all';
  /** Settings, or fields of one, of which no file can say anything. */
  readonly unsayable: readonly string[];
}

/** What a resource says, by the name of a setting and the pointer of a field. */
type Said = ReadonlyMap<string, ReadonlyMap<string, JsonValue>>;

interface SettingsType {
  readonly extent: StatedSettings['extent'];
  readonly said: (values: JsonObject) => Said;
}

/** The types of resources with settings of a zone, in version 4 and 5 of the provider. */
const TYPES: ReadonlyMap<string, SettingsType> = new Map<string, SettingsType>([
  ['cloudflare_bot_management', { extent: 'all', said: object('bot_management') }],
  ['cloudflare_leaked_credential_check', { extent: 'chosen', said: object('leaked_credential_checks') }],
  ['cloudflare_managed_headers', { extent: 'chosen', said: switches }],
  ['cloudflare_managed_transforms', { extent: 'chosen', said: switches }],
  ['cloudflare_page_shield', { extent: 'chosen', said: object('page_shield') }],
  ['cloudflare_url_normalization_settings', { extent: 'chosen', said: object('url_normalization') }],
  ['cloudflare_zone_setting', { extent: 'chosen', said: zoneSetting }],
  ['cloudflare_zone_settings_override', { extent: 'all', said: zoneSettings }],
]);

/** The types of resources that are settings of a zone. */
export const SETTINGS_TYPES: readonly string[] = [...TYPES.keys()];

/** Attributes that say whose a setting is, or what only the service says of it. */
const ABOUT: ReadonlySet<string> = new Set([
  'id',
  'zone_id',
  'setting_id',
  'updated_at',
  'modified_on',
  'editable',
]);

/** Reads an instance of one of `SETTINGS_TYPES`, or says why it cannot be read. */
export function readStatedSettings({
  address,
  values,
  sensitive,
}: TerraformInstance): StatedSettings | string {
  const type = TYPES.get(address.type);
  const zoneId = textOf(values['zone_id']);
  if (type === undefined || !isId(zoneId)) {
    return 'the state has no id of its zone';
  }
  if (sensitive.some(([first]) => !ABOUT.has(String(first)))) {
    return 'Terraform marks a part of it as sensitive, and no variable can stand in a setting';
  }
  const said = [...type.said(values)];
  const read = said.map(([name, fields]) => ({ name, ...readFields(settingFacts(name), fields) }));
  const settings = read.flatMap(({ name, fields }) => (fields.length === 0 ? [] : [{ name, fields }]));
  const unsayable = read.flatMap((one) => one.unsayable);
  return settings.length === 0
    ? unsayable.length === 0
      ? 'the state has no value of it'
      : `no file can say ${unsayable.join(', ')}`
    : { address, zoneId, settings, extent: type.extent, unsayable };
}

/** Sorts what is said of a setting into fields that files can hold, and a description of the rest; `unknown` is its name without facts. */
export function readFields(
  facts: SettingFacts | undefined,
  said: ReadonlyMap<string, JsonValue>,
  unknown = '',
): { readonly fields: readonly DesiredSettingField[]; readonly unsayable: readonly string[] } {
  const fields: DesiredSettingField[] = [];
  const unsayable: string[] = [];
  for (const [path, value] of said) {
    const field = facts === undefined || !Object.hasOwn(facts.fields, path) ? undefined : facts.fields[path];
    if (field !== undefined && isSettingValue(field, value)) {
      if (field.readOnly === undefined) {
        fields.push({ path, value });
      }
    } else {
      unsayable.push(
        `${facts === undefined ? [unknown, ...path.split('/').slice(1)].filter(Boolean).join('.') : settingFieldName(facts, path)} ${shown(value)}`,
      );
    }
  }
  return { fields, unsayable };
}

/** The most characters of a value that a message shows. */
const MOST_SHOWN = 40;

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  if (shapedSecrets(text).length > 0 || (typeof value === 'string' && isLikeRandom(value))) {
    return SECRET_LIKE;
  }
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** Whether a value says something: version 4 of the provider wrote "" and 0 for what nobody set. */
function isSaid(value: JsonValue): boolean {
  return value !== null && value !== '';
}

/** A resource whose attributes are the fields of one setting; members that the service does not call so are left out. */
function object(name: string): SettingsType['said'] {
  return (values) => {
    const known = Object.keys(settingFacts(name)?.fields ?? {});
    return new Map([
      [
        name,
        new Map(
          known.flatMap((path): readonly (readonly [string, JsonValue])[] => {
            const value = values[path.slice(1)] ?? null;
            return isSaid(value) ? [[path, value]] : [];
          }),
        ),
      ],
    ]);
  };
}

function switches(values: JsonObject): Said {
  const all = [values['managed_request_headers'], values['managed_response_headers']].flatMap((list) =>
    objectsIn(list),
  );
  return new Map([
    [
      'managed_transforms',
      new Map(all.map(({ id, enabled }) => [`/${textOf(id)}`, enabled ?? null] as const)),
    ],
  ]);
}

/** Version 5: one setting. A state keeps a value of any type with its type beside it; `show` prints it alone. */
function zoneSetting({ setting_id: id, value }: JsonObject): Said {
  const typed = objectOf(value ?? null);
  const isTyped = Object.keys(typed).length === 2 && 'type' in typed && 'value' in typed;
  const name = textOf(id);
  return new Map([[name, named(name, (isTyped ? typed['value'] : value) ?? null)]]);
}

/** Version 4: all settings of a zone in one block. */
function zoneSettings({ settings, readonly_settings: fixed }: JsonObject): Said {
  const block = isJsonArray(settings) ? objectOf(settings[0] ?? null) : objectOf(settings ?? null);
  const skipped = new Set(isJsonArray(fixed) ? fixed.map(textOf) : []);
  return new Map(
    Object.entries(block)
      .map(([key, value]) => [key === 'zero_rtt' ? '0rtt' : key, value] as const)
      .filter(([name, value]) => isSaid(value) && !skipped.has(name) && !isEmpty(value))
      .map(([name, value]) => [name, named(name, value)]),
  );
}

function isEmpty(value: JsonValue): boolean {
  return isJsonArray(value) && value.length === 0;
}

/** Returns the fields of a zone setting: its value, or, of one with members, each of them. */
function named(name: string, value: JsonValue): ReadonlyMap<string, JsonValue> {
  const facts = ZONE_SETTINGS.get(name);
  if (facts === undefined) {
    return new Map([[`/${name}`, value]]);
  }
  const paths = Object.keys(facts.fields);
  if (paths.includes('')) {
    return new Map([['', value]]);
  }
  const block = isJsonArray(value) ? (value[0] ?? null) : value;
  return new Map(
    paths.flatMap((path): readonly (readonly [string, JsonValue])[] => {
      const keys = path.split('/').slice(1);
      // Version 4 leaves out the outer member, `strict_transport_security`.
      const found = at(block, keys) ?? at(block, keys.slice(1));
      return found === undefined || found === null ? [] : [[path, found]];
    }),
  );
}

function at(value: JsonValue, keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (inside, key) => (isJsonObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
    value,
  );
}

const ZONE_SETTINGS: ReadonlyMap<string, SettingFacts> = new Map(
  SETTINGS.flatMap((facts) => (facts.group === 'zone' ? [[facts.name, facts] as const] : [])),
);
