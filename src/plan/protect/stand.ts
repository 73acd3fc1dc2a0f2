import type { RuleContent } from '../../model/rule.ts';
import type { ScopeRef } from '../../model/scope.ts';

/** What a rule runs that executes a custom ruleset. */
export interface ExecutedRuleset {
  readonly name: string;
  /** What rules of it say, before or after; undefined where it was not read. */
  readonly rules: readonly RuleContent[] | undefined;
}

/** The custom ruleset that an `execute` calls by this; undefined for all others, which protect (api.md 4.4). */
export type ExecutedRulesets = (reference: string) => ExecutedRuleset | undefined;

/** Where a rule stands, and so what it sees. */
export interface Stand {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Absent where only the rules themselves are known: then whatever is executed protects. */
  readonly executed?: ExecutedRulesets;
}
