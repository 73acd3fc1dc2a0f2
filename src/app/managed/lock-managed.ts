import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { openReadClient, resolveScope, getRuleset, listRulesets } from '../../api/index.ts';
import type { LoadResult } from '../../config/index.ts';
import type { LiveRuleset, Scope, DesiredScope, LockReport } from '../../model/index.ts';
import { executedReference } from '../../model/index.ts';
import type { Deployment } from '../../plan/index.ts';
import { deploymentsOf, makeLock } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import { load } from '../project/load.ts';
import { withService } from '../service/open-service.ts';
import type { Selection } from '../project/selection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { writeLock } from './lock-on-disk.ts';

/** A deployment, and where its managed ruleset can be read. */
interface Reachable {
  readonly deployment: Deployment;
  readonly client: ReadClient;
  readonly scope: Scope;
}

/**
 * Writes the lock file of a project: the managed rules that the overrides of its files match now. One failed read fails everything,
 * since a lock without a scope would make the rules of that scope look new.
 */
export async function lockManaged(
  selection: Selection,
  options: ServiceOptions,
  report: OnEvent,
): Promise<LockReport | Extract<LoadResult, { readonly kind: 'invalid' }>> {
  const loaded = await load(selection);
  if (loaded.kind === 'invalid') {
    return loaded;
  }
  const limit = pLimit(options.concurrency);
  return withService({ options, open: openReadClient, report }, async (service) => {
    const executing = loaded.project.scopes.filter((desired) => executes(desired));
    const found = await limit.map(executing, (desired) =>
      reachable(service.client(desired.tokenEnv), desired),
    );
    const all = found.flat();
    // The vendor's rulesets are the same in every scope.
    const places = new Map(all.map((one) => [one.deployment.managed.id, one]));
    const managed = await limit.map(
      places,
      async ([id, { client, scope }]): Promise<[string, LiveRuleset]> => [
        id,
        await getRuleset(client, scope, id),
      ],
    );
    const deployments = all.map(({ deployment }) => deployment);
    const lock = makeLock(deployments, new Map(managed));
    return { kind: 'locked', lock, written: await writeLock(loaded.project.root, lock) };
  });
}

function executes({ rulesets }: DesiredScope): boolean {
  return rulesets.some(({ rules }) => rules.some(({ content }) => executedReference(content) !== undefined));
}

async function reachable(client: ReadClient, desired: DesiredScope): Promise<readonly Reachable[]> {
  const scope = await resolveScope(client, desired.scope);
  const catalogue = await listRulesets(client, scope);
  return deploymentsOf(desired, { scope, catalogue }).map((deployment) => ({ deployment, client, scope }));
}
