import { openReadClient } from '../api/index.ts';
import type { LogFormat, Plan, ReplayDocument } from '../model/index.ts';
import { networkProblem, replay } from '../traffic/index.ts';
import type { NetworkTexts } from '../traffic/index.ts';
import type { OnEvent } from './run/events.ts';
import { usage } from './run/usage.ts';
import { withService } from './service/open-service.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { findLogs } from './traffic/find-logs.ts';
import { readReplayZones } from './traffic/read-zones.ts';

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

/**
 * Sends recorded requests through the rules as they are live, and as a plan leaves them. Reads the rules of its zones; no client exists that could
 * write. Throws `usage/…`, and `replay/…` for logs that cannot be read, or a plan that live has left behind.
 */
export async function replayPlan(
  plan: Plan,
  traffic: TrafficChoice,
  { service: options, report }: { readonly service: ServiceOptions; readonly report: OnEvent },
): Promise<ReplayDocument> {
  const { cwd, input, format, networks, showAddresses, sampled, signal } = traffic;
  const problem = networkProblem(networks);
  if (problem !== undefined) {
    throw usage(problem, 'write an address or a network, such as --known office=203.0.113.0/24');
  }
  const logs = await findLogs({ cwd, input }, traffic.logs);
  const zones = await withService({ options, open: openReadClient, report }, (service) =>
    readReplayZones(plan, { service, concurrency: options.concurrency, report }),
  );
  const named = plan.scopes.filter(({ scope }) => scope.kind === 'zone');
  const hostless = named.length === 1 ? (named[0]?.scope.name ?? null) : null;
  return replay(
    { logs, format, plan: plan.digest, signal },
    { zones, hostless, networks, showAddresses, sampled },
  );
}
