import type { HistogramSample, MetricSample } from '../../model/metric.ts';

/** The labels that tell a sample from others of its metric family. */
export type Labels = Readonly<Record<string, string>>;

/** Sums of numbers by labels. */
export class Counts {
  readonly #samples = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, value = 1): void {
    const key = JSON.stringify(labels);
    const sample = this.#samples.get(key) ?? { labels, value: 0 };
    sample.value += value;
    this.#samples.set(key, sample);
  }

  samples(common: Labels): readonly MetricSample[] {
    return [...this.#samples]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { labels, value }]) => ({ labels: { ...common, ...labels }, value }));
  }
}

/** A histogram of durations: how many took at most so many seconds. */
export class Durations {
  readonly #buckets: { readonly bound: number; count: number }[];
  #count = 0;
  #sum = 0;

  /** `bounds` are in seconds, ascending. */
  constructor(bounds: readonly number[]) {
    this.#buckets = bounds.map((bound) => ({ bound, count: 0 }));
  }

  add(seconds: number): void {
    this.#count += 1;
    this.#sum += seconds;
    for (const bucket of this.#buckets) {
      bucket.count += seconds <= bucket.bound ? 1 : 0;
    }
  }

  sample(labels: Labels): HistogramSample {
    const buckets = this.#buckets.map(({ bound, count }) => [bound, count] as const);
    return { labels, buckets, count: this.#count, sum: this.#sum };
  }
}
