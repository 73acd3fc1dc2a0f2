import type { WholeScope } from '../../live/read-whole-scope.ts';
import type { DriftChange } from '../../model/drift.ts';
import { addressKey } from '../../model/ruleset.ts';
import type { DesiredScope } from '../../model/state.ts';
import { driftChanges } from '../../plan/difference/drift-changes.ts';
import { planScope } from '../../plan/plan-scope.ts';
import { entriesOf } from './live-entries.ts';

/**
 * What files have taken over from live: the drift that there was, without what is left of it. Of a ruleset that no file declared before,
 * every rule of ours is new.
 */
export function takenIn(
  before: DesiredScope,
  after: DesiredScope,
  whole: WholeScope,
): readonly DriftChange[] {
  const known = new Set(before.rulesets.map(({ address }) => addressKey(address)));
  const added = after.rulesets.filter(({ address }) => !known.has(addressKey(address)));
  const bare = added.map((ruleset) => ({ ...ruleset, rules: [] }));
  const left = new Set(driftOf(after, whole).map(keyOf));
  return driftOf({ ...before, rulesets: [...before.rulesets, ...bare] }, whole).filter(
    (change) => !left.has(keyOf(change)),
  );
}

function driftOf(desired: DesiredScope, whole: WholeScope): readonly DriftChange[] {
  const { scope, catalogue } = whole;
  const entries = entriesOf(whole, desired.rulesets);
  return driftChanges({ scopes: [planScope(desired, { scope, entries, catalogue })] });
}

function keyOf({ step, rule, difference }: DriftChange): string {
  return JSON.stringify([step, rule, difference]);
}
