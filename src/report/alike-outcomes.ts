import { groupBy } from '../model/group-by.ts';
import type { Outcome } from '../model/outcome.ts';
import { likeness } from './likeness.ts';
import type { Detail } from './theme.ts';

/** What came of the steps of a scope, and the labels of others in which it was the same. */
export interface AlikeOutcomes {
  /** `zone:shop.example`. */
  readonly scope: string;
  readonly outcomes: readonly Outcome[];
  readonly others: readonly string[];
}

/** Outcomes by their scopes; scopes in which all of them are the same stand together, where the first of them does. */
export function alikeOutcomes(
  outcomes: readonly Outcome[],
  detail: Detail = 'summed-up',
): readonly AlikeOutcomes[] {
  const scopes = [...groupBy(outcomes, (outcome) => placeOf(outcome).scope)];
  const groups = groupBy(scopes, ([scope, members]) =>
    detail === 'each' ? scope : likeness(members.map(general), scope),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ scope: first[0], outcomes: first[1], others: others.map(([scope]) => scope) }],
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
      return outcome satisfies never;
  }
}
