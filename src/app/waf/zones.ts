import pLimit from 'p-limit';
import type { ReadClient } from '../../api/client.ts';
import { openReadClient } from '../../api/client.ts';
import { isServiceError } from '../../api/service-error.ts';
import { getWafMigrationStatus } from '../../api/waf-migration.ts';
import { RulewrightError } from '../../model/error.ts';
import type { Scope, ScopeRef } from '../../model/scope.ts';
import type { WafStanding, WafStatus } from '../../model/waf-migration.ts';
import type { Report } from '../events.ts';
import { openService } from '../service/open-service.ts';
import { reachScope } from '../service/reach-scope.ts';
import { planError } from '../planning/plan-error.ts';
import type { Guards } from '../project/project-guards.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** Zones of which the migration is looked at. */
export interface WafZones {
  /** The zones of the project where none is named. */
  readonly zones: readonly ScopeRef[];
  readonly guards: Guards;
}

/** What an error becomes that concerns one zone alone. */
type Failed = Extract<WafStanding, { readonly kind: 'failed' }>;

/** Works on zones side by side, each with its own token; a zone that fails fails alone. */
export async function eachZone<Value>(
  { zones, guards }: WafZones,
  { options, report }: { readonly options: ServiceOptions; readonly report: Report },
  work: (client: ReadClient, scope: Scope) => Promise<Value>,
): Promise<readonly (Value | Failed)[]> {
  const wanted = zones.length > 0 ? zones : guards.scopes.map(({ scope }) => scope).filter(isZone);
  if (wanted.length === 0) {
    throw new RulewrightError('no zone is named, and the project has none', {
      code: 'usage/no-zone',
      fault: 'user',
      hint: 'name zones: rulewright waf status shop.example',
    });
  }
  const service = await openService(options, openReadClient, report);
  const clientFor = (tokenEnv: string | undefined): ReadClient => service.client(tokenEnv);
  const limit = pLimit(options.concurrency);
  try {
    return await Promise.all(
      wanted.map((ref) =>
        limit(async (): Promise<Value | Failed> => {
          try {
            const { client, scope } = await reachScope(clientFor, guards.scopes, ref);
            return await work(client, scope);
          } catch (error) {
            options.signal?.throwIfAborted();
            return { kind: 'failed', scope: ref, error: planError([known(error)]) };
          }
        }),
      ),
    );
  } finally {
    await service.close();
  }
}

/** Reads where zones stand. */
export function wafStandings(
  zones: WafZones,
  options: ServiceOptions,
  report: Report,
): Promise<readonly WafStanding[]> {
  return eachZone(zones, { options, report }, standingOf);
}

/** Where a zone stands. Zones of the Free level have no migration: there the service fails (api.md 10.1). */
export async function standingOf(client: ReadClient, scope: Scope): Promise<WafStanding> {
  try {
    return { kind: 'known', scope, status: await readStatus(client, scope) };
  } catch (error) {
    if (scope.plan === 'free' && (isServiceError(error, 404) || isServiceError(error, 403))) {
      return { kind: 'none', scope };
    }
    throw error;
  }
}

/** What a zone's WAF is doing. */
export async function readStatus(client: ReadClient, scope: Scope): Promise<WafStatus> {
  const { oldWaf, newWaf, state } = await getWafMigrationStatus(client, scope.id);
  return { oldWaf, newWaf, state };
}

function isZone({ kind }: ScopeRef): boolean {
  return kind === 'zone';
}

function known(error: unknown): RulewrightError {
  if (error instanceof RulewrightError) {
    return error;
  }
  throw error;
}
