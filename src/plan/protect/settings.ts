import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, weaker } from './verdict.ts';

/** Security settings of `set_config`, values from weakest to strongest (api.md 5.10). */
const LADDERS: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ['security_level', ['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']],
  ['ssl', ['off', 'flexible', 'full', 'strict']],
  ['bic', [false, true]],
  ['hotlink_protection', [false, true]],
  ['email_obfuscation', [false, true]],
  ['automatic_https_rewrites', [false, true]],
  ['opportunistic_encryption', [false, true]],
  ['server_side_excludes', [false, true]],
]);

/** Whether the settings of a rule raise or lower protection against the zone's own settings, which we do not know. */
export function settingEffects(parameters: JsonObject): {
  readonly raises: boolean;
  readonly lowers: boolean;
} {
  const known = [...LADDERS].filter(([key]) => parameters[key] !== undefined);
  return {
    raises: known.some(([key, ladder]) => parameters[key] === ladder.at(-1)),
    lowers: known.some(([key, ladder]) => parameters[key] !== ladder.at(-1)),
  };
}

/** Compares the security settings of two `set_config` rules; other settings are not about protection. */
export function compareSettings(before: JsonObject, after: JsonObject): Verdict {
  return together(
    [...LADDERS].map(([key, ladder]) =>
      compareSetting(key, { ladder, before: before[key], after: after[key] }),
    ),
  );
}

interface SettingChange {
  readonly ladder: readonly JsonValue[];
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** A setting that comes or goes changes to or from the zone's own value, which only the top of the ladder is sure to reach. */
function compareSetting(key: string, { ladder, before, after }: SettingChange): Verdict {
  if (before === after) {
    return SAME;
  }
  if (after === undefined) {
    return before === ladder[0] ? stronger(`no longer lowers ${key}`) : weaker(`no longer sets ${key}`);
  }
  if (before === undefined) {
    return after === ladder.at(-1) ? stronger(`raises ${key}`) : weaker(`lowers ${key}`);
  }
  const from = ladder.indexOf(before);
  const to = ladder.indexOf(after);
  return from !== -1 && to > from ? stronger(`raises ${key}`) : weaker(`lowers ${key}`);
}
