import type { RuleContent } from '../model/rule.ts';
import type { RuleOwnership, RulesetAddress } from '../model/ruleset.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { Cause } from '../model/source.ts';

/** A rule as a simulation takes it; a `DesiredRule` is one. */
export interface SimulatedRule {
  readonly ref?: string;
  readonly id?: string;
  readonly content: RuleContent;
  readonly cause?: Cause;
}

/** A ruleset as a simulation takes it; a `DesiredRuleset` is one. */
export interface SimulatedRuleset {
  readonly address: RulesetAddress;
  /** Where it is live: rules may execute it by this as well. */
  readonly id?: string;
  readonly presence?: 'present' | 'absent';
  /** Whose its rules are: rules of others are not among them. Absent: these are all. */
  readonly ownership?: RuleOwnership;
  readonly rules: readonly SimulatedRule[];
}

/** The rulesets of a zone or an account; a `DesiredScope` is one. */
export interface SimulatedScope {
  readonly scope: ScopeRef;
  readonly rulesets: readonly SimulatedRuleset[];
}

/** What a rule is called: its `ref`, else its description, else its number in the ruleset. */
export function ruleName({ ref, content }: SimulatedRule, index: number): string {
  if (ref !== undefined) {
    return ref;
  }
  return content.description === '' ? `rule ${index + 1}` : content.description;
}
