import type { LiveRulesetHead } from './ruleset.ts';
import type { Scope } from './scope.ts';

/** The fields of a managed rule that matter for overrides. */
export interface CatalogRule {
  readonly id: string;
  readonly description: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly tags: readonly string[];
}

/** A managed ruleset; `rules` is present when the rules were asked for. */
export interface CatalogRuleset {
  readonly ruleset: LiveRulesetHead;
  readonly rules?: readonly CatalogRule[];
}

/** The managed rulesets that a scope can see. */
export interface CatalogReport {
  readonly scope: Scope;
  readonly rulesets: readonly CatalogRuleset[];
}
