import { assertNever } from '../../data/index.ts';
import { shortName } from '../../model/index.ts';
import type { LiveRule, DesiredRuleset } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import type { Follow } from '../../plan/index.ts';

/** Most rules of others that are named. */
const MAX_NAMED = 5;

/**
 * Describes where live violates the `place` of a ruleset, as after somebody has added a rule in the dashboard. An import cannot express that in the
 * list of rules, and keeps the `place`, since the files ask for it on purpose.
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

/** Returns the rules of others on the side of ours where the files want none. */
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
