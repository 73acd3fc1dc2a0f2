import type { RuleContent } from '../../model/rule.ts';
import type { ScopeRef } from '../../model/scope.ts';

/** A custom ruleset that a rule executes. */
export interface ExecutedRuleset {
  readonly name: string;
  /** Contents that its rules have before or after the plan; undefined when the ruleset was not read. */
  readonly rules: readonly RuleContent[] | undefined;
}

/** Looks up a custom ruleset by its reference in an `execute`; undefined for other rulesets, which protect (api.md 4.4). */
export type ExecutedRulesets = (reference: string) => ExecutedRuleset | undefined;

/** The scope and phase of a rule, and the custom rulesets that it may execute. */
export interface Stand {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Absent when only the rules themselves are known: any executed ruleset then counts as protecting. */
  readonly executed?: ExecutedRulesets;
}
