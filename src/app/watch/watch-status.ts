import type { MetricFamily } from '../../model/index.ts';
import { openMetricsText } from '../../report/index.ts';

/** What came of a round. */
export type RoundResult = 'well' | 'differs' | 'failed' | 'refused' | 'partial';

/** What the watcher does now. */
type WatchPhase = 'starting' | 'standing-by' | 'working' | 'waiting';

/** What is known of a watcher. */
export interface WatchStatus {
  phase: WatchPhase;
  /** The commit of the last round; null before the first. */
  commit: string | null;
  last: RoundResult | null;
  /** When the last round ended, and when one last did what it should; milliseconds since 1970, null if never. */
  endedAt: number | null;
  wellAt: number | null;
  /** How many rounds have failed since the last that did not. */
  failures: number;
  /** The commit that is not applied again, since it was refused or only a part was written; null if none is. */
  stoppedAt: string | null;
  readonly rounds: Map<RoundResult, number>;
  /** Metrics of the last round, as OpenMetrics text; empty before the first. */
  metrics: string;
}

/** The status before the first round. */
export function newStatus(): WatchStatus {
  return {
    phase: 'starting',
    commit: null,
    last: null,
    endedAt: null,
    wellAt: null,
    failures: 0,
    stoppedAt: null,
    rounds: new Map(),
    metrics: '',
  };
}

/** After so many failed rounds in a row somebody has to look. */
const MANY_FAILURES = 3;

/** Says in a line how a watcher is: `isWell` is false if a person has to do something. */
export function healthLine(status: WatchStatus): { readonly isWell: boolean; readonly text: string } {
  const { phase, last, commit, failures, stoppedAt } = status;
  if (stoppedAt !== null) {
    return { isWell: false, text: `stopped at commit ${stoppedAt}: it is not applied again` };
  }
  if (failures >= MANY_FAILURES) {
    return { isWell: false, text: `the last ${failures} rounds have failed` };
  }
  const round = last === null ? 'no round yet' : `last round: ${last}, at commit ${commit ?? 'unknown'}`;
  return { isWell: true, text: `${phase}, ${round}` };
}

/** Returns the metrics of a watcher, and those of its last round, as OpenMetrics text. */
export function watchMetrics(status: WatchStatus): string {
  const own: readonly MetricFamily[] = [
    {
      name: 'rulewright_watch_rounds',
      type: 'counter',
      help: 'Rounds by result.',
      samples: [...status.rounds].map(([result, value]) => ({ labels: { result }, value })),
    },
    gauge('rulewright_watch_leader', 'Whether it holds the lease.', Number(status.phase !== 'standing-by')),
    gauge(
      'rulewright_watch_stopped',
      'Whether it applies nothing until the branch has a new commit.',
      Number(status.stoppedAt !== null),
    ),
    gauge('rulewright_watch_failures', 'Failed rounds since the last good one.', status.failures),
    {
      ...gauge(
        'rulewright_watch_well_timestamp_seconds',
        'When a round last did what it should.',
        (status.wellAt ?? 0) / 1000,
      ),
      unit: 'seconds',
    },
  ];
  const text = openMetricsText(own);
  return status.metrics === '' ? text : `${text.replace(/# EOF\n$/u, '')}${status.metrics}`;
}

function gauge(name: string, help: string, value: number): MetricFamily & { readonly type: 'gauge' } {
  return { name, type: 'gauge', help, samples: [{ labels: {}, value }] };
}
