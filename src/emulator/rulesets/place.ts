import type { Scope, ScopedCall } from '../call/call.ts';
import type { PlanLevel } from '../records/directory.ts';
import { allowedActions, phaseRow } from './parameters/phases.ts';
import type { RulesetKind, StoredRuleset } from '../records/ruleset.ts';

/** Returns the plan whose limits apply to a scope. */
export function planOf(scope: Scope): PlanLevel {
  return scope.kind === 'zone' ? scope.zone.plan : scope.account.plan;
}

/** Whether a scope has bought a feature; a zone also has the features of its account. */
export function hasFeature(scope: Scope, feature: string): boolean {
  return (
    scope.account.features.includes(feature) ||
    (scope.kind === 'zone' && scope.zone.features.includes(feature))
  );
}

/** Why a scope cannot have a ruleset of some kind and phase: the field at fault, and the reason. */
export interface Misplacement {
  readonly field: 'kind' | 'phase';
  readonly reason: string;
}

/**
 * Returns why a ruleset cannot exist: its phase is unknown, or its kind or phase is for the other level (api.md 4.2,
 * 6.3; texts assumed). Undefined when the ruleset can exist.
 */
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

/** Makes a ruleset in the call's scope, without any version yet. */
export function newRuleset(
  call: ScopedCall,
  head: { readonly name: string; readonly kind: RulesetKind; readonly phase: string },
): StoredRuleset {
  return { id: call.service.newId(), owner: call.scope.owner, ...head, counter: 0, versions: [] };
}
