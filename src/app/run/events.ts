import type { TraceEvent } from '../../api/trace.ts';
import type { JournalEvent } from '../../apply/journal/journal-entry.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ScopePlan } from '../../model/plan.ts';
import type { Preflight } from '../../model/preflight.ts';
import type { Scope } from '../../model/scope.ts';

/** What a use case tells while it works. The library never prints. */
export type AppEvent =
  /** About how many requests the work takes, with and without what is cached, and how long the service's limit lets them wait at least. */
  | {
      readonly kind: 'estimate';
      readonly work: 'plan' | 'apply';
      readonly requests: number;
      readonly uncached: number;
      readonly leastWaitMs: number;
      /** The most requests that the run sends in five minutes. */
      readonly limit: number;
    }
  /** Scopes whose files say something else than at a revision, with the rulesets that differ. */
  | {
      readonly kind: 'changed-since';
      readonly revision: string;
      readonly changed: readonly { readonly scope: string; readonly rulesets: readonly string[] }[];
      /** Scopes that no file declares any more. */
      readonly gone: readonly string[];
      readonly total: number;
    }
  /** A revision has merged changes of these scopes since HEAD left it: some are of scopes that are planned, some of others. */
  | {
      readonly kind: 'behind';
      readonly revision: string;
      readonly planned: readonly string[];
      readonly left: readonly string[];
    }
  /** The embedded service had no such scopes, and made them, empty; some of them may be slips for others that it had. */
  | {
      readonly kind: 'scopes-made';
      readonly scopes: readonly string[];
      readonly slips: readonly { readonly scope: string; readonly near: string }[];
    }
  /** Every scope counts as changed since a revision, and why. */
  | { readonly kind: 'all-changed'; readonly revision: string; readonly reason: string }
  | { readonly kind: 'scopes'; readonly total: number }
  | {
      readonly kind: 'scope-planned';
      readonly plan: ScopePlan;
      readonly done: number;
      readonly total: number;
      /** About how long the rest takes. */
      readonly leftMs?: number;
    }
  | {
      readonly kind: 'scope-read';
      readonly scope: string;
      readonly ok: boolean;
      readonly done: number;
      readonly total: number;
    }
  /** What may be done in a scope was looked at. */
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
  /** A run failed, and what it has written is put back now; the steps that end from here on are those of the way back. */
  | { readonly kind: 'rolling-back'; readonly rulesets: number }
  /** A zone's migration is waited for; `isNewMinute`: the first look, and the first one after each minute. */
  | {
      readonly kind: 'waf-waiting';
      readonly scope: Scope;
      readonly state: string;
      readonly waitedMs: number;
      readonly isNewMinute: boolean;
    }
  /** A plan writes managed rules, and whether the zone is migrated could not be asked. */
  | { readonly kind: 'waf-not-checked'; readonly scope: Scope; readonly reason: string }
  /** The version cache was asked for something of a scope. */
  | { readonly kind: 'cache-asked'; readonly hit: boolean }
  | JournalEvent
  /** Why the version cache did not help; nothing is wrong with the result. */
  | { readonly kind: 'cache'; readonly problem: string }
  /** Why a run with a bound on its requests cannot leave the next one which scopes it has read. */
  | { readonly kind: 'not-remembered'; readonly problem: string }
  | { readonly kind: 'client'; readonly event: TraceEvent };

/** Receives events; must not throw. */
export type Report = (event: AppEvent) => void;
