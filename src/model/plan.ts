import type { Base } from './base.ts';
import type { RuleChange } from './change.ts';
import type { ErrorFacts } from './error.ts';
import type { TextChange } from './field-change.ts';
import type { GuardFinding } from './guard.ts';
import type { ObjectStep } from './object-step.ts';
import type { PlanRollout } from './rollout.ts';
import type { ReplayDocument } from './replay.ts';
import type { RulesetKind } from './ruleset.ts';
import type { Scope, ScopeRef } from './scope.ts';
import type { PlanShard } from './shard.ts';
import type { Cause } from './source.ts';

/** The ruleset that a step acts on. */
export interface RulesetTarget {
  readonly kind: 'ruleset';
  readonly level: Exclude<RulesetKind, 'managed'>;
  readonly phase: string;
  readonly name: string;
}

interface StepCommon {
  /** Stable name of the step, such as `zone:shop.example/http_ratelimit`. */
  readonly id: string;
  readonly target: RulesetTarget;
  readonly base: Base;
  /** Ids of the steps that must be done before this one. */
  readonly after: readonly string[];
  /** Absent when no file declares the ruleset. */
  readonly cause?: Cause | undefined;
}

/** Creates a ruleset with all its rules. */
export interface CreateStep extends StepCommon {
  readonly operation: 'create';
  readonly description: string;
  readonly changes: readonly RuleChange[];
}

/** Changes the rules or the description of a ruleset. */
export interface UpdateStep extends StepCommon {
  readonly operation: 'update';
  readonly description?: TextChange;
  /** When rules are written one by one, deletions go before additions, since both together would exceed the quota of the phase. */
  readonly deletesFirst?: true;
  readonly changes: readonly RuleChange[];
  /**
   * Ids of the rules that are neither new nor moved nor deleted, in their order. Together with the places of the changes they give the order of
   * all rules before and after (`rule-order.ts`).
   */
  readonly staying: readonly string[];
  /** The ids in `staying` of rules that are not ours by `ownership` or `ignore`; guards count only our rules. Absent when all are ours. */
  readonly others?: readonly string[];
}

/** Deletes a ruleset with all its rules: a custom one, or an entry point that a plan created which is being reversed. */
export interface DeleteStep extends StepCommon {
  readonly operation: 'delete';
  /** Description of the deleted ruleset, needed to reverse the step. Absent when empty. */
  readonly description?: string;
  readonly changes: readonly RuleChange[];
  /** The ids of the deleted rules that are not ours by `ownership`: a guard refuses to take them along. Absent when all are ours. */
  readonly others?: readonly string[];
}

/** One step of a plan. */
export type Step = CreateStep | UpdateStep | DeleteStep;

/** Kinds of notes that only inform. */
const TELLING_NOTE_KINDS = [
  'respelled',
  'adoptable',
  'carried',
  'ignored',
  'override',
  'quota-order',
  'reversed',
  'kept',
  'list-unchecked',
  'renamed-list',
  'unowned',
  'undeclared',
  'undeclared-rules',
] as const;

/** Kinds of notes that warn of something possibly unwanted. */
export const WARNING_NOTE_KINDS = [
  'shadowed',
  'not-ignored',
  'adopts-nothing',
  'recreated',
  'override-reset',
  'override-unknown',
  'override-lock',
  'id-lost',
  'left-out',
  'left-live',
  'list',
  'not-compared',
  'unowned-every-request',
] as const;

/** A kind of note. */
export type PlanNoteKind = (typeof PLAN_NOTE_KINDS)[number];

/** All kinds of notes, warnings last. */
export const PLAN_NOTE_KINDS = [...TELLING_NOTE_KINDS, ...WARNING_NOTE_KINDS] as const;

/** What each kind says of a plan, in one sentence. */
export const NOTE_MEANINGS: Readonly<Record<PlanNoteKind, string>> = {
  respelled: 'An expression is spelled otherwise live and means the same, so it is left as it is.',
  adoptable:
    'A rule equals one that is live under another ref, whose id it would keep by that ref or `adopt: true`.',
  carried: 'A rule keeps fields that this version does not know, and does not watch.',
  ignored: 'What differs is on an `ignore` list, and stays as it is.',
  override: 'What the overrides of a managed ruleset do to its rules.',
  'quota-order': 'A step waits until another one has made room.',
  reversed: 'What a plan that takes back an earlier one cannot bring back as it was.',
  kept: 'A rollback or a reversed plan leaves this as it is.',
  'list-unchecked': 'Whether the account has a list could not be looked up.',
  'renamed-list': 'A new list has the items of one that goes.',
  unowned: 'A rule of others, which the plan leaves as it is.',
  undeclared: 'No file declares this, and plain `drift` does not compare it.',
  'undeclared-rules': 'Rules of others stand beside yours, and plain `drift` does not compare them.',
  shadowed: 'A rule comes after rules of others that end evaluation for requests which it matches.',
  'not-ignored': 'A field on an `ignore` list is overwritten all the same, since what holds it changes.',
  'adopts-nothing': 'An `id` or `adopt: true` finds no live rule, so the rule is added as a new one.',
  recreated: 'A live rule is replaced by a new one, and its id is lost.',
  'override-reset': 'Managed rules go back to what the vendor ships, since no override names them any more.',
  'override-unknown': 'An override names a managed rule or category that the ruleset does not have.',
  'override-lock': 'Managed rules have changed since `rulewright.lock` was written, or it lacks them.',
  'id-lost': 'What comes back has a new id.',
  'left-out': '`--only-strengthening` leaves out what deletes, or may protect less.',
  'left-live': 'A ruleset stays live that the files no longer mention.',
  list: 'What a change of list items does, such as redirects to another site.',
  'not-compared': 'Something that no file declares was not looked at.',
  'unowned-every-request': 'A rule of others concerns every request.',
};

