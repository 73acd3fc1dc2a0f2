import type { Plan } from './plan.ts';

/** What a drifted rule does to protection, live compared with the files; gravest first. */
export const DRIFT_SEVERITIES = ['weakening', 'neutral', 'strengthening'] as const;

export type DriftSeverity = (typeof DRIFT_SEVERITIES)[number];

/** One rule in which live differs from the files, with what the service tells about when it changed. */
export interface DriftChange {
  /** `zone:shop.example`. */
  readonly scope: string;
  /** The step that would undo the drift: `zone:shop.example/http_ratelimit`. */
  readonly step: string;
  /** `ref` of the rule. */
  readonly rule: string;
  /** Present when nobody named the rule, so its `ref` is not telling. */
  readonly description?: string;
  readonly difference: 'only-live' | 'missing-live' | 'changed-live' | 'moved-live';
  /** Drift that is not proven neutral or strengthening counts as weakening. */
  readonly severity: DriftSeverity;
  readonly reason?: string;
  /** What live thereby does to every request and the files do not: `applies block to every request`. An outage, even if it protects. */
  readonly everyRequest?: string;
  /** What live thereby lets every request past and the files do not: `lets every request past WAF managed rules`. */
  readonly unprotected?: string;
  /** Version of the live ruleset; null when there is none. */
  readonly version: string | null;
  /** When that version was made, as the service reports; null when it does not. The service does not report who made it. */
  readonly lastUpdated: string | null;
}

/** How live differs from the files: the plan that would undo the drift, and each change judged by what live has become. */
export interface Drift {
  readonly plan: Plan;
  /** Changes by which live ends every request first, then those that let every request past protection, then those that weaken it. */
  readonly changes: readonly DriftChange[];
}
