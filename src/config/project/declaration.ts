import type { RuleOwnership, RulesetAddress } from '../../model/ruleset.ts';
import type { Labels, ScopeRef } from '../../model/scope.ts';
import type { SourceSpan } from '../../model/source.ts';

/** What one file declares for one scope: as much as the scope's other files need once the text of this one is dropped. */
export interface Declaration<Ruleset> {
  /** Path of the file, relative to the project folder. */
  readonly path: string;
  /** Paths of the packs that its rules come from. */
  readonly packs: readonly string[];
  readonly scope: ScopeRef;
  readonly labels: Labels;
  readonly where: SourceSpan;
  readonly settings: readonly ScopeSetting[];
  /** What the file says of its whole scopes about whose rules are whose. */
  readonly ownership: RuleOwnership | undefined;
  readonly heads: readonly RulesetHead[];
  readonly references: readonly CustomReference[];
  /** The desired rulesets; empty where the file has an error. */
  readonly rulesets: readonly Ruleset[];
}

/** A declared ruleset without its rules. */
export interface RulesetHead {
  readonly address: RulesetAddress;
  /** Whether the file asks to delete the ruleset. */
  readonly absent: boolean;
  readonly where: SourceSpan;
}

/** A rule that names a custom ruleset by its slug. */
export interface CustomReference {
  readonly slug: string;
  /** The phase in which the ruleset is executed; absent where it is skipped. */
  readonly phase?: string;
  readonly where: SourceSpan;
}

/** A setting for the whole scope; all files of the scope that have it must agree. */
export interface ScopeSetting {
  readonly key: 'token_env' | 'ownership.rulesets';
  readonly text: string;
  readonly where: SourceSpan;
}
