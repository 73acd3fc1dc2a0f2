import type { Plan } from './plan.ts';

/** What live has become by a rule, seen from the files; the gravest first. */
export const DRIFT_SEVERITIES = ['weakening', 'neutral', 'strengthening'] as const;

/** How grave a rule's drift is. */
export type DriftSeverity = (typeof DRIFT_SEVERITIES)[number];

/** One rule of which live differs from the files, with what the service tells about when. */
export interface DriftChange {
  /** `zone:shop.example`. */
  readonly scope: string;
  /** The step that would undo it: `zone:shop.example/http_ratelimit`. */
  readonly step: string;
  /** `ref` of the rule. */
  readonly rule: string;
  /** Of a rule that nobody named: its `ref` says nothing. */
  readonly description?: string;
  readonly difference: 'only-live' | 'missing-live' | 'changed-live' | 'moved-live';
  /** What is not proven neutral or stronger counts as weakening. */
  readonly severity: DriftSeverity;
  readonly reason?: string;
  /** What live does by it to every request, which the files do not: `applies block to every request`. An outage, however it protects. */
  readonly everyRequest?: string;
  /** What live lets every request past by it, which the files do not: `lets every request past WAF managed rules`. */
  readonly unprotected?: string;
  /** Version of the live ruleset; null where there is none. */
  readonly version: string | null;
  /** When that version was made, as the service says; null where it does not. Who made it, the service does not tell. */
  readonly lastUpdated: string | null;
}

/** How live differs from the files: the plan that would undo it, and each change judged by what live has become. */
export interface Drift {
  readonly plan: Plan;
  /** Those by which live ends every request first, then those that let every request past protection, then those that weaken it. */
  readonly changes: readonly DriftChange[];
}
