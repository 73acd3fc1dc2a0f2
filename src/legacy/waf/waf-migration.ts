import type { JsonObject } from '../../data/index.ts';
import type { ErrorCode, GuardFinding, PlanError, Scope, ScopeRef } from '../../model/index.ts';
import { phaseAfter } from '../../model/index.ts';

/** The phase that holds a zone's managed rules (specification 2.2). */
export const MANAGED_PHASE = phaseAfter('waf');

/**
 * The WAF state of a zone, in the service's words (specification 3.1 rule 6). Known values are `enabled` and `disabled` for the two WAFs;
 * `default`, `start`, `validation`, `pending`, `complete` for the state. There may be others (api.md 10.1).
 */
export interface WafStatus {
  readonly oldWaf: string;
  readonly newWaf: string;
  readonly state: string;
}

/** The migration standing of a zone; `none`: its plan level has no migration. */
export type WafStanding =
  | { readonly kind: 'known'; readonly scope: Scope; readonly status: WafStatus }
  | { readonly kind: 'none'; readonly scope: Scope }
  | { readonly kind: 'failed'; readonly scope: ScopeRef; readonly error: PlanError };

/** The two steps of a migration (specification 3.1). */
export type WafStep = 'validate' | 'finish';

/** What keeps a zone from migrating, and what to do about it. */
export interface WafBlocker {
  readonly kind:
    | 'overrides'
    | 'many-rules'
    | 'long-expressions'
    | 'no-migration'
    | 'unknown-state'
    | 'unknown';
  readonly message: string;
  readonly remedy: string;
}

/** A URI-based override of the old WAF (api.md 9.5). Texts that the service leaves out are empty. */
export interface OldOverride {
  readonly id: string;
  readonly description: string;
  readonly urls: readonly string[];
  /** The lower number wins. */
  readonly priority: number;
  /** Action by group id. */
  readonly groups: Readonly<Record<string, string>>;
  /** Action by rule id. */
  readonly rules: Readonly<Record<string, string>>;
  /** Replacement action by original action. */
  readonly rewriteAction: Readonly<Record<string, string>>;
  readonly paused: boolean;
}

/** An override as shown to people. */
export interface WafOverrideView {
  readonly id: string;
  readonly description: string;
  readonly urls: readonly string[];
  /** Actions by group or rule id. */
  readonly actions: Readonly<Record<string, string>>;
  readonly paused: boolean;
}

/** Whether a zone can be migrated. */
export interface WafCheck {
  readonly standing: WafStanding;
  /** What the service says; null when it was not asked, since there is nothing to migrate. */
  readonly compatible: boolean | null;
  readonly blockers: readonly WafBlocker[];
  readonly overrides: readonly WafOverrideView[];
  /** What could not be checked, and why. */
  readonly notChecked: readonly string[];
}

/** A WAF setting before and after the migration. */
export interface WafSetting {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly fate: 'kept' | 'changed' | 'skip-rule' | 'lost';
}

/** The generated configuration of a zone, for review. */
export interface WafConfiguration {
  readonly scope: Scope;
  readonly status: WafStatus;
  /** Rules in the form of a file, each with remarks. */
  readonly rules: readonly { readonly rule: JsonObject; readonly notes: readonly string[] }[];
  /** Remarks on the configuration as a whole, such as what it does not carry over. */
  readonly notes: readonly string[];
  readonly settings: readonly WafSetting[];
  readonly notChecked: readonly string[];
}

/** How a step of the migration ended. */
export type WafOutcome =
  | { readonly kind: 'done' | 'nothing-to-do'; readonly message: string }
  /** The step could be taken; only that was asked. */
  | { readonly kind: 'dry-run'; readonly message: string }
  /** The step was taken, and the service is still working on it. */
  | { readonly kind: 'waiting'; readonly message: string; readonly hint: string }
  /** Nothing was written. */
  | {
      readonly kind: 'refused' | 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string | undefined;
    }
  /** No answer told whether the step was taken, and the state does not show it yet. */
  | { readonly kind: 'in-doubt'; readonly code: ErrorCode; readonly message: string; readonly hint: string }
  /** The step was taken, but the result is not as it should be. */
  | { readonly kind: 'wrong'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** The result of a step of the migration. */
export interface WafStepResult {
  readonly step: WafStep;
  readonly scope: Scope;
  readonly before: WafStatus | null;
  readonly after: WafStatus | null;
  /** Where the zone's settings were saved before the step. */
  readonly snapshot: string | null;
  readonly outcome: WafOutcome;
  /** What guards refused; then nothing was written. Absent where they refused nothing. */
  readonly refusals?: readonly GuardFinding[];
}
