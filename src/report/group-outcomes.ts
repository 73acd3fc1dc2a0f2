import { groupBy, assertNever } from '../data/index.ts';
import type { PlanDifference, Outcome } from '../model/index.ts';
import { readStepId } from '../model/index.ts';
import { groupScopes } from './alike-scopes.ts';
import { similarityKey } from './similarity-key.ts';
import type { Detail } from './layout.ts';
import type { AlikeScopes } from './alike-scopes.ts';

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

/** Groups outcomes by scope. Scopes whose outcomes are all the same are grouped at the place of the first. */
export function alikeOutcomes(
  outcomes: readonly Outcome[],
  detail: Detail = 'summed-up',
): readonly AlikeScopes<Outcome>[] {
  return groupScopes(
    outcomes,
    ({ step }) => readStepId(step).scope,
    (scope, members) => (detail === 'each' ? scope : similarityKey(members.map(general), scope)),
  );
}

/** Returns an outcome without what is specific to its scope: the version, and ids in the service's message. */
function general(outcome: Outcome): unknown {
  switch (outcome.kind) {
    case 'done':
      return { ...outcome, version: outcome.version === null ? null : '' };
    case 'refused':
    case 'failed':
      return { ...outcome, message: outcome.message.replaceAll(/\b[0-9a-f]{32}\b/g, '…') };
    case 'skipped':
    case 'conflict':
    case 'not-reached':
      return outcome;
    default:
      return assertNever(outcome);
  }
}
