import { canonicalJson } from '../../model/json.ts';
import type { GuardFinding } from '../../model/plan.ts';
import type { GuardSetting, GuardSettings } from '../../model/settings.ts';

/**
 * A finding for each setting of the guards that differs from the base revision's, in the order of their
 * places. All count as weakening: whoever may loosen a guard may pass it.
 */
export function compareSettings(base: GuardSettings, now: GuardSettings): readonly GuardFinding[] {
  const all = [...new Map([...base, ...now])].sort(([one], [other]) => (one < other ? -1 : 1));
  return all.flatMap(([place, { kind }]): readonly GuardFinding[] => {
    const before = textOf(base.get(place));
    const after = textOf(now.get(place));
    const { what, consequence } = WORDS[kind];
    return before === after
      ? []
      : [
          {
            kind: 'settings',
            effect: 'refuse',
            message: `${place} changes ${what}: ${before} → ${after}; ${consequence}`,
          },
        ];
  });
}

/** Only `safety` is taken from the base; the rest says what the steps are about. */
const WORDS = {
  safety: { what: 'the guards', consequence: 'the base still judges this plan' },
  ownership: { what: 'the guards', consequence: 'the steps of this plan are made with it' },
  environment: {
    what: 'what the files take from the environment',
    consequence: 'the steps of this plan are made with it',
  },
} as const;

function textOf(setting: GuardSetting | undefined): string {
  return setting === undefined ? '(not set)' : canonicalJson(setting.value);
}
