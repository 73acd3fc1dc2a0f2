import type { ReadClient } from '../../api/index.ts';
import {
  firewallRules,
  wafOverrides,
  listPageRules,
  listWafGroups,
  listWafPackages,
  listWafRules,
} from '../../api/index.ts';
import type { OldPackage, OldSettings } from '../../migrate/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { Scope, OldOverride, WafOverrideView } from '../../model/index.ts';

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
