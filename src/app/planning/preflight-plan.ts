import type {
  AnalyticsClient,
  Closable,
  DryRunClient,
  ReadClient,
  ConnectionOptions,
} from '../../api/index.ts';
import { openDryRunClient, openReadClient } from '../../api/index.ts';
import { preflight } from '../../apply/index.ts';
import type { Plan, Preflight } from '../../model/index.ts';
import { changingScopes } from '../../model/index.ts';
import type { WriteStrategy } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Clients that can only read and have writes checked. */
export interface CheckingClients {
  readonly client: ReadClient & AnalyticsClient;
  readonly check: DryRunClient;
}

/** Opens clients that cannot write. */
export function openCheckingClients(options: ConnectionOptions): CheckingClients & Closable {
  const client = openReadClient(options);
  const check = openDryRunClient(options);
  return {
    client,
    check,
    close: async () => {
      await Promise.all([client.close(), check.close()]);
    },
  };
}

/** The plan to check, and the strategy that would write it. */
export interface PreflightPlanOptions {
  readonly plan: Plan;
  readonly service: ServiceOptions;
  readonly writes: WriteStrategy;
}

/** Has the service check the writes of a plan without making any; no client exists that could write. */
export async function preflightPlan(options: PreflightPlanOptions, report: OnEvent): Promise<Preflight> {
  const { plan, writes: strategy } = options;
  return withService({ options: options.service, open: openCheckingClients, report }, async (service) => {
    const { preflight: result } = await preflight({
      scopes: changingScopes(plan.scopes).map((scope) => ({
        plan: scope,
        ...service.client(scope.tokenEnv),
      })),
      strategy,
      concurrency: options.service.concurrency,
      signal: options.service.signal,
    });
    report({ kind: 'preflight', preflight: result });
    return result;
  });
}
