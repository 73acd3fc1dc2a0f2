import { declaredSettings, valueAt, variablesIn, withValueAt } from '../../config/index.ts';
import type { ScopeFile } from '../../config/index.ts';
import { jsonEqual } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import {
  causeText,
  isSettingAsWanted,
  isSettingValue,
  settingFacts,
  settingFieldName,
  settingKeys,
  startOf,
} from '../../model/index.ts';
import type { DesiredSetting, LiveSetting } from '../../model/index.ts';
import type { ObjectsFollowed } from './objects-followed.ts';
import { nothingFollowed, scopeValueIn } from './objects-followed.ts';

/** Returns what becomes of the settings of a file, field by field: its member `settings` says what is live. */
export function followSettings(
  { document, value }: Pick<ScopeFile, 'document' | 'value'>,
  {
    desired,
    live,
  }: {
    readonly desired: readonly DesiredSetting[];
    readonly live: ReadonlyMap<string, LiveSetting>;
  },
): ObjectsFollowed {
  const followed = nothingFollowed();
  let settings: JsonValue = value['settings'] ?? {};
  for (const { name, path, where, value: written } of declaredSettings({
    document,
    value,
  })) {
    const facts = settingFacts(name);
    const field = facts?.fields[path];
    const wanted = desired.find((one) => one.name === name)?.fields.find((one) => one.path === path)?.value;
    const found = live.get(name);
    if (facts === undefined || field === undefined || wanted === undefined) {
      continue;
    }
    const said = settingFieldName(facts, path);
    const is = found?.values.get(path) ?? field.standard;
    if (found === undefined || is === undefined) {
      followed.kept.push(
        `setting ${said}: ${found === undefined ? 'it could not be read' : 'the service does not show it'}`,
      );
    } else if (!isSettingAsWanted(field, is, wanted)) {
      if (!isSettingValue(field, is)) {
        followed.kept.push(`setting ${said}: a file cannot say ${JSON.stringify(is)}, which is live`);
        continue;
      }
      const keys = settingKeys(facts, path);
      const place = causeText(startOf(where));
      const file = document.source.path;
      settings = withValueAt(settings, keys, is);
      followed.members.set('settings', settings);
      followed.names.add(name);
      followed.dropped.push(
        ...variablesIn(written).map((variable) => `setting ${said} (${place}) no longer has \${${variable}}`),
      );
      const isIn = (text: string): boolean =>
        jsonEqual(valueAt(scopeValueIn(text), ['settings', ...keys]), written);
      followed.replaced.push({
        kind: 'object',
        file,
        name: `setting ${said} (${place})`,
        isIn,
      });
    }
  }
  return followed;
}
