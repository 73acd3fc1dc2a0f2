import type { Scope } from '../call.ts';
import type { PlanLevel } from '../store/records.ts';
import type { RulesetKind } from './ruleset.ts';

/** Where a rule is to stand: what decides which actions and parameters it may have. */
export interface Place {
  readonly phase: string;
  readonly kind: RulesetKind;
  readonly scope: Scope;
}

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
