import type { WholeScope } from '../../live/index.ts';
import { withReferences } from '../../api/index.ts';
import type { DriftChange, DesiredRule, SensitiveValue, DesiredScope } from '../../model/index.ts';
import { mapTexts } from '../../data/index.ts';
import { addressKey } from '../../model/index.ts';
import { driftChanges, planScope } from '../../plan/index.ts';
import { entriesOf } from './live-entries.ts';

/**
 * Returns what the files have taken over from live: the former drift without the drift that is left. In a ruleset that no file
 * declared before, every rule of ours counts as new.
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

/** Returns what files declare as it would be read from live: there, references stand for sensitive values that the files still spell out. */
export function asRead(declared: DesiredScope, values: readonly SensitiveValue[]): DesiredScope {
  const rule = (one: DesiredRule): DesiredRule => {
    const { expression, action_parameters: parameters } = one.content;
    return {
      ...one,
      content: {
        ...one.content,
        expression: withReferences(expression, values),
        ...(parameters === undefined
          ? {}
          : { action_parameters: mapTexts(parameters, (text) => withReferences(text, values)) }),
      },
    };
  };
  const rulesets = declared.rulesets.map((ruleset) => ({ ...ruleset, rules: ruleset.rules.map(rule) }));
  return values.length === 0 ? declared : { ...declared, rulesets };
}

function driftOf(desired: DesiredScope, whole: WholeScope): readonly DriftChange[] {
  const { scope, catalogue } = whole;
  const entries = entriesOf(whole, desired.rulesets);
  return driftChanges({ scopes: [planScope(desired, { scope, entries, catalogue })] });
}

function keyOf({ step, rule, difference }: DriftChange): string {
  return JSON.stringify([step, rule, difference]);
}
