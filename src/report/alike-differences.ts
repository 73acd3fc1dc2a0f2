import { groupBy } from '../model/group-by.ts';
import type { PlanDifference } from '../model/plan-difference.ts';
import { groupScopes } from './alike-scopes.ts';
import { similarityKey } from './similarity-key.ts';
import type { Detail } from './theme.ts';

/** How two plans differ in a scope, by its places, and the labels of others in which they differ the same way. */
export interface AlikeDifferences {
  readonly places: ReadonlyMap<string, readonly PlanDifference[]>;
  readonly others: readonly string[];
}

/** Differences by their scopes; zones in which all of them are the same stand together, where the first of them does. */
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

/** The zone of a place. Any other place stands for itself: the name of an account may look like that of a ruleset in it. */
function scopeOf(place: string): string {
  const [zone = place] = place.startsWith(ZONE) ? place.split('/') : [];
  return zone;
}
