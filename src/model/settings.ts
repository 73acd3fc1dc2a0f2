import type { JsonValue } from './json.ts';
import type { AllowableKind } from './guard.ts';

/** A count, or a share of what there is. */
export type Threshold =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number };

/** Something that a guard would stop and the files allow until a day. */
export interface Allowance {
  readonly kind: AllowableKind;
  /** `ref` pattern of the rules it is for; absent means all. */
  readonly rule?: string | undefined;
  readonly reason: string;
  /** The last day on which it counts, `YYYY-MM-DD`. */
  readonly until: string;
}

/** How far a plan may go without being asked (`safety` of the project file). */
export interface Safety {
  readonly maxDeleted: Threshold;
  readonly maxChanged: Threshold;
  /** Percentages apply from this many live rules on. */
  readonly minRules: number;
  /** Most zones and accounts that a run changes; absent means any number. */
  readonly maxScopes?: number | undefined;
  /** Ids of the accounts that may be written to, with their zones; absent means any that the token reaches. */
  readonly accounts?: readonly string[] | undefined;
  /** `ref` patterns of rules that must not be touched. */
  readonly protect: readonly string[];
  readonly weakened: 'warn' | 'refuse';
  /** What happens when a rule newly stops or redirects every request. */
  readonly everyRequest: 'warn' | 'refuse';
  /** What happens when a rule newly lets every request past protection. */
  readonly unprotected: 'warn' | 'refuse';
  readonly allow: readonly Allowance[];
}

/** What holds when the project file says nothing. */
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

/** A setting as the files have it: one that judges plans, says what is ours, lets a rule take over another, or takes from the environment. */
export interface GuardSetting {
  readonly kind: 'safety' | 'ownership' | 'adopt' | 'environment';
  readonly value: JsonValue;
}

/** What guards depend on, by where it stands in the files. */
export type GuardSettings = ReadonlyMap<string, GuardSetting>;
