/** One value of a metric family, with its labels. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A histogram of durations in seconds: cumulative counts, total count, and sum. */
export interface HistogramSample {
  readonly labels: Readonly<Record<string, string>>;
  /** Cumulative counts by upper bound in seconds, ascending. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}

interface FamilyCommon {
  readonly name: string;
  readonly help: string;
  readonly unit?: 'seconds';
}

/** All samples of one metric. */
export type MetricFamily =
  | (FamilyCommon & { readonly type: 'counter' | 'gauge'; readonly samples: readonly MetricSample[] })
  | (FamilyCommon & { readonly type: 'histogram'; readonly samples: readonly HistogramSample[] });
