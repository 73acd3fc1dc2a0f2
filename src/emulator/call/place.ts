import type { Scope } from './call.ts';
import type { RulesetKind } from '../records/ruleset.ts';

/** Where a rule is to be placed, which decides the actions and parameters that it may have. */
export interface Place {
  readonly phase: string;
  readonly kind: RulesetKind;
  readonly scope: Scope;
}
