import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject, listOf } from '../../data/index.ts';
import type { GuardSetting, GuardSettings } from '../../model/index.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';

/** Extracts the settings that guards depend on from a file of the project as it stands, valid or not. */
export function guardSettings(source: SourceText): GuardSettings {
  const value = parseYaml(source).document?.value;
  return new Map(
    isJsonObject(value)
      ? settingsOf(value).map(([place, setting]) => [`${source.path} ${place}`, setting] as const)
      : [],
  );
}

type PlacedSetting = readonly [place: string, setting: GuardSetting];

function settingsOf(value: JsonObject): readonly PlacedSetting[] {
  const entryPoints = isJsonObject(value['entrypoints']) ? Object.entries(value['entrypoints']) : [];
  const rulesets = listOf(value['rulesets']).map((body, index) => [rulesetName(body, index), body] as const);
  return [
    ...membersOf('safety', value['safety'], 'safety'),
    ...membersOf('rollout', value['rollout'], 'rollout'),
    ...membersOf('lint', value['lint'], 'lint'),
    ...membersOf('env', value['env'], 'environment'),
    ...settingAt('token_env', value['token_env'], 'environment'),
    ...levelSettings('', value),
    ...(value['pack'] === undefined ? [] : adopting('pack', value)),
    ...[...entryPoints, ...rulesets].flatMap(([name, body]) =>
      isJsonObject(body) ? [...levelSettings(`${name} `, body), ...adopting(name, body)] : [],
    ),
  ];
}

function levelSettings(prefix: string, body: JsonObject): readonly PlacedSetting[] {
  return [
    ...membersOf(`${prefix}ownership`, body['ownership'], 'ownership'),
    ...settingAt(`${prefix}ignore`, body['ignore'], 'ownership'),
  ];
}

function membersOf(
  name: string,
  value: JsonValue | undefined,
  kind: GuardSetting['kind'],
): readonly PlacedSetting[] {
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => settingAt(`${name}.${key}`, member, kind))
    : [];
}

function settingAt(
  place: string,
  value: JsonValue | undefined,
  kind: GuardSetting['kind'],
): readonly PlacedSetting[] {
  return value === undefined ? [] : [[place, { kind, value }]];
}

function adopting(name: string, body: JsonObject): readonly PlacedSetting[] {
  const rules = listOf(body['rules']);
  return rules.flatMap((rule, index): readonly PlacedSetting[] => {
    if (!isJsonObject(rule)) {
      return [];
    }
    const { ref, id, adopt } = rule;
    const label = typeof ref === 'string' ? ref : typeof id === 'string' ? id : `number ${index + 1}`;
    return settingAt(`${name} rule ${label} adopt`, adopt, 'adopt');
  });
}

function rulesetName(body: JsonValue, index: number): string {
  return isJsonObject(body) && typeof body['name'] === 'string' ? body['name'] : `ruleset ${index + 1}`;
}
