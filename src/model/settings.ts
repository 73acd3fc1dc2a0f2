import type { JsonValue } from './json.ts';
import type { AllowableKind } from './guard.ts';

/** A limit as a count, or as a percentage of the live rules. */
export type Threshold =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number };

/** A guard's refusal that the files allow until a date. */
export interface Allowance {
  readonly kind: AllowableKind;
  /** `ref` pattern of the rules concerned; absent: all rules. */
  readonly rule?: string | undefined;
  readonly reason: string;
  /** The last day on which the allowance is valid, `YYYY-MM-DD`. */
  readonly until: string;
}

/** How far a plan may go without an explicit permission (`safety` of the project file). */
export interface Safety {
  readonly maxDeleted: Threshold;
  readonly maxChanged: Threshold;
  /** The least number of live rules that percentages are taken of. */
  readonly minRules: number;
  /** Most zones and accounts that a run may change; absent: any number. */
  readonly maxScopes?: number | undefined;
  /** Ids of the accounts that may be written to, including their zones; absent: any that the token reaches. */
  readonly accounts?: readonly string[] | undefined;
  /** `ref` patterns of rules that must not be touched. */
  readonly protect: readonly string[];
  readonly weakened: 'warn' | 'refuse';
  /** The effect when a rule newly stops or redirects every request. */
  readonly everyRequest: 'warn' | 'refuse';
  /** The effect when a rule newly lets every request past protection. */
  readonly unprotected: 'warn' | 'refuse';
  readonly allow: readonly Allowance[];
}

/** The settings when the project file gives none. */
export const DEFAULT_SAFETY: Safety = {
  maxDeleted: { kind: 'percent', percent: 30 },
  maxChanged: { kind: 'percent', percent: 50 },
  minRules: 10,
  protect: [],
  weakened: 'warn',
  everyRequest: 'warn',
  unprotected: 'warn',
  allow: [],
};

/** A setting that guards depend on: it judges plans or files, says what is ours, lets a rule take over another, or reads the environment. */
export interface GuardSetting {
  readonly kind: 'safety' | 'lint' | 'ownership' | 'adopt' | 'environment';
  readonly value: JsonValue;
}

/** The settings that guards depend on, by their place in the files. */
export type GuardSettings = ReadonlyMap<string, GuardSetting>;
