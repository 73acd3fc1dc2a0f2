import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { openReadClient } from '../../api/index.ts';
import { listZones } from '../../live/index.ts';
import {
  declaredScopesOf,
  RulewrightError,
  knownError,
  nameInAccount,
  scopeLabel,
} from '../../model/index.ts';
import { groupBy } from '../../data/index.ts';
import type { FailedScope, Scope, ScopeRef, DesiredScope } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import { planError } from './plan-error.ts';
import { withService } from './open-service.ts';
import { reachScope } from './reach-scope.ts';
import type { ServiceOptions } from './service-options.ts';

/** The zones that a command works on. */
export interface ChosenZones {
  /** The named zones; if empty, the zones of the project. */
  readonly zones: readonly ScopeRef[];
  /** Whether to take every zone that the default credentials can see instead. */
  readonly allZones?: boolean;
  /** The scopes of the project, which name their tokens. */
  readonly scopes: readonly DesiredScope[];
}

/** A zone, and the client that it is reached with. */
interface ReachedZone {
  readonly scope: Scope;
  readonly client: ReadClient;
}

type ReachOneZone = () => Promise<ReachedZone>;

/** What a use case that asks the service is given. */
interface ZoneContext {
  readonly options: ServiceOptions;
  readonly report: OnEvent;
}

/** Works on zones side by side, each with its own token; a zone that fails fails alone. Throws `usage/no-zone` if there is none. */
export async function eachZone<Value>(
  chosen: ChosenZones,
  context: ZoneContext,
  work: (client: ReadClient, scope: Scope) => Promise<Value>,
): Promise<readonly (Value | FailedScope)[]> {
  return withService({ ...context, open: openReadClient }, async (service) => {
    const zones = await reachable(chosen, (tokenEnv) => service.client(tokenEnv));
    return zonesSideBySide(
      zones.map(([ref, reach]) => ({
        ref,
        work: async () => {
          const { client, scope } = await reach();
          return work(client, scope);
        },
      })),
      context,
    );
  });
}

/** Works on zones side by side, and reports how many are done; a zone that fails fails alone. Throws when the run is interrupted. */
export async function zonesSideBySide<Value>(
  zones: readonly { readonly ref: ScopeRef; readonly work: () => Promise<Value> }[],
  { options, report }: ZoneContext,
): Promise<readonly (Value | FailedScope)[]> {
  let done = 0;
  report({ kind: 'scopes', total: zones.length });
  const tell = (scope: ScopeRef, { ok }: { readonly ok: boolean }): void => {
    done += 1;
    report({ kind: 'scope-read', scope: scopeLabel(scope), ok, done, total: zones.length });
  };
  return pLimit(options.concurrency).map([...zones], async ({ ref, work }): Promise<Value | FailedScope> => {
    try {
      const value = await work();
      tell(ref, { ok: true });
      return value;
    } catch (error) {
      options.signal?.throwIfAborted();
      const failed = failedZone(ref, error);
      tell(ref, { ok: false });
      return failed;
    }
  });
}

/** Returns a zone that failed, with the reason. Throws an error that is a bug. */
export function failedZone(scope: ScopeRef, error: unknown): FailedScope {
  return { kind: 'failed', scope, error: planError([knownError(error)]) };
}

/** Returns the chosen zones, and how to reach each. */
async function reachable(
  { zones, allZones = false, scopes }: ChosenZones,
  clientFor: (tokenEnv: string | undefined) => ReadClient,
): Promise<readonly (readonly [ScopeRef, ReachOneZone])[]> {
  if (allZones) {
    const all = toldApart(await listZones(clientFor(undefined)));
    return all.map((scope) => {
      const [declared] = declaredScopesOf(scopes, scope);
      return [scope, () => Promise.resolve({ scope, client: clientFor(declared?.tokenEnv) })];
    });
  }
  const wanted = zones.length > 0 ? zones : scopes.map(({ scope }) => scope).filter(isZone);
  if (wanted.length === 0) {
    throw new RulewrightError('no zone is named, and the project has none', {
      code: 'usage/no-zone',
      fault: 'user',
      hint: 'name zones after the command, such as shop.example, or use --all-zones; rulewright import takes zones into the project',
    });
  }
  return wanted.map((ref) => [ref, () => reachScope(clientFor, scopes, ref)]);
}

/** Adds the account to the names of zones that share a name, in the form that commands take. */
function toldApart(zones: readonly Scope[]): readonly Scope[] {
  const bearers = groupBy(zones, ({ name }) => name);
  return zones.map((zone) =>
    (bearers.get(zone.name)?.length ?? 0) > 1 ? { ...zone, name: nameInAccount(zone) } : zone,
  );
}

function isZone({ kind }: ScopeRef): boolean {
  return kind === 'zone';
}
