import type { ReadClient, ServiceError } from '../../api/index.ts';
import { openReadClient, orElse, hasStatus, isServiceError } from '../../api/index.ts';
import { readListItems } from '../../live/index.ts';
import { RulewrightError, redactionsInAll, planLevelOf, shownWay, zoneName } from '../../model/index.ts';
import type { Redactions, Scope, DesiredScope, LiveRuleset, OldRules } from '../../model/index.ts';
import { newFieldsFor } from '../../simulate/index.ts';
import type { SimulatedScope } from '../../simulate/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { Extension } from '../run/extension.ts';
import { withService } from '../service/open-service.ts';
import type { Reached } from '../service/reach-scope.ts';
import { isUnseen, reachScope } from '../service/reach-scope.ts';
import { readGuards } from '../project/project-guards.ts';
import type { Selection } from '../project/selection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { usage } from '../run/usage-error.ts';
import { listNames, readBoth, simulated } from './live-scopes.ts';
import { explainedWay, hostOf, scenarioOf, zonesOfHost } from './explain-request.ts';
import type { ExplainOptions, ExplainResult } from './explain-request.ts';

/**
 * Traces one request through all rules that the service has for a zone and its account, whoever made them; the files only tell which
 * token reads the zone. Throws `usage/…` for options that do not fit the request.
 */
export async function explainLive(
  selection: Selection,
  options: ExplainOptions,
  { service: serviceOptions, report }: { readonly service: ServiceOptions; readonly report: OnEvent },
): Promise<ExplainResult> {
  const read = await readGuards(selection, serviceOptions.today);
  if (read.kind === 'invalid') {
    return read;
  }
  return withService({ options: serviceOptions, open: openReadClient, report }, async (service) => {
    const declared = read.guards.scopes.filter(({ scope }) => scope.kind === 'zone');
    const names = options.zone === undefined ? zonesOfHost(hostOf(options.request.url)) : [options.zone];
    const name = declaredAs(names, declared) ?? options.zone;
    const reach: ReachZone = (zone) =>
      reachScope((tokenEnv) => service.client(tokenEnv), declared, { kind: 'zone', name: zone });
    const { client, scope: zone } = await (name === undefined ? findZone(reach, names) : reach(name));
    const { above, own } = await readBoth(client, zone);
    const scopes = [...(above === undefined ? [] : [above]), own].map(simulated);
    const scenario = scenarioOf(options, zone.name, {
      newFields: newFieldsFor(options.fields.keys(), scopes),
      timeZone: read.guards.timeZone,
    });
    const { items: lists } = await readListItems(client, zone.accountId, listNames(scopes));
    const old = await readOldRules(serviceOptions.extension, { client, zone, rulesets: own.rulesets });
    const way = explainedWay(scopes, {
      name: zoneName(zone).bare,
      plan: options.plan ?? planLevelOf(zone.plan),
      source: 'live',
      lists: { ...lists, ...options.lists },
      scenario,
      old,
    });
    const shown = shownWay(way, redactionsOf(scopes));
    return { kind: 'explained', zone: zone.name, way: shown, diagnostics: [], sources: new Map() };
  });
}

type ReachZone = (zone: string) => Promise<Reached<ReadClient>>;

/** Reaches the zone with the longest name that a host can belong to. */
async function findZone(reach: ReachZone, candidates: readonly string[]): Promise<Reached<ReadClient>> {
  let refused: unknown;
  // No zone is a top-level domain.
  for (const candidate of candidates.filter((host) => host.includes('.'))) {
    try {
      return await reach(candidate);
    } catch (error) {
      if (!isUnseen(error)) {
        throw error;
      }
      refused ??= isUnknown(error) ? undefined : error;
    }
  }
  throw refused ?? usage('no zone that the credentials can see has this host', 'name it with --zone');
}

/** Whether the credentials may look the zone up, and it does not exist. */
function isUnknown(error: unknown): boolean {
  return error instanceof RulewrightError && error.code === 'api/unknown-scope';
}

/** Returns what looks like a secret in the rules. */
function redactionsOf(scopes: readonly SimulatedScope[]): Redactions {
  const rules = scopes.flatMap(({ rulesets }) =>
    rulesets.flatMap(({ address, rules: own }) => own.map((rule) => [address.phase, rule.content] as const)),
  );
  return redactionsInAll(rules);
}

/** Returns what the files call the first of these zones that they declare; undefined if they declare none. */
function declaredAs(names: readonly string[], declared: readonly DesiredScope[]): string | undefined {
  return names
    .flatMap((name) => declared.filter(({ scope }) => scope.name === name || zoneName(scope).bare === name))
    .map(({ scope }) => scope.name)[0];
}

/**
 * Reads which rules outside of rulesets act on requests to a zone, with one request for each kind. What cannot be read is listed as `unread`; that does
 * not fail the rest.
 */
async function readOldRules(
  extension: Extension | undefined,
  {
    client,
    zone,
    rulesets,
  }: { readonly client: ReadClient; readonly zone: Scope; readonly rulesets: readonly LiveRuleset[] },
): Promise<readonly OldRules[]> {
  const states = await Promise.all(
    (extension?.ruleSources ?? []).map(({ old, inForce }) => stateOf(old, inForce(client, zone, rulesets))),
  );
  return states.flat();
}

async function stateOf(old: OldRules['old'], inForce: Promise<boolean>): Promise<readonly OldRules[]> {
  const state = await orElse(
    inForce.then((yes): OldRules['state'] | 'none' => (yes ? 'in-force' : 'none')),
    // If the interface is gone, or the zone's plan lacks it, nothing of it is in force.
    (error) => (hasStatus(error, 404, 410) ? 'none' : 'unread'),
    isAnswered,
  );
  return state === 'none' ? [] : [{ old, state }];
}

/** Whether a request failed, and not because the run ends. */
function isAnswered(error: unknown): error is ServiceError {
  return isServiceError(error) && error.code !== 'api/aborted';
}
