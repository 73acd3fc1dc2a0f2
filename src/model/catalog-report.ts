import type { LiveRulesetHead } from './ruleset.ts';
import type { Scope } from './scope.ts';

/** A rule of a managed ruleset, as far as overrides are concerned. */
export interface CatalogRule {
  readonly id: string;
  readonly description: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly tags: readonly string[];
}

/** A managed ruleset; with its rules where these were asked for. */
export interface CatalogRuleset {
  readonly ruleset: LiveRulesetHead;
  readonly rules?: readonly CatalogRule[];
}

/** Managed rulesets as a scope sees them. */
export interface CatalogReport {
  readonly scope: Scope;
  readonly rulesets: readonly CatalogRuleset[];
}
