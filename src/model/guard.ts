import type { JsonValue } from '../data/index.ts';

/** Kinds of guards whose refusals can be allowed: the words of `--allow` (design: planning, guard). */
export const ALLOWABLE_KINDS = [
  'deleted',
  'changed',
  'scopes',
  'emptied',
  'unnamed',
  'protected',
  'weakened',
  'every-request',
  'unprotected',
  'quota',
  'irreversible',
  'settings',
  'foreign',
  'incomplete',
  'newly-blocked',
  'not-replayed',
  'not-ended',
] as const;

/** A kind of guard whose refusals can be allowed. */
export type AllowableKind = (typeof ALLOWABLE_KINDS)[number];

/**
 * Kinds of guards whose refusals nothing can allow: the service would refuse what is `referenced` as well, another `account` belongs to
 * somebody else, and until a zone's `migration` is finished only the migration writes the zone's managed rules.
 */
const FINAL_KINDS = ['referenced', 'account', 'migration'] as const;

/** A kind of guard whose refusals nothing can allow. */
export type FinalKind = (typeof FINAL_KINDS)[number];

/** All kinds of guards. */
export const GUARD_KINDS = [...ALLOWABLE_KINDS, ...FINAL_KINDS] as const;

/** A kind of guard. */
export type GuardKind = (typeof GUARD_KINDS)[number];

/** What each kind finds in a plan, in one sentence; `docs/safety.md` says more. */
export const GUARD_MEANINGS: Readonly<Record<GuardKind, string>> = {
  deleted: 'The plan deletes more rules than the files allow.',
  changed: 'The plan changes or moves more rules than the files allow.',
  scopes: 'The plan changes more zones and accounts than the files allow.',
  emptied: 'The plan empties a ruleset that had rules of yours.',
  unnamed: 'The plan deletes a rule that has no `ref` of its own.',
  protected: 'The plan touches what the files protect.',
  weakened: 'After the plan, something protects less than before, or it is not proven that it does not.',
  'every-request': 'A rule newly stops or redirects every request.',
  unprotected: 'A rule newly lets every request past protection.',
  quota: 'The plan level of the zone has no room for something, or does not include it.',
  irreversible: 'What the plan does cannot be undone.',
  settings: 'The change loosens the guards themselves, or what the files take from the environment.',
  foreign: 'The plan touches rules of others.',
  incomplete: 'The saved plan lacks scopes that could not be planned.',
  'newly-blocked': 'More recorded requests would be newly blocked than the files allow.',
  'not-replayed': 'Too few recorded requests were sent through the plan to trust it.',
  'not-ended': 'The plan deletes a rule that protects before the end of its window.',
  referenced: 'The plan deletes a ruleset that a rule still names.',
  account: 'The plan changes something in an account that the files do not name.',
  migration: 'The managed rules of a zone wait for its WAF migration.',
};

export function isAllowable(kind: GuardKind): kind is AllowableKind {
  return !FINAL_KINDS.some((final) => final === kind);
}

/** The arguments of `--allow`. */
export type AllowedKinds = readonly (AllowableKind | 'all')[];

/** Whether refusals of this kind were allowed. */
export function isAllowed(kind: GuardKind, allowed: AllowedKinds): boolean {
  return isAllowable(kind) && (allowed.includes('all') || allowed.includes(kind));
}

/** A finding of a guard; `refuse` stops apply until the kind is allowed, if it can be. */
export interface GuardFinding {
  readonly kind: GuardKind;
  readonly effect: 'refuse' | 'warn';
  /** Id of the step that the finding is about; absent when it is about the whole scope. */
  readonly step?: string | undefined;
  readonly rule?: string;
  /** Description of the rule; present when its `ref` is not telling. */
  readonly description?: string;
  /** The finding about the rule: the message without the rule's place and name. */
  readonly reason?: string;
  /** Present when a weakening is not known, only not proven not to be one. */
  readonly proven?: false;
  readonly message: string;
}

/** What permits a run in spite of guards. */
export interface Permission {
  /** Kinds that were allowed for this run. */
  readonly kinds: AllowedKinds;
  /** Findings that the reviewed plan showed; each permits an identical one. */
  readonly reviewed?: readonly GuardFinding[];
}

/** Returns whether the reviewed plan showed a finding that can be allowed. */
export function reviewedBy({ reviewed = [] }: Permission): (finding: GuardFinding) => boolean {
  const seen = new Set(reviewed.map(keyOf));
  return (finding) => isAllowable(finding.kind) && seen.has(keyOf(finding));
}

/** Identifies a finding, including the numbers in its message: a finding with other numbers was not reviewed. */
function keyOf({ kind, step, rule, message }: GuardFinding): string {
  return JSON.stringify([kind, step ?? null, rule ?? null, message]);
}

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

/** How many recorded requests a plan may newly block, and what has to be known of them. */
export interface TrafficLimits {
  /** Of the requests to each zone, and of all together; absent: limited by rule alone. */
  readonly maxNewlyBlocked?: Threshold | undefined;
  /** By `ref` pattern, of the requests that the rule can act on; each pattern that matches counts. */
  readonly maxNewlyBlockedByRule: readonly { readonly rule: string; readonly most: Threshold }[];
  /** The least number of requests to each zone. */
  readonly minRecords: number;
  /** Of the requests to each zone, how many may have an unknown outcome. */
  readonly maxUnknown: Threshold;
}

/** The limits of `TrafficLimits` that hold unless the project file gives others. */
export const DEFAULT_TRAFFIC: Pick<TrafficLimits, 'minRecords' | 'maxUnknown'> = {
  minRecords: 1000,
  maxUnknown: { kind: 'percent', percent: 5 },
};

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
  /** Absent: recorded requests are not asked for. */
  readonly traffic?: TrafficLimits | undefined;
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

/** A setting that guards depend on: it judges plans or files, says how waves are judged, says what is ours, lets a rule take over another, or reads the environment. */
export interface GuardSetting {
  readonly kind: 'safety' | 'rollout' | 'lint' | 'ownership' | 'adopt' | 'environment';
  readonly value: JsonValue;
}

/** The settings that guards depend on, by their place in the files. */
export type GuardSettings = ReadonlyMap<string, GuardSetting>;
