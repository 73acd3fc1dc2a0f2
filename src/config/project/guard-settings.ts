import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonObject, listOf } from '../../model/json.ts';
import type { SourceText } from '../source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';

/**
 * What the guards of a project depend on, by where it stands: `safety`, `ownership`, `ignore`, and the rules
 * that say `adopt`; and what the files take from the environment: `env` and `token_env`. Taken from one of its files as it is, whether valid or not.
 */
export function guardSettings(source: SourceText): ReadonlyMap<string, JsonValue> {
  const value = parseYaml(source).document?.value;
  return new Map(
    isJsonObject(value)
      ? settingsOf(value).map(([place, setting]) => [`${source.path} ${place}`, setting] as const)
      : [],
  );
}

type Setting = readonly [place: string, value: JsonValue];

function settingsOf(value: JsonObject): readonly Setting[] {
  const entryPoints = isJsonObject(value['entrypoints']) ? Object.entries(value['entrypoints']) : [];
  const rulesets = listOf(value['rulesets']).map((body, index) => [rulesetName(body, index), body] as const);
  return [
    ...membersOf('safety', value['safety']),
    ...membersOf('env', value['env']),
    ...(value['token_env'] === undefined ? [] : [['token_env', value['token_env']] as const]),
    ...levelSettings('', value),
    ...(value['pack'] === undefined ? [] : adopting('pack', value)),
    ...[...entryPoints, ...rulesets].flatMap(([name, body]) =>
      isJsonObject(body) ? [...levelSettings(`${name} `, body), ...adopting(name, body)] : [],
    ),
  ];
}

function levelSettings(prefix: string, body: JsonObject): readonly Setting[] {
  const { ignore } = body;
  return [
    ...membersOf(`${prefix}ownership`, body['ownership']),
    ...(ignore === undefined ? [] : [[`${prefix}ignore`, ignore] as const]),
  ];
}

function membersOf(name: string, value: JsonValue | undefined): readonly Setting[] {
  return isJsonObject(value)
    ? Object.entries(value).map(([key, member]) => [`${name}.${key}`, member] as const)
    : [];
}

function adopting(name: string, body: JsonObject): readonly Setting[] {
  const rules = listOf(body['rules']);
  return rules.flatMap((rule, index): readonly Setting[] => {
    if (!isJsonObject(rule) || rule['adopt'] === undefined) {
      return [];
    }
    const { ref, id, adopt } = rule;
    const label = typeof ref === 'string' ? ref : typeof id === 'string' ? id : `number ${index + 1}`;
    return [[`${name} rule ${label} adopt`, adopt]];
  });
}

function rulesetName(body: JsonValue, index: number): string {
  return isJsonObject(body) && typeof body['name'] === 'string' ? body['name'] : `ruleset ${index + 1}`;
}
