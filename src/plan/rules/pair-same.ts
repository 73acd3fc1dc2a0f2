import { groupBy } from '../../model/group-by.ts';
import { canonicalJson } from '../../model/json.ts';
import type { LiveRule } from '../../model/rule.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { keepFields } from '../compare/ignore.ts';
import { createMeaning } from './meaning.ts';
import type { Open, Pair } from './pair.ts';
import type { NamedRule } from './name-rules.ts';

/** Returns the fields in which a rule with this `ref` may differ, as JSON Pointers. */
export type IgnoredFields = (ref: string) => readonly string[];

/**
 * Pairs rules that say the same in any spelling, apart from fields that may differ. Copies pair in order, whatever their spelling: otherwise two
 * of them could change places with each apply. Only rules that agree in everything but parameters are compared one by one; otherwise thousands
 * of rules with one description would be too many.
 */
export function pairSame(
  { desired, live, openDesired, openLive }: Open,
  ignoredFields: IgnoredFields,
): readonly Pair[] {
  if (openDesired.length === 0 || openLive.length === 0) {
    return [];
  }
  const meaning = createMeaning();
  const textOf = (rule: NamedRule | LiveRule | undefined): string | undefined => {
    if (rule === undefined) {
      return undefined;
    }
    const { action, enabled, description, expression } = rule.content;
    const fields = ignoredFields(rule.ref);
    const unless = <Value>(field: string, value: Value): Value | null =>
      fields.includes(field) ? null : value;
    return canonicalJson([
      unless('/action', action),
      unless('/enabled', enabled),
      unless('/description', description),
      unless('/expression', meaning(expression)),
    ]);
  };
  const groups = groupBy(openLive, (at) => textOf(live[at]));
  const free = new Map([...groups].map(([text, same]) => [text, [...same]]));
  return openDesired.flatMap((index): readonly Pair[] => {
    const rule = desired[index];
    const text = textOf(rule);
    const left = text === undefined ? [] : (free.get(text) ?? []);
    const at = left.findIndex((other) => {
      const found = live[other];
      return rule !== undefined && found !== undefined && saysTheSame(rule, found, ignoredFields(found.ref));
    });
    return at === -1 ? [] : left.splice(at, 1).map((same) => ({ desired: index, live: same }));
  });
}

/** Whether a desired rule, completed with what only live says and with the live values of fields that may differ, says what is live. */
function saysTheSame({ content }: NamedRule, live: LiveRule, fields: readonly string[]): boolean {
  const carried = carryOver(content, live.content).content;
  const wanted = fields.length === 0 ? carried : keepFields(carried, live.content, fields);
  return compareContent(live.content, wanted).kind !== 'different';
}