/** A remark that changes nothing, such as on an expression with another text but the same meaning. */
export interface PlanNote {
  readonly kind: PlanNoteKind;
  readonly step: string;
  /** `ref` of the rule; empty when the note is about the whole ruleset. */
  readonly rule: string;
  /** Description of the rule; present when its `ref` is not telling. */
  readonly description?: string | undefined;
  readonly message: string;
  /** JSON Pointers of the fields concerned within the rule; of notes on fields carried over from live. */
  readonly fields?: readonly string[];
  readonly cause?: Cause | undefined;
}

/** A ruleset that was read while planning, with its base; recorded even when nothing changes. */
export interface BaseRecord {
  readonly target: RulesetTarget;
  readonly base: Base;
}

/** A scope that was planned from its live and desired state. */
export interface PlannedScope {
  readonly kind: 'planned';
  readonly scope: Scope;
  /** Name of the environment variable that holds this scope's token, when it is not the usual one. */
  readonly tokenEnv?: string | undefined;
  readonly bases: readonly BaseRecord[];
  readonly steps: readonly Step[];
  /** The steps on objects of the scope that are no rulesets: the lists of an account, the settings of a zone. Absent when there are none. */
  readonly objects?: readonly ObjectStep[];
  readonly findings: readonly GuardFinding[];
  readonly notes: readonly PlanNote[];
  /** Names of the managed rules that changed overrides and skips mention, by id; absent when none was looked up. */
  readonly managedRules?: Readonly<Record<string, string>>;
  /** IANA name of the time zone in which windows of rules are shown; absent when it is UTC. */
  readonly timeZone?: string;
  /** How many lists or settings were compared with live; absent when files declare none. */
  readonly compared?: { readonly lists?: number; readonly settings?: number };
}

/** Error code of a scope that a run with a request bound left for the next run. */
export const NOT_CHECKED = 'plan/not-checked';

/** A scope that could not be planned; nothing is done in it. */
export interface FailedScope {
  readonly kind: 'failed';
  readonly scope: ScopeRef;
  readonly error: PlanError;
}

/** Why a scope could not be planned. */
export type PlanError = ErrorFacts;

/** The plan of one scope. */
export type ScopePlan = PlannedScope | FailedScope;

/** How many rules and rulesets a plan changes; each rule counts once. */
export interface PlanSummary {
  readonly rules: {
    readonly add: number;
    readonly patch: number;
    readonly move: number;
    readonly delete: number;
  };
  readonly rulesets: { readonly create: number; readonly update: number; readonly delete: number };
  /** Absent where no list changes. */
  readonly lists?: ListSummary;
  /** How many settings change; absent where none does. */
  readonly settings?: { readonly update: number };
}

/** How many lists a plan changes, and how many of their items. */
export interface ListSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly items: { readonly add: number; readonly change: number; readonly remove: number };
}

/** Ordered steps that turn live into desired state, bound to the versions that they were planned from; plain JSON. */
export interface Plan {
  readonly kind: 'plan';
  readonly formatVersion: 3;
  readonly baseUrl: string;
  readonly summary: PlanSummary;
  /** SHA-256 (hex) of the plan's effect: everything except values that the service will assign, and times. */
  readonly digest: string;
  /** SHA-256 (hex) of the whole document except this field, including key order within scopes: manual edits are noticed. */
  readonly integrity: string;
  /** What guards found about the run as a whole; absent when nothing. */
  readonly findings?: readonly GuardFinding[];
  /** What it would have done to recorded requests, without what nobody has to know to judge it; absent when none were sent through it. */
  readonly replay?: ReplayDocument;
  /** The waves in which it is carried out; absent: all scopes side by side. */
  readonly rollout?: PlanRollout;
  /** Which part of a whole run this plan is; absent when it is the whole run. */
  readonly shard?: PlanShard;
  readonly scopes: readonly ScopePlan[];
}

/** Returns what people call the service that a plan is for: its base URL, or that it is the embedded one. */
export function serviceName(baseUrl: string): string {
  return baseUrl === 'emulator' ? 'the embedded service' : baseUrl;
}
