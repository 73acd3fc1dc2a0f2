import { groupBy } from '../model/group-by.ts';
import type { UnknownField } from '../model/import-summary.ts';
import { someNames } from '../model/some-names.ts';
import { counted } from '../model/count.ts';

/** The number of fields that are named. */
const NAMED = 3;

/**
 * Returns which unknown fields stay as they are live, and in how many rules; null when there are none. They are counted because a new field
 * may appear on every rule overnight.
 */
export function unknownFieldsText(found: readonly UnknownField[]): string | null {
  const counts = [...groupBy(found, ({ field }) => field)]
    .map(([field, some]) => ({ field, rules: some.reduce((sum, { rules }) => sum + rules, 0) }))
    .toSorted((a, b) => b.rules - a.rules)
    .map(({ field, rules }) => `${field} in ${counted(rules, 'rule')}`);
  return counts.length === 0
    ? null
    : `Kept and not watched, since this version does not know it: ${someNames(counts, NAMED)}`;
}
