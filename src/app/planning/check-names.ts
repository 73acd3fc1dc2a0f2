import type { ReadClient } from '../../api/client.ts';
import { PLAN_MISMATCH } from '../../apply/steps/step-run.ts';
import type { Resolution } from '../../live/resolve-scopes.ts';
import { resolveScopes } from '../../live/resolve-scopes.ts';
import { errorFacts } from '../../model/error.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlannedScope } from '../../model/plan.ts';
import type { Scope, ScopeRef } from '../../model/scope.ts';
import { scopeLabel, zoneName } from '../../model/scope.ts';
import { refusedOutcomes } from './refused-outcomes.ts';

/**
 * Refuses a saved plan that calls a scope by a name which is not its own, because writes go by the id, but the review went by the
 * name. Returns an empty list if nothing stands against the plan, else the outcome of every step, since nothing is written then.
 */
export async function checkNames(
  scopes: readonly PlannedScope[],
  clientFor: (scope: PlannedScope) => ReadClient,
): Promise<readonly Outcome[]> {
  const refusals = new Map<string, Outcome>();
  await Promise.all(
    [...groupBy(scopes, clientFor)].map(async ([client, own]) => {
      const found = await resolveScopes(
        client,
        own.map(({ scope }) => lookUpOf(scope)),
      );
      for (const { scope, steps } of own) {
        const [first] = steps;
        const problem = first && problemOf(first.id, scope, found.get(scopeLabel(lookUpOf(scope))));
        if (problem !== undefined) {
          refusals.set(problem.step, problem);
        }
      }
    }),
  );
  return refusedOutcomes(scopes, refusals);
}

/**
 * Returns how to look a scope up: a zone by its id, unless its name contains its account, which only a look-up by name checks; an
 * account by its name, since a token may have rights in an account that it may not look up by id.
 */
function lookUpOf({ kind, id, name }: Scope): ScopeRef {
  return { kind, name: kind === 'zone' && zoneName({ kind, name }).account === null ? id : name };
}

function problemOf(step: string, scope: Scope, resolution: Resolution | undefined): Outcome | undefined {
  if (resolution?.kind !== 'found') {
    return resolution && { kind: 'failed', step, ...errorFacts(resolution.error), writes: 0 };
  }
  const { id, name } = resolution.scope;
  return id === scope.id && name === scope.name
    ? undefined
    : {
        kind: 'refused',
        step,
        code: PLAN_MISMATCH,
        message: `the plan was made for ${scopeLabel(scope)}, but the ${scope.kind} ${scope.id} that it would write is ${id === scope.id ? name : 'another one'}`,
        hint: 'it may have been edited: make it again with rulewright plan --out, and review it',
        writes: 0,
      };
}
