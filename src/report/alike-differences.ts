import { groupBy } from '../model/group-by.ts';
import type { PlanDifference } from '../model/plan-difference.ts';
import { groupScopes } from './alike-scopes.ts';
import { similarityKey } from './similarity-key.ts';
import type { Detail } from './theme.ts';

/** The differences of two plans in a scope, by place, and the labels of the other scopes with the same differences. */
export interface AlikeDifferences {
  readonly places: ReadonlyMap<string, readonly PlanDifference[]>;
  readonly others: readonly string[];
}

/** Groups differences by scope. Zones whose differences are all the same are grouped at the place of the first. */
export function alikeDifferences(
  differences: readonly PlanDifference[],
  detail: Detail = 'summed-up',
): readonly AlikeDifferences[] {
  const told = groupScopes(
    differences,
    ({ place }) => scopeOf(place),
    (scope, members) =>
      detail === 'each' || !scope.startsWith(ZONE) ? scope : similarityKey(members, scope),
  );
  return told.map(({ members, others }) => ({ places: groupBy(members, ({ place }) => place), others }));
}

const ZONE = 'zone:';

/** Returns the zone of a place; any other place is returned as it is, because an account's name may look like that of a ruleset in it. */
function scopeOf(place: string): string {
  const [zone = place] = place.startsWith(ZONE) ? place.split('/') : [];
  return zone;
}
