import { groupBy, canonicalJson } from '../../data/index.ts';
import type { GuardFinding, GuardSetting, GuardSettings } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';

/** The most places that a finding names. */
const MOST_NAMED = 20;

/**
 * Finds the guard settings that differ from the base revision's, in the order of their places; equal changes share one finding. Every change
 * counts as weakening, since whoever may loosen a guard could pass it; but not the removal of `adopt`, which takes nothing over, and not that more
 * findings are errors.
 */
export function compareSettings(base: GuardSettings, now: GuardSettings): readonly GuardFinding[] {
  const all = [...new Map([...base, ...now])].sort(([one], [other]) => (one < other ? -1 : 1));
  const changed = all.flatMap(([place, { kind }]) => {
    const [before, after] = [textOf(base.get(place)), textOf(now.get(place))];
    const isSpent =
      (kind === 'adopt' && (after === NOT_SET || after === 'false')) ||
      (kind === 'lint' && after === '"error"');
    return before === after || isSpent ? [] : [{ place, kind, text: `${before} → ${after}` }];
  });
  const alike = groupBy(changed, ({ kind, text }) => `${kind} ${text}`);
  return [...alike.values()].flatMap((group): readonly GuardFinding[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const places = group.map(({ place }) => place);
    const { what, consequence } = WORDS[first.kind];
    const says = `${someNames(places, MOST_NAMED)} ${places.length === 1 ? 'changes' : 'change'} ${what}`;
    return [{ kind: 'settings', effect: 'refuse', message: `${says}: ${first.text}; ${consequence}` }];
  });
}

/** Words for findings: only `safety` is taken from the base; the other settings determine what the steps do. */
const WORDS = {
  safety: { what: 'the guards', consequence: 'the base still judges this plan' },
  rollout: { what: 'how waves follow each other', consequence: 'this plan is carried out with it' },
  lint: { what: 'which findings stop a run', consequence: 'the files of this plan were checked with it' },
  ownership: { what: 'the guards', consequence: 'the steps of this plan are made with it' },
  adopt: { what: 'the guards', consequence: 'the steps of this plan are made with it' },
  environment: {
    what: 'what the files take from the environment',
    consequence: 'the steps of this plan are made with it',
  },
} as const;

const NOT_SET = '(not set)';

function textOf(setting: GuardSetting | undefined): string {
  return setting === undefined ? NOT_SET : canonicalJson(setting.value);
}
