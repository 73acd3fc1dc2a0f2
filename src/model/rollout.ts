import type { HealthResult } from './health.ts';
import type { ScopeRef } from './scope.ts';
import type { SourceSpan } from './source.ts';

/** How the zones of a project are written one wave after the other (`rollout` of the project file). */
export interface Rollout {
  /** The waves of the files, in their order. */
  readonly waves: readonly DeclaredWave[];
  /** Seconds that a wave is left to work before its health is judged. */
  readonly soak: number;
  /** What has to hold after each wave; absent: nothing is asked. */
  readonly health?: HealthGate;
  /** What happens when a write fails, or the health of a wave does not hold. */
  readonly onFailure: 'stop' | 'rollback';
}

/** A wave as the files declare it. */
export interface DeclaredWave {
  readonly zones: WaveSelector;
  readonly where: SourceSpan;
}

/** How a wave chooses its zones. */
export type WaveSelector =
  | { readonly kind: 'scopes'; readonly scopes: readonly NamedZone[] }
  | { readonly kind: 'labels'; readonly labels: readonly WaveLabel[] }
  /** The share of all zones, those of the shares before included, in percent. */
  | { readonly kind: 'share'; readonly percent: number };

/** A zone that a wave names. */
export interface NamedZone {
  readonly scope: ScopeRef;
  readonly where: SourceSpan;
}

/** A label that zones of a wave carry. */
export interface WaveLabel {
  readonly name: string;
  /** Null: whatever its text. */
  readonly text: string | null;
  readonly where: SourceSpan;
}

/** What has to hold after a wave: numbers of the service's analytics, answers to requests, or both. */
export interface HealthGate {
  /** How many answers may be errors of the server (5xx). */
  readonly errors?: HealthLimit;
  /** How many requests may be blocked or challenged. */
  readonly blocked?: HealthLimit;
  /** Of fewer requests nothing is concluded. */
  readonly minRequests: number;
  /** Seconds that analytics take to have what has happened. */
  readonly delay: number;
  readonly probes: readonly HealthProbe[];
}

/** Limits of a share of requests; at least one of them is given. All are in percent, or percentage points. */
export interface HealthLimit {
  /** The share that must not be exceeded. */
  readonly max?: number;
  /** So many points more than in the same zones before the write are too many. */
  readonly aboveBefore?: number;
  /** So many points more than in zones that no wave has reached yet are too many. */
  readonly aboveOthers?: number;
  /** Seconds after the write that are looked at. */
  readonly window: number;
}

/** A request that is sent after each wave, and how it has to be answered. */
export interface HealthProbe {
  readonly url: string;
  /** The statuses that are right. */
  readonly expect: readonly number[];
}

/** The waves of a plan: which scope is written when, and what has to hold in between. */
export interface PlanRollout extends Pick<Rollout, 'soak' | 'health' | 'onFailure'> {
  readonly waves: readonly PlanWave[];
}

/**
 * One wave of a plan. `zones`: as the files choose them; `rest`: zones that no wave of the files has. What accounts have reaches all of their zones at
 * once: what strengthens and what zones need comes in `accounts-before`, what goes or weakens in `accounts-after`.
 */
export interface PlanWave {
  readonly number: number;
  readonly kind: 'zones' | 'rest' | 'accounts-before' | 'accounts-after';
  /** How it chooses its scopes, in words. */
  readonly title: string;
  /** Its scopes, by their labels (`zone:shop.example`), in the order of the plan. */
  readonly scopes: readonly string[];
  /** How many zones of the plan the accounts have; absent for waves of zones. */
  readonly reaches?: number;
  /** SHA-256 (hex) of what the files want of its scopes, and of what they ask of a wave: what is recorded of it holds for that. */
  readonly wanted: string;
}

/**
 * What came of a wave. `passed`: what was written holds; `put-back`, `partly-back`: it did, and went back when a later wave failed, or not all of it;
 * `changed`: it did, and live was something else when the next wave was to begin. `unchanged`: nothing was to be written. `not-done`: not all of it could be written.
 * `unhealthy`, `no-data`: it was written, and its health does not hold, or is not known. `interrupted`: it was written, and the run ended before its
 * health was judged. `not-begun`: the run ended before it.
 */
export interface WaveResult {
  readonly wave: number;
  readonly title: string;
  readonly state:
    | 'passed'
    | 'put-back'
    | 'partly-back'
    | 'changed'
    | 'unchanged'
    | 'not-done'
    | 'unhealthy'
    | 'no-data'
    | 'interrupted'
    | 'not-begun';
  /** Present when an earlier run wrote it, or a part of it. */
  readonly byEarlierRun?: true;
  /** Present when it is not well, and nothing went back of it, since an earlier run wrote it. */
  readonly stays?: true;
  /** What was seen of its health; absent when nothing was asked. */
  readonly health?: HealthResult;
}

/** The waves that a run is about: all, one, or all up to one. */
export type WaveChoice =
  | { readonly kind: 'all' }
  | { readonly kind: 'only'; readonly wave: number }
  | { readonly kind: 'until'; readonly wave: number };
