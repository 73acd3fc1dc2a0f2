/** `no_data`: nothing can be said, and so the wave is not known to be well. */
export type HealthVerdict = 'holds' | 'fails' | 'no_data';

/** The requests of a window, by the samples that the service keeps. */
export interface WindowCounts {
  readonly from: string;
  readonly to: string;
  readonly requests: number;
  /** How many of them were answered with 5xx, or were blocked or challenged. */
  readonly counted: number;
  /** The share of those; null without requests. */
  readonly percent: number | null;
}

/** The same window before the wave, where it is asked for, and after it. */
export interface WindowPair {
  readonly before: WindowCounts | null;
  readonly after: WindowCounts;
}

/** A zone of the wave, judged by itself. */
export interface ZoneShares {
  readonly zone: string;
  readonly verdict: HealthVerdict;
  /** Why it fails, or why nothing can be said of it; null if it holds. */
  readonly why: string | null;
  /** Null if it could not be asked. */
  readonly windows: WindowPair | null;
}

/** What a share of the requests says. */
export interface ShareMeasure {
  readonly measure: 'errors' | 'blocked';
  readonly verdict: HealthVerdict;
  /** Why it fails, or why nothing can be said; null if it holds. */
  readonly why: string | null;
  /** In percent and percentage points; null for those that are not given. */
  readonly limit: {
    readonly max: number | null;
    readonly above_before: number | null;
    readonly above_others: number | null;
    readonly window_seconds: number;
    readonly min_requests: number;
  };
  /** All zones of the wave together; null if they could not be asked. */
  readonly wave: WindowPair | null;
  /** Zones that no wave has reached yet, together, in the window after this wave; null if they are not compared with. */
  readonly others: WindowCounts | null;
  /** How many zones these are, or why they are not compared with; null if the limit does not ask for it. */
  readonly others_note: string | null;
  readonly zones: readonly ZoneShares[];
}

/** One answer to a probe. */
export interface ProbeAttempt {
  readonly at: string;
  /** The status; null without an answer. */
  readonly status: number | null;
  /** What was wrong; null if it is as expected. */
  readonly problem: string | null;
}

/** What the answers to a probe say. */
export interface ProbeMeasure {
  readonly measure: 'probe';
  readonly url: string;
  readonly verdict: HealthVerdict;
  readonly why: string | null;
  readonly expect: readonly number[];
  /** How often it is asked at most, until an answer is as expected, and over how long. */
  readonly limit: { readonly attempts: number; readonly window_seconds: number };
  readonly attempts: readonly ProbeAttempt[];
}

/** Each of the things that were measured. */
export type HealthMeasure = ShareMeasure | ProbeMeasure;

/**
 * Whether a wave did harm, with all numbers that were seen; plain JSON. It fails if one of the measures does; otherwise it has no data if one of
 * them has none.
 */
export interface HealthResult {
  readonly verdict: HealthVerdict;
  readonly checked_at: string;
  readonly measures: readonly HealthMeasure[];
}
