import type { Scope, ScopedCall } from '../call/call.ts';
import type { PlanLevel } from '../records/directory.ts';
import { allowedActions, phaseRow } from './parameters/phases.ts';
import type { RulesetKind, StoredRuleset } from '../records/ruleset.ts';

/** The plan that limits a scope. */
export function planOf(scope: Scope): PlanLevel {
  return scope.kind === 'zone' ? scope.zone.plan : scope.account.plan;
}

/** Whether a scope has bought a feature; a zone has what its account has. */
export function hasFeature(scope: Scope, feature: string): boolean {
  return (
    scope.account.features.includes(feature) ||
    (scope.kind === 'zone' && scope.zone.features.includes(feature))
  );
}

/** Why no ruleset of this kind and phase can stand in a scope: the field to blame and the reason. */
export interface Misplacement {
  readonly field: 'kind' | 'phase';
  readonly reason: string;
}

/** Looks for what keeps a ruleset out: an unknown phase, the other level's kind, the other level's phase (api.md 4.2, 6.3; texts assumed). */
export function misplacement(
  kind: RulesetKind,
  phase: string,
  level: 'zone' | 'account',
): Misplacement | undefined {
  if (phaseRow(phase) === undefined) {
    return { field: 'phase', reason: 'it is not a known phase' };
  }
  if ((kind === 'root' && level === 'zone') || (kind === 'zone' && level === 'account')) {
    return { field: 'kind', reason: `${level}s have no rulesets of kind ${kind}` };
  }
  return allowedActions(phase, kind, level) === undefined
    ? { field: 'phase', reason: `${level}s have no rulesets of kind ${kind} in this phase` }
    : undefined;
}

/** A ruleset of the call's scope that has no version yet. */
export function newRuleset(
  call: ScopedCall,
  head: { readonly name: string; readonly kind: RulesetKind; readonly phase: string },
): StoredRuleset {
  return { id: call.service.newId(), owner: call.scope.owner, ...head, counter: 0, versions: [] };
}
