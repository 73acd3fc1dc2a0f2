import { openReadClient } from '../api/index.ts';
import type { LogFormat, Plan, ReplayDocument, Shard } from '../model/index.ts';
import { beginningOf, networkProblem, replay, replayShard } from '../traffic/index.ts';
import type { NetworkTexts, ReplayedLogs, ReplayOptions, ReplayShard } from '../traffic/index.ts';
import type { OnEvent } from './run/events.ts';
import { usage } from './run/usage-error.ts';
import { withService } from './service/open-service.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { findLogs } from './traffic/find-logs.ts';
import { readReplayZones } from './traffic/zones-to-replay.ts';

/** Which requests are replayed, and what is told of them. */
export interface TrafficChoice {
  readonly cwd: string;
  /** Opens the standard input. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Paths and patterns of logs; `-` is the standard input. */
  readonly logs: readonly string[];
  readonly format: LogFormat | null;
  readonly networks: NetworkTexts;
  readonly showAddresses: boolean;
  readonly sampled: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How a replay reaches the service. */
interface ReplayRun {
  readonly service: ServiceOptions;
  readonly report: OnEvent;
}

/** Throws `usage/…` for logs that no file is, so that nothing is read of the service for them. */
export async function requireLogs({
  cwd,
  input,
  logs,
}: Pick<TrafficChoice, 'cwd' | 'input' | 'logs'>): Promise<void> {
  await findLogs({ cwd, input }, logs);
}

/**
 * Sends recorded requests through the rules as they are live, and as a plan leaves them. Reads the rules of its zones; no client exists that could
 * write. Throws `usage/…`, and `replay/…` for logs that cannot be read, or a plan that live has left behind.
 */
export async function replayPlan(
  plan: Plan,
  traffic: TrafficChoice,
  run: ReplayRun,
): Promise<ReplayDocument> {
  const { logs, options } = await prepared(plan, traffic, run);
  return replay(logs, options);
}

/** Does so with the requests of a shard, and returns what it counted. Throws as `replayPlan` does. */
export async function replayPlanShard(
  plan: Plan,
  traffic: TrafficChoice,
  run: ReplayRun & { readonly shard: Shard },
): Promise<ReplayShard> {
  const { logs, options } = await prepared(plan, traffic, run);
  return replayShard(logs, options, run.shard);
}

async function prepared(
  plan: Plan,
  traffic: TrafficChoice,
  { service: options, report }: ReplayRun,
): Promise<{ readonly logs: ReplayedLogs; readonly options: ReplayOptions }> {
  const { cwd, input, format, networks, showAddresses, sampled, signal } = traffic;
  const problem = networkProblem(networks);
  if (problem !== undefined) {
    throw usage(problem, 'write an address or a network, such as --known office=203.0.113.0/24');
  }
  const logs = await findLogs({ cwd, input }, traffic.logs);
  const from = await beginningOf(logs, format);
  const zones = await withService({ options, open: openReadClient, report }, (service) =>
    readReplayZones(plan, { service, concurrency: options.concurrency, report, from }),
  );
  const named = plan.scopes.filter(({ scope }) => scope.kind === 'zone');
  const hostless = named.length === 1 ? (named[0]?.scope.name ?? null) : null;
  return {
    logs: { logs, format, plan: plan.digest, signal },
    options: { zones, hostless, networks, showAddresses, sampled },
  };
}
