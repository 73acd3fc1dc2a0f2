import type { Base } from './base.ts';
import type { RuleChange } from './change.ts';
import type { ErrorFacts } from './error.ts';
import type { TextChange } from './field-change.ts';
import type { GuardFinding } from './guard.ts';
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
  /** Ids of steps that have to be done before this one. */
  readonly after: readonly string[];
  /** Absent where no file declares the ruleset. */
  readonly cause?: Cause | undefined;
}

/** A ruleset that is made with all its rules. */
export interface CreateStep extends StepCommon {
  readonly operation: 'create';
  readonly description: string;
  readonly changes: readonly RuleChange[];
}

/** A ruleset of which rules or description change. */
export interface UpdateStep extends StepCommon {
  readonly operation: 'update';
  readonly description?: TextChange;
  /** Single operations delete before they add, because both together would pass the quota of the phase. */
  readonly deletesFirst?: true;
  readonly changes: readonly RuleChange[];
  /**
   * Ids of the rules that are neither new nor moved nor deleted, in their order. With the places of the changes they
   * give the order of all rules before and after (`rule-order.ts`).
   */
  readonly staying: readonly string[];
  /** Those of them that are not ours, by `ownership` or `ignore`: guards count what is ours. Absent where all are. */
  readonly others?: readonly string[];
}

/** A ruleset that goes, with all its rules: a custom one, or an entry point that a reversed plan had made. */
export interface DeleteStep extends StepCommon {
  readonly operation: 'delete';
  /** What goes with it; the way back needs it. Absent when empty. */
  readonly description?: string;
  readonly changes: readonly RuleChange[];
}

/** One step of a plan. */
export type Step = CreateStep | UpdateStep | DeleteStep;

/** Kinds of notes that only tell. */
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
  'unowned',
] as const;

/** Kinds of notes that say what may not be wanted. */
export const WARNING_NOTE_KINDS = [
  'shadowed',
  'adopts-nothing',
  'recreated',
  'override-reset',
  'override-unknown',
  'override-lock',
  'id-lost',
  'left-out',
  'list',
  'not-compared',
  'unowned-every-request',
] as const;

/** A kind of note. */
export type PlanNoteKind = (typeof PLAN_NOTE_KINDS)[number];

/** All kinds of notes, those that warn last. */
export const PLAN_NOTE_KINDS = [...TELLING_NOTE_KINDS, ...WARNING_NOTE_KINDS] as const;

/** Something worth saying that changes nothing, such as an expression of the same meaning but other text. */
export interface PlanNote {
  readonly kind: PlanNoteKind;
  readonly step: string;
  /** Empty where it is about the whole ruleset. */
  readonly rule: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string | undefined;
  readonly message: string;
  /** The fields that it is about, JSON Pointers into the rule; of what is carried over. */
  readonly fields?: readonly string[];
  readonly cause?: Cause | undefined;
}

/** The ruleset that was read while planning, and its base, also where nothing changes. */
export interface BaseRecord {
  readonly target: RulesetTarget;
  readonly base: Base;
}

/** A scope of which live and desired state are both known. */
export interface PlannedScope {
  readonly kind: 'planned';
  readonly scope: Scope;
  /** Name of the environment variable that holds this scope's token, when not the usual one. */
  readonly tokenEnv?: string | undefined;
  readonly bases: readonly BaseRecord[];
  readonly steps: readonly Step[];
  readonly findings: readonly GuardFinding[];
  readonly notes: readonly PlanNote[];
  /** What managed rules are called that changed overrides name, by id; absent where none was looked up. */
  readonly managedRules?: Readonly<Record<string, string>>;
}

/** Code of the error of a scope that a bounded run left for the next one. */
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
}

/** Ordered steps that turn live into desired, bound to the versions they were made from; plain JSON. */
export interface Plan {
  readonly kind: 'plan';
  readonly formatVersion: 3;
  readonly baseUrl: string;
  readonly summary: PlanSummary;
  /** SHA-256 of the effect, hex: everything but what the service will assign, and times. */
  readonly digest: string;
  /** SHA-256 of all of the document but this, hex, the order of keys in scopes included: a plan that was edited by hand is noticed. */
  readonly integrity: string;
  /** What guards found about the run as a whole; absent when nothing. */
  readonly findings?: readonly GuardFinding[];
  /** The part of a whole run that the plan is; absent when it is the whole. */
  readonly shard?: PlanShard;
  readonly scopes: readonly ScopePlan[];
}
