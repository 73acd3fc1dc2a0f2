import { formatPlace, readOverrides } from '../../model/index.ts';
import type { PlanError } from '../../model/index.ts';
import type { OverrideChange } from './explain-overrides.ts';
import { noSuchRule, noSuchTag } from './unknown-ids.ts';
import type { ManagedLookUps } from './unknown-ids.ts';

/**
 * Returns the error for overrides that newly name managed rules or categories which their ruleset does not have, since the service refuses them
 * (api.md 5.3; assumed for categories); null if there are none, or a ruleset could not be read.
 */
export function unknownOverrides(
  changes: readonly OverrideChange[],
  lookUps: ManagedLookUps,
): PlanError | null {
  const lines = changes.flatMap(({ change, rulesetId, before, after }) => {
    const found = lookUps.get(rulesetId);
    if (found?.kind !== 'found') {
      return [];
    }
    const { ruleset } = found;
    const [old, now] = [readOverrides(before), readOverrides(after)];
    const ids = new Set(ruleset.rules.map(({ id }) => id));
    const tags = new Set(ruleset.rules.flatMap(({ categories }) => categories ?? []));
    const place = change.cause === undefined ? change.ref : formatPlace(change.cause);
    return [
      ...[...now.rules.keys()]
        .filter((id) => !ids.has(id) && !old.rules.has(id))
        .map((id) => noSuchRule(id, ruleset, lookUps)),
      ...[...now.categories.keys()]
        .filter((tag) => !tags.has(tag) && !old.categories.has(tag))
        .map((tag) => noSuchTag(tag, ruleset)),
    ].map((what) => `${place}: ${what}`);
  });
  return lines.length === 0
    ? null
    : {
        code: 'plan/unknown-override',
        message: lines.join('\n'),
        hint: 'correct or remove these entries: the service would refuse the rule',
      };
}
