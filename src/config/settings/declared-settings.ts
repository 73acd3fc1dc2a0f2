import { isJsonObject, objectOf, repeatsOf } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { SETTINGS, startOf } from '../../model/index.ts';
import type { DeclaredSettingField, DesiredSetting, SettingFacts } from '../../model/index.ts';
import type { ScopeFile } from '../project/scope-file.ts';
import { locateKey } from '../yaml/yaml-document.ts';

/** Takes the settings out of a file, field by field. What its schema refuses is left out. */
export function declaredSettings({
  document,
  value,
}: Pick<ScopeFile, 'document' | 'value'>): readonly DeclaredSettingField[] {
  const { settings } = value;
  return isJsonObject(settings)
    ? SETTINGS.flatMap((facts) => fieldsOf(settings, facts)).map(({ name, group, path, value: own }) => ({
        name,
        path,
        value: own,
        where: locateKey(document, [
          'settings',
          ...(group === undefined ? [] : [group]),
          name,
          ...path.split('/').slice(1),
        ]),
      }))
    : [];
}

function fieldsOf(settings: JsonObject, { name, group, fields }: SettingFacts) {
  const holder = group === undefined ? settings : objectOf(settings[group]);
  return Object.keys(fields).flatMap((path) => {
    const keys = [name, ...path.split('/').slice(1)];
    const [last = '', ...outer] = keys.toReversed();
    const inner = outer.reduceRight<JsonObject>((at, key) => objectOf(at[key]), holder)[last];
    return inner === undefined ? [] : [{ name, group, path, value: inner }];
  });
}

/** Returns the settings of a scope, those of one name together, in the order of the table; what several files say alike counts once. */
export function desiredSettings(declared: readonly DeclaredSettingField[]): readonly DesiredSetting[] {
  return SETTINGS.flatMap(({ name }) => {
    const own = declared.filter((field) => field.name === name);
    const fields = [...repeatsOf(own, ({ path }) => `at ${path}`).firsts.values()];
    const [first] = fields;
    return first === undefined
      ? []
      : [
          {
            name,
            fields: fields.map(({ path, value }) => ({ path, value })),
            cause: startOf(first.where),
          },
        ];
  });
}
