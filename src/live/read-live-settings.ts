import type { ReadClient } from '../api/index.ts';
import { getSetting } from '../api/index.ts';
import { settingFacts } from '../model/index.ts';
import type { LiveSetting, Scope } from '../model/index.ts';

/** Reads settings of a zone by their names, one request each: the service has no answer with all of them any more (api.md 12.1). */
export async function readSettings(
  client: ReadClient,
  scope: Scope,
  names: readonly string[],
): Promise<ReadonlyMap<string, LiveSetting>> {
  const read = await Promise.all(
    names.flatMap((name) => {
      const facts = settingFacts(name);
      return facts === undefined ? [] : [getSetting(client, scope.id, facts)];
    }),
  );
  return new Map(read.map((setting) => [setting.name, setting]));
}
