import type { Clock } from '../../api/clock.ts';
import { systemClock } from '../../api/clock.ts';
import type { TraceEvent } from '../../api/trace.ts';
import { driftChanges } from '../../plan/drift-changes.ts';
import { summarise } from '../../plan/summarise.ts';
import type { MetricFamily, MetricSample } from '../../report/open-metrics.ts';
import { openMetricsText } from '../../report/open-metrics.ts';
import type { AppEvent, Report } from '../events.ts';
import { requestKind } from './request-kind.ts';

/** What a run is measured by. */
export interface RunMetrics {
  /** Takes an event of the run into account. */
  readonly observe: Report;
  /** The metrics as OpenMetrics text, once the run has ended. */
  text(exitCode: number): string;
}

/** Upper bounds in seconds of what requests take. */
const BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

type Labels = Readonly<Record<string, string>>;

/** Counts by labels. */
class Counts {
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

/** Measures a run of a command from its events. Labels never hold names of scopes or rules, of which there are thousands. */
export function createMetrics(
  run: { readonly command: string; readonly version: string },
  clock: Pick<Clock, 'now'> = systemClock,
): RunMetrics {
  const start = clock.now();
  const requests = new Counts();
  const waits = new Counts();
  const retries = new Counts();
  const cache = new Counts();
  const scopes = new Counts();
  const changes = new Counts();
  const drift = new Counts();
  const steps = new Counts();
  const took: number[] = [];
  for (const severity of ['weakening', 'neutral', 'strengthening']) {
    drift.add({ severity }, 0);
  }
  const client = (event: TraceEvent): void => {
    const kind = requestKind(event);
    switch (event.kind) {
      case 'answered':
        requests.add({ kind, status: `${Math.floor(event.status / 100)}xx` });
        took.push(event.ms / 1000);
        return;
      case 'broken':
        requests.add({ kind, status: 'broken' });
        took.push(event.ms / 1000);
        return;
      case 'waiting':
        waits.add({ reason: event.reason }, event.ms / 1000);
        return;
      case 'retrying':
        retries.add({ kind });
        return;
      case 'started':
      case 'deprecated':
        return;
      default:
        return event satisfies never;
    }
  };
  const planned = ({ plan }: Extract<AppEvent, { readonly kind: 'scope-planned' }>): void => {
    scopes.add({ result: plan.kind });
    const { rules } = summarise([plan]);
    for (const kind of ['add', 'patch', 'move', 'delete'] as const) {
      changes.add({ kind }, rules[kind]);
    }
    for (const { severity } of driftChanges({ scopes: [plan] })) {
      drift.add({ severity });
    }
  };
  return {
    observe(event) {
      if (event.kind === 'client') {
        client(event.event);
      } else if (event.kind === 'scope-planned') {
        planned(event);
      } else if (event.kind === 'cache-asked') {
        cache.add({ result: event.hit ? 'hit' : 'miss' });
      } else if (event.kind === 'step-ended') {
        steps.add({ outcome: event.outcome.kind });
      }
    },
    text(exitCode) {
      const at = clock.now();
      const { command } = run;
      const common = { command };
      const drifts = command === 'drift';
      const families: readonly MetricFamily[] = [
        gauge('rulewright_build_info', 'Version of the program.', [
          { labels: { ...common, version: run.version }, value: 1 },
        ]),
        gauge(
          'rulewright_exit_code',
          'Exit code: 0 done, 1 failed, 2 differences, 3 refused, 4 partly applied.',
          [{ labels: common, value: exitCode }],
        ),
        gauge(
          'rulewright_end_timestamp_seconds',
          'When the run ended.',
          [{ labels: common, value: at / 1000 }],
          'seconds',
        ),
        gauge(
          'rulewright_duration_seconds',
          'How long the run took.',
          [{ labels: common, value: (at - start) / 1000 }],
          'seconds',
        ),
        counter(
          'rulewright_requests',
          'Requests sent, by kind (read, check, write) and status class.',
          requests.samples(common),
        ),
        {
          name: 'rulewright_request_duration_seconds',
          type: 'histogram',
          unit: 'seconds',
          help: 'How long requests took, without waiting for their turn.',
          samples: [
            {
              labels: common,
              buckets: BOUNDS.map(
                (bound) => [bound, took.filter((seconds) => seconds <= bound).length] as const,
              ),
              count: took.length,
              sum: took.reduce((sum, seconds) => sum + seconds, 0),
            },
          ],
        },
        counter('rulewright_retries', 'Requests sent again.', retries.samples(common)),
        {
          name: 'rulewright_wait_seconds',
          type: 'counter',
          unit: 'seconds',
          help: 'Waiting for the request limit, over all requests.',
          samples: waits.samples(common),
        },
        counter('rulewright_cache_lookups', 'Look-ups in the version cache.', cache.samples(common)),
        gauge('rulewright_scopes', 'Scopes by what came of planning.', scopes.samples(common)),
        gauge('rulewright_changes', 'Rules that the plan changes, by kind.', changes.samples(common)),
        gauge(
          'rulewright_drift',
          'Rules that drifted, by what live has become.',
          drifts ? drift.samples(common) : [],
        ),
        counter('rulewright_steps', 'Steps of apply by outcome.', steps.samples(common)),
      ];
      return openMetricsText(families);
    },
  };
}

function counter(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, type: 'counter', help, samples };
}

function gauge(name: string, help: string, samples: readonly MetricSample[], unit?: 'seconds'): MetricFamily {
  return { name, type: 'gauge', help, samples, ...(unit === undefined ? {} : { unit }) };
}
