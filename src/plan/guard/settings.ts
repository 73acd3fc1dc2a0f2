import type { JsonValue } from '../../model/json.ts';
import { canonicalJson } from '../../model/json.ts';
import type { GuardFinding } from '../../model/plan.ts';

/** What guards depend on (`safety`, `ownership`, `ignore`, `adopt`), and what is read from the environment, by where it stands in the files. */
export type GuardSettings = ReadonlyMap<string, JsonValue>;

/**
 * A finding for each setting of the guards that differs from the base revision's, in the order of their
 * places. All count as weakening: whoever may loosen a guard may pass it.
 */
export function compareSettings(base: GuardSettings, now: GuardSettings): readonly GuardFinding[] {
  const places = [...new Set([...base.keys(), ...now.keys()])].sort();
  return places.flatMap((place): readonly GuardFinding[] => {
    const before = textOf(base.get(place));
    const after = textOf(now.get(place));
    return before === after
      ? []
      : [
          {
            kind: 'settings',
            effect: 'refuse',
            message: `${place} changes ${whatOf(place)}: ${before} → ${after}; ${consequence(place)}`,
          },
        ];
  });
}

function whatOf(place: string): string {
  return /\s(?:env\.\w+|token_env)$/u.test(place) ? 'what the files take from the environment' : 'the guards';
}

/** Only `safety` is taken from the base; the rest says what the steps are about. */
function consequence(place: string): string {
  return /\ssafety\.\w+$/u.test(place)
    ? 'the base still judges this plan'
    : 'the steps of this plan are made with it';
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '(not set)' : canonicalJson(value);
}
