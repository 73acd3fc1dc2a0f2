import { isJsonObject, repeatsOf } from '../../data/index.ts';
import { SETTINGS, settingKeys, startOf } from '../../model/index.ts';
import type { DeclaredSettingField, DesiredSetting } from '../../model/index.ts';
import type { ScopeFile } from '../project/scope-file.ts';
import { locateKey, valueAt } from '../yaml/yaml-document.ts';

/** Takes the settings out of a file, field by field. What its schema refuses is left out. */
export function declaredSettings({
  document,
  value,
}: Pick<ScopeFile, 'document' | 'value'>): readonly DeclaredSettingField[] {
  const { settings } = value;
  return isJsonObject(settings)
    ? SETTINGS.flatMap((facts) =>
        Object.keys(facts.fields).flatMap((path) => {
          const keys = settingKeys(facts, path);
          const own = valueAt(settings, keys);
          return own === undefined
            ? []
            : [
                {
                  name: facts.name,
                  path,
                  value: own,
                  where: locateKey(document, ['settings', ...keys]),
                },
              ];
        }),
      )
    : [];
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
