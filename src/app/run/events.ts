import type { TraceEvent } from '../../api/index.ts';
import type { JournalEvent } from '../../apply/index.ts';
import type { Outcome, Preflight, ScopePlan, Scope, WaveResult } from '../../model/index.ts';

/** An event that a use case reports while it works; the library never prints. */
export type AppEvent =
  /** About how many requests the work takes, with and without the cache, and how long the service's limit makes them wait at least. */
  | {
      readonly kind: 'estimate';
      readonly work: 'plan' | 'apply';
      readonly requests: number;
      readonly uncached: number;
      readonly leastWaitMs: number;
      /** The most requests that the run sends in five minutes. */
      readonly limit: number;
    }
  /** Scopes for which the files declare something else than at a revision, with the rulesets that differ. */
  | {
      readonly kind: 'changed-since';
      readonly revision: string;
      readonly changed: readonly { readonly scope: string; readonly rulesets: readonly string[] }[];
      /** Scopes that no file declares any more. */
      readonly gone: readonly string[];
      readonly total: number;
    }
  /** A revision has merged changes of these scopes since HEAD branched off: some of the scopes are planned, the others left out. */
  | {
      readonly kind: 'behind';
      readonly revision: string;
      readonly planned: readonly string[];
      readonly left: readonly string[];
    }
  /** The embedded service lacked these scopes and has created them, empty; `slips` are those that may be misspellings of existing ones. */
  | {
      readonly kind: 'scopes-made';
      readonly scopes: readonly string[];
      readonly slips: readonly { readonly scope: string; readonly near: string }[];
    }
  /** Every scope counts as changed since a revision, for this reason. */
  | { readonly kind: 'all-changed'; readonly revision: string; readonly reason: string }
  | { readonly kind: 'scopes'; readonly total: number }
  | {
      readonly kind: 'scope-planned';
      readonly plan: ScopePlan;
      readonly done: number;
      readonly total: number;
      /** Estimated time for the rest. */
      readonly leftMs?: number;
    }
  | {
      readonly kind: 'scope-read';
      readonly scope: string;
      readonly ok: boolean;
      readonly done: number;
      readonly total: number;
    }
  /** The rights in a scope were checked. */
  | { readonly kind: 'scope-checked'; readonly scope: string; readonly done: number; readonly total: number }
  | { readonly kind: 'preflight'; readonly preflight: Preflight }
  | { readonly kind: 'step-started'; readonly scope: Scope; readonly step: string; readonly writes: number }
  | {
      readonly kind: 'step-ended';
      readonly outcome: Outcome;
      readonly done: number;
      readonly total: number;
      readonly leftMs?: number;
    }
  /** A run failed, and its writes are now undone; the steps that end from here on are those of the rollback. */
  | { readonly kind: 'rolling-back'; readonly rulesets: number }
  /** A wave is about to be written. */
  | { readonly kind: 'wave-begun'; readonly wave: number; readonly title: string; readonly scopes: number }
  /** A wave was written by an earlier run, at this time, and is judged now. */
  | { readonly kind: 'wave-resumed'; readonly wave: number; readonly at: number }
  /** A wave has nothing to write, and no record says that it was well: it is judged before the next one begins. */
  | { readonly kind: 'wave-unjudged'; readonly wave: number }
  /** The run waits before it judges a wave; `until` is in milliseconds since 1970. */
  | { readonly kind: 'soaking'; readonly wave: number; readonly ms: number; readonly until: number }
  /** The health of a wave is looked at, which is over at the time `until` at the earliest; null: nothing is waited for. */
  | { readonly kind: 'judging'; readonly wave: number; readonly until: number | null }
  /** Too little is known of the health of a wave: it is looked at again, until a time at most; milliseconds since 1970. */
  | {
      readonly kind: 'no-data-yet';
      readonly wave: number;
      readonly why: string;
      readonly again: number;
      readonly until: number;
    }
  | { readonly kind: 'wave-ended'; readonly wave: number; readonly state: WaveResult['state'] }
  /** The run waits for the service; `isNewMinute` is true for the first look, and the first one after each minute. */
  | {
      readonly kind: 'waiting';
      readonly scope: Scope;
      /** What is awaited, such as "to be migrated". */
      readonly what: string;
      readonly state: string;
      readonly waitedMs: number;
      readonly isNewMinute: boolean;
    }
  /** Something about a scope that forbids writes could not be read; `what` completes "whether the zone". */
  | { readonly kind: 'not-checked'; readonly scope: Scope; readonly what: string; readonly reason: string }
  /** The version cache was queried for a scope. */
  | { readonly kind: 'cache-asked'; readonly hit: boolean }
  | JournalEvent
  /** Why the version cache did not help; nothing is wrong with the result. */
  | { readonly kind: 'cache'; readonly problem: string }
  /** Why a run with a limit on its requests cannot record for the next run which scopes it has read. */
  | { readonly kind: 'not-remembered'; readonly problem: string }
  | { readonly kind: 'client'; readonly event: TraceEvent };

/** Receives events; must not throw. */
export type OnEvent = (event: AppEvent) => void;
