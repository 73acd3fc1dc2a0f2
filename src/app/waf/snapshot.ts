import { join } from 'node:path';
import type { ReadClient } from '../../api/index.ts';
import {
  getEntrypoint,
  checkWafMigration,
  getWafMigrationConfiguration,
  getWafMigrationStatus,
  wafOverrides,
  listPageRules,
} from '../../api/index.ts';
import type { Scope } from '../../model/index.ts';
import { MANAGED_PHASE } from '../../model/index.ts';
import { writeOutput } from '../project/write-output.ts';
import { readOldSettings, tryRead } from './readings.ts';

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
