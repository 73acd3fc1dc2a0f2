import type { CallScope } from './call.ts';
import type { StoredRulesetKind } from '../records/ruleset-record.ts';

/** Where a rule is to be placed, which decides the actions and parameters that it may have. */
export interface CallLocation {
  readonly phase: string;
  readonly kind: StoredRulesetKind;
  readonly scope: CallScope;
}
