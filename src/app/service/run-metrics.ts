import { assertNever } from '../../data/index.ts';
import type { Clock } from '../../network/index.ts';
import type { TraceEvent } from '../../api/index.ts';
import { DRIFT_SEVERITIES } from '../../model/index.ts';
import type { ScopePlan, MetricFamily, MetricSample, HistogramSample } from '../../model/index.ts';
import { driftChanges, summarise } from '../../plan/index.ts';
import { openMetricsText } from '../../report/index.ts';
import type { OnEvent } from '../run/events.ts';
import { requestKind } from './request-kind.ts';

/** The labels that tell a sample from others of its metric family. */
type MetricLabels = Readonly<Record<string, string>>;

/** Sums of numbers by labels. */
class LabelledCounter {
  readonly #samples = new Map<string, { readonly labels: MetricLabels; value: number }>();

  add(labels: MetricLabels, value = 1): void {
    const key = JSON.stringify(labels);
    const sample = this.#samples.get(key) ?? { labels, value: 0 };
    sample.value += value;
    this.#samples.set(key, sample);
  }

  samples(common: MetricLabels): readonly MetricSample[] {
    return [...this.#samples]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { labels, value }]) => ({ labels: { ...common, ...labels }, value }));
  }
}

/** A histogram of durations: how many took at most so many seconds. */
class Durations {
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

