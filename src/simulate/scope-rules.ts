import type { RuleContent, RuleOwnership, RulesetAddress, ScopeRef, Cause } from '../model/index.ts';

/** A rule to simulate; a `DesiredRule` is one. */
export interface SimulatedRule {
  readonly ref?: string;
  readonly id?: string;
  readonly content: RuleContent;
  readonly cause?: Cause;
}

/** A ruleset to simulate; a `DesiredRuleset` is one. */
export interface SimulatedRuleset {
  readonly address: RulesetAddress;
  /** The id of a live ruleset; rules may execute it by id as well. */
  readonly id?: string;
  readonly presence?: 'present' | 'absent';
  /** Who owns the rules: `rules` leaves out those of others. When absent, `rules` has all rules. */
  readonly ownership?: RuleOwnership;
  readonly rules: readonly SimulatedRule[];
}

/** The rulesets of a zone or an account; a `DesiredScope` is one. */
export interface SimulatedScope {
  readonly scope: ScopeRef;
  readonly rulesets: readonly SimulatedRuleset[];
}

/** Returns the name of a rule: its `ref`, else its description, else its number in the ruleset. */
export function ruleName({ ref, content }: SimulatedRule, index: number): string {
  if (ref !== undefined) {
    return ref;
  }
  return content.description === '' ? `rule ${index + 1}` : content.description;
}
