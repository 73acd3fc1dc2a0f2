import { join } from 'node:path';
import type { ReadClient } from '../../api/index.ts';
import { firewallRules, wafOverrides } from '../legacy-objects.ts';
import { RulewrightError } from '../../model/index.ts';
import type { Scope } from '../../model/index.ts';
import { getEntrypoint, isServiceError } from '../../api/index.ts';
import { writeOutput, eachZone } from '../../app/index.ts';
import type { OnEvent, ChosenZones, ServiceOptions } from '../../app/index.ts';
import { listPageRules } from '../page-rules/page-rule.ts';
import {
  listWafGroups,
  listWafPackages,
  listWafRules,
  checkWafMigration,
  getWafMigrationConfiguration,
  getWafMigrationStatus,
} from './waf-requests.ts';
import type { OldPackage, OldSettings } from './waf-settings.ts';
import type { OldOverride, WafOverrideView, WafStanding } from './waf-migration.ts';
import { MANAGED_PHASE } from './waf-migration.ts';

/** The context of reads that may fail. What cannot be read is noted in `notChecked` and is null, never "empty". */
export interface Looking {
  readonly client: ReadClient;
  readonly scope: Scope;
  readonly notChecked: string[];
}

/** Reads one part of a zone; null, with a note, if that fails. */
export async function tryRead<Value>(
  { notChecked }: Looking,
  what: string,
  read: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RulewrightError) || error.fault === 'bug' || error.code === 'api/aborted') {
      throw error;
    }
    notChecked.push(`${what}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`);
    return null;
  }
}

/** Reads the URI-based overrides of a zone; null if that fails. */
export async function readOverrides(looking: Looking): Promise<readonly WafOverrideView[] | null> {
  const { client, scope } = looking;
  const found = await tryRead(looking, 'URI-based overrides', () => wafOverrides.list(client, scope.id));
  return found?.map(overrideView) ?? null;
}

/** Returns an override as it is shown to people. */
function overrideView({ id, description, urls, groups, rules, paused }: OldOverride): WafOverrideView {
  return { id, description, urls, actions: { ...groups, ...rules }, paused };
}

/** Reads the expressions of the active firewall rules that bypass the managed rules; null if that fails. */
export async function readBypasses(looking: Looking): Promise<readonly string[] | null> {
  const { client, scope } = looking;
  const found = await tryRead(looking, 'firewall rules', () => firewallRules.list(client, scope.id));
  return (
    found?.flatMap(({ action, products, paused, filter }) =>
      action === 'bypass' && products.includes('waf') && !paused && filter.kind === 'filter' && !filter.paused
        ? [filter.expression]
        : [],
    ) ?? null
  );
}

/** Reads the settings of a zone's old WAF. */
export async function readOldSettings(looking: Looking): Promise<OldSettings> {
  const { client, scope } = looking;
  const packages = await tryRead(looking, 'settings of the old WAF', async () => {
    const read: OldPackage[] = [];
    for (const each of await listWafPackages(client, scope.id)) {
      const at = { zoneId: scope.id, packageId: each.id };
      const groups = await listWafGroups(client, at);
      const rules = await listWafRules(client, at);
      read.push({
        name: each.name,
        anomaly: each.detectionMode === 'anomaly',
        sensitivity: each.sensitivity,
        actionMode: each.actionMode,
        groupsOff: groups.filter(({ mode }) => mode === 'off').map(({ name }) => name),
        groupsModified: groups
          .filter(({ modifiedRulesCount }) => modifiedRulesCount > 0)
          .map(({ name }) => name),
        rules: rules
          .filter(({ defaultMode, mode }) => defaultMode !== null && mode !== 'default')
          .map(({ id, mode }) => `${id} ${mode}`),
      });
    }
    return read;
  });
  const pageRules = await tryRead(looking, 'page rules', () => listPageRules(client, scope.id));
  return {
    packages,
    bypasses: await readBypasses(looking),
    pageRules:
      pageRules
        ?.filter(({ active }) => active)
        .flatMap(({ urls, actions }) => {
          const says = actions.flatMap(({ id, value }) =>
            id === 'disable_security'
              ? ['disable security']
              : id === 'waf'
                ? [`WAF ${value === 'off' ? 'off' : 'on'}`]
                : [],
          );
          return says.length === 0 ? [] : [{ urls, says: says.join(', ') }];
        }) ?? null,
  };
}

/** Where a snapshot goes. */
export interface SnapshotPlace {
  /** The folder of the project. */
  readonly folder: string;
  /** The time for the file name, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Saves everything about a zone's WAF that the migration removes, before anything is written, in a JSON file of its own: the time in
 * its name keeps it from being overwritten. Parts that cannot be read are named in it, except the state and the entry point, without
 * which it throws. Returns its path in the folder.
 */
export async function writeSnapshot(
  client: ReadClient,
  scope: Scope,
  { folder, now }: SnapshotPlace,
): Promise<string> {
  const looking = { client, scope, notChecked: [] };
  const at = new Date(now).toISOString();
  const snapshot = {
    kind: 'waf-snapshot',
    formatVersion: 1,
    at,
    scope,
    status: await getWafMigrationStatus(client, scope.id),
    entrypoint: await getEntrypoint(client, scope, MANAGED_PHASE),
    check: await tryRead(looking, 'check', () => checkWafMigration(client, scope.id)),
    configuration: await tryRead(looking, 'configuration', () =>
      getWafMigrationConfiguration(client, scope.id),
    ),
    oldWaf: await readOldSettings(looking),
    overrides: await tryRead(looking, 'overrides', () => wafOverrides.list(client, scope.id)),
    pageRules: await tryRead(looking, 'page rules', () => listPageRules(client, scope.id)),
    notRead: looking.notChecked,
  };
  const name = `${scope.name}-${at.replaceAll('.', '-')}.json`.replaceAll(/[^\w.-]/gu, '-');
  const path = join('.rulewright', 'waf', name);
  await writeOutput({ cwd: folder, path }, `${JSON.stringify(snapshot, null, 2)}\n`);
  return path;
}

/** Reads how far zones are in the WAF migration. */
export function wafStandings(
  zones: ChosenZones,
  options: ServiceOptions,
  report: OnEvent,
): Promise<readonly WafStanding[]> {
  return eachZone(zones, { options, report }, standingOf);
}

/** Reads how far a zone is in the WAF migration. Zones of the Free level have none: the service fails for them (api.md 10.1). */
export async function standingOf(client: ReadClient, scope: Scope): Promise<WafStanding> {
  try {
    return { kind: 'known', scope, status: await getWafMigrationStatus(client, scope.id) };
  } catch (error) {
    if (scope.plan === 'free' && (isServiceError(error, 404) || isServiceError(error, 403))) {
      return { kind: 'none', scope };
    }
    throw error;
  }
}
