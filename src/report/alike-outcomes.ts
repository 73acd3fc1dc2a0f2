import { assertNever } from '../model/assert-never.ts';
import type { Outcome } from '../model/outcome.ts';
import { readStepId } from '../model/step-id.ts';
import type { AlikeScopes } from './alike-scopes.ts';
import { groupScopes } from './alike-scopes.ts';
import { similarityKey } from './similarity-key.ts';
import type { Detail } from './theme.ts';

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