  sample(labels: MetricLabels): HistogramSample {
    const buckets = this.#buckets.map(({ bound, count }) => [bound, count] as const);
    return { labels, buckets, count: this.#count, sum: this.#sum };
  }
}

/** Collects the metrics of a run. */
export interface RunMetrics {
  /** Takes an event of the run into account. */
  readonly observe: OnEvent;
  /** Returns the metrics as OpenMetrics text, once the run has ended. */
  text(exitCode: number): string;
}

/** Upper bounds of the buckets for request durations, in seconds. */
const BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** The counters of a run. */
interface Tallies {
  readonly requests: LabelledCounter;
  readonly took: Durations;
  readonly waits: LabelledCounter;
  readonly retries: LabelledCounter;
  readonly cache: LabelledCounter;
  readonly scopes: LabelledCounter;
  readonly changes: LabelledCounter;
  readonly drift: LabelledCounter;
  readonly ending: LabelledCounter;
  readonly opening: LabelledCounter;
  /** Rules of others that affect every request. */
  readonly unowned: LabelledCounter;
  readonly steps: LabelledCounter;
}

/** Measures a run of a command from its events. Labels never hold names of scopes or rules, of which there are thousands. */
export function createMetrics(
  run: { readonly command: string; readonly version: string },
  clock: Pick<Clock, 'now'>,
): RunMetrics {
  const start = clock.now();
  const tallies = noTallies();
  return {
    observe(event) {
      if (event.kind === 'client') {
        countRequest(tallies, event.event);
      } else if (event.kind === 'scope-planned') {
        countPlan(tallies, event.plan, clock.now());
      } else if (event.kind === 'cache-asked') {
        tallies.cache.add({ result: event.hit ? 'hit' : 'miss' });
      } else if (event.kind === 'step-ended') {
        tallies.steps.add({ outcome: event.outcome.kind });
      }
    },
    text: (exitCode) =>
      openMetricsText([
        ...familiesOfRun(run, { start, end: clock.now(), exitCode }),
        ...familiesOfTallies(tallies, run.command),
      ]),
  };
}

function noTallies(): Tallies {
  const drift = new LabelledCounter();
  for (const severity of DRIFT_SEVERITIES) {
    drift.add({ severity }, 0);
  }
  const [ending, opening, unowned] = [new LabelledCounter(), new LabelledCounter(), new LabelledCounter()];
  ending.add({}, 0);
  opening.add({}, 0);
  unowned.add({}, 0);
  return {
    requests: new LabelledCounter(),
    took: new Durations(BOUNDS),
    waits: new LabelledCounter(),
    retries: new LabelledCounter(),
    cache: new LabelledCounter(),
    scopes: new LabelledCounter(),
    changes: new LabelledCounter(),
    drift,
    ending,
    opening,
    unowned,
    steps: new LabelledCounter(),
  };
}

function countRequest({ requests, took, waits, retries }: Tallies, event: TraceEvent): void {
  const kind = requestKind(event);
  switch (event.kind) {
    case 'answered':
      requests.add({ kind, status: `${Math.floor(event.status / 100)}xx` });
      took.add(event.ms / 1000);
      return;
    case 'broken':
      requests.add({ kind, status: 'broken' });
      took.add(event.ms / 1000);
      return;
    case 'waiting':
      waits.add({ reason: event.reason }, event.ms / 1000);
      return;
    case 'started':
      if (event.attempt > 1) {
        retries.add({ kind });
      }
      return;
    case 'retrying':
    case 'deprecated':
      return;
    default:
      return assertNever(event);
  }
}

function countPlan(
  { scopes, changes, drift, ending, opening, unowned }: Tallies,
  plan: ScopePlan,
  now: number,
): void {
  scopes.add({ result: plan.kind });
  const { rules } = summarise([plan]);
  for (const kind of ['add', 'patch', 'move', 'delete'] as const) {
    changes.add({ kind }, rules[kind]);
  }
  for (const { severity, everyRequest, unprotected } of driftChanges({ scopes: [plan] }, undefined, now)) {
    drift.add({ severity });
    ending.add({}, everyRequest === undefined ? 0 : 1);
    opening.add({}, unprotected === undefined ? 0 : 1);
  }
  const notes = plan.kind === 'planned' ? plan.notes : [];
  unowned.add({}, notes.filter(({ kind }) => kind === 'unowned-every-request').length);
}

/** How the run ended, and when; times in milliseconds since 1970. */
interface RunEnd {
  readonly start: number;
  readonly end: number;
  readonly exitCode: number;
}

function familiesOfRun(
  { command, version }: { readonly command: string; readonly version: string },
  { start, end, exitCode }: RunEnd,
): readonly MetricFamily[] {
  const sample = (value: number): readonly MetricSample[] => [{ labels: { command }, value }];
  return [
    gauge('rulewright_build_info', 'Version of the program.', [{ labels: { command, version }, value: 1 }]),
    gauge(
      'rulewright_exit_code',
      'Exit code: 0 done, 1 failed, 2 differences, 3 refused, 4 partly applied.',
      sample(exitCode),
    ),
    gauge('rulewright_end_timestamp_seconds', 'When the run ended.', sample(end / 1000), 'seconds'),
    gauge('rulewright_duration_seconds', 'How long the run took.', sample((end - start) / 1000), 'seconds'),
  ];
}

function familiesOfTallies(tallies: Tallies, command: string): readonly MetricFamily[] {
  const common = { command };
  return [
    counter(
      'rulewright_requests',
      'Requests sent, by kind (read, check, write) and status class.',
      tallies.requests.samples(common),
    ),
    {
      name: 'rulewright_request_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'How long requests took, without waiting for their turn.',
      samples: [tallies.took.sample(common)],
    },
    counter('rulewright_retries', 'Requests sent again.', tallies.retries.samples(common)),
    {
      name: 'rulewright_wait_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'Waiting for the request limit, over all requests.',
      samples: tallies.waits.samples(common),
    },
    counter('rulewright_cache_lookups', 'Look-ups in the version cache.', tallies.cache.samples(common)),
    gauge('rulewright_scopes', 'Scopes by what came of planning.', tallies.scopes.samples(common)),
    gauge('rulewright_changes', 'Rules that the plan changes, by kind.', tallies.changes.samples(common)),
    gauge(
      'rulewright_drift',
      'Rules that drifted, by what live has become.',
      command === 'drift' ? tallies.drift.samples(common) : [],
    ),
    gauge(
      'rulewright_drift_every_request',
      'Rules with which live stops or redirects every request (or every one tried), unlike the files.',
      command === 'drift' ? tallies.ending.samples(common) : [],
    ),
    gauge(
      'rulewright_drift_unprotected',
      'Rules with which live lets every request (or every one tried) bypass protection, unlike the files.',
      command === 'drift' ? tallies.opening.samples(common) : [],
    ),
    gauge(
      'rulewright_unowned_every_request',
      'Rules of others beside yours that stop or redirect every request, or let every request bypass protection.',
      command === 'drift' ? tallies.unowned.samples(common) : [],
    ),
    counter('rulewright_steps', 'Steps of apply by outcome.', tallies.steps.samples(common)),
  ];
}

function counter(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, type: 'counter', help, samples };
}

function gauge(name: string, help: string, samples: readonly MetricSample[], unit?: 'seconds'): MetricFamily {
  return { name, type: 'gauge', help, samples, ...(unit === undefined ? {} : { unit }) };
}
