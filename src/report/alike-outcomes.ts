import { assertNever } from '../model/assert-never.ts';
import type { Outcome } from '../model/outcome.ts';
import type { AlikeScopes } from './alike-scopes.ts';
import { groupScopes } from './alike-scopes.ts';
import { similarityKey } from './similarity-key.ts';
import type { Detail } from './theme.ts';

/** Outcomes by their scopes; scopes in which all of them are the same stand together, where the first of them does. */
export function alikeOutcomes(
  outcomes: readonly Outcome[],
  detail: Detail = 'summed-up',
): readonly AlikeScopes<Outcome>[] {
  return groupScopes(
    outcomes,
    (outcome) => placeOf(outcome).scope,
    (scope, members) => (detail === 'each' ? scope : similarityKey(members.map(general), scope)),
  );
}

/** The scope of a step and the ruleset in it: `zone:shop.example`, `http_ratelimit`. */
export function placeOf({ step }: Outcome): { readonly scope: string; readonly ruleset: string } {
  const [, scope = '', ruleset = step] = /^(.*?)\/([a-z0-9_]+(?:\/custom:[a-z0-9-]*)?)$/s.exec(step) ?? [];
  return { scope, ruleset };
}

/** An outcome without what is its scope's own: the version, and ids in what the service said. */
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
