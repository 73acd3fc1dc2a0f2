import { groupBy } from '../../model/group-by.ts';
import { canonicalJson } from '../../model/json.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { createMeaning } from './meaning.ts';
import type { Open, Pair } from './pair.ts';
import type { NamedRule } from './name-rules.ts';

/**
 * Pairs rules that say the same in any spelling, copies in order. Only rules that agree in everything but parameters are compared one by one;
 * otherwise thousands of rules with one description would be too many.
 */
export function pairSame({ desired, live, openDesired, openLive }: Open): readonly Pair[] {
  if (openDesired.length === 0) {
    return [];
  }
  const meaning = createMeaning();
  const sayingOf = ({ action, enabled, description, expression }: RuleContent): string =>
    canonicalJson([action, enabled, description, meaning(expression)]);
  const textOf = (rule: NamedRule | LiveRule | undefined): string | undefined =>
    rule === undefined ? undefined : sayingOf(rule.content);
  const groups = groupBy(openLive, (at) => textOf(live[at]));
  const free = new Map([...groups].map(([text, same]) => [text, [...same]]));
  return openDesired.flatMap((index): readonly Pair[] => {
    const rule = desired[index];
    const text = textOf(rule);
    const left = text === undefined ? [] : (free.get(text) ?? []);
    const at = left.findIndex((other) => {
      const found = live[other];
      return rule !== undefined && found !== undefined && saysTheSame(rule, found);
    });
    return at === -1 ? [] : left.splice(at, 1).map((same) => ({ desired: index, live: same }));
  });
}

/** Whether a desired rule, completed with what only live says, says what is live, apart from spelling. */
function saysTheSame({ content }: NamedRule, live: LiveRule): boolean {
  return compareContent(live.content, carryOver(content, live.content).content).kind !== 'different';
}
