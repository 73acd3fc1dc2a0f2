/** A number of a family, with what tells it from the others. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Seconds that things took: how many took at most so long, how many there were, and all together. */
export interface HistogramSample {
  readonly labels: Readonly<Record<string, string>>;
  /** Counts by upper bound in seconds, ascending; each counts what the smaller ones count as well. */
  readonly buckets: readonly (readonly [bound: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}

interface FamilyCommon {
  readonly name: string;
  readonly help: string;
  readonly unit?: 'seconds';
}

/** What is measured under one name. */
export type MetricFamily =
  | (FamilyCommon & { readonly type: 'counter' | 'gauge'; readonly samples: readonly MetricSample[] })
  | (FamilyCommon & { readonly type: 'histogram'; readonly samples: readonly HistogramSample[] });
