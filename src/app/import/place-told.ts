import { assertNever } from '../../model/assert-never.ts';
import { shortName } from '../../model/described-name.ts';
import type { LiveRule } from '../../model/rule.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { someNames } from '../../model/some-names.ts';
import type { Follow } from '../../plan/difference/follow-live.ts';

/** Rules of others named at most. */
const MAX_NAMED = 5;

/**
 * Tells that live does not keep the `place` of a ruleset, as where somebody added a rule in the dashboard: no list of rules can say so, and
 * what the files ask for on purpose stays.
 */
export function placeTold(
  { place }: Pick<DesiredRuleset, 'place'>,
  follows: readonly Follow[],
  live: readonly LiveRule[],
): readonly string[] {
  const ours = new Set(follows.map((one) => one.live));
  const astray = strays(place, live, (rule) => ours.has(rule)).map(({ ref, content }) =>
    shortName(ref, content.description),
  );
  const side = place === 'first' ? 'before' : 'behind';
  return astray.length === 0
    ? []
    : [
        `place: ${place} does not hold live: rules of others stand ${side} yours (${someNames(astray, MAX_NAMED)}). The next apply moves yours`,
      ];
}

/** Rules of others on the side of ours where the files want none. */
function strays(
  place: DesiredRuleset['place'],
  live: readonly LiveRule[],
  isOurs: (rule: LiveRule) => boolean,
): readonly LiveRule[] {
  const others = (rules: readonly LiveRule[]): readonly LiveRule[] => rules.filter((rule) => !isOurs(rule));
  switch (place) {
    case 'first':
      return others(live.slice(0, live.findLastIndex(isOurs) + 1));
    case 'last':
      return live.some(isOurs) ? others(live.slice(live.findIndex(isOurs))) : [];
    case 'any':
      return [];
    default:
      return assertNever(place);
  }
}
