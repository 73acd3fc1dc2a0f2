import { openReadClient, openWriteClient } from '../api/client.ts';
import { deleteRulesetVersion } from '../api/ruleset-writes.ts';
import { listVersions } from '../api/rulesets.ts';
import type { LiveRulesetHead } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { hideInVersion } from '../plan/hide-in-version.ts';
import type { Report } from './events.ts';
import type { FoundRuleset } from './find-ruleset.ts';
import type { RulesetChoice } from './ruleset-choice.ts';
import { readVersion, requireOurs, rulesToday, withRuleset } from './ruleset-choice.ts';
import type { ServiceOptions } from './service-options.ts';

/** The versions of a ruleset that still exist, oldest first; the last is the one in force. */
export interface VersionList {
  readonly scope: Scope;
  readonly ruleset: LiveRulesetHead;
  readonly versions: readonly LiveRulesetHead[];
}

/** Lists the versions of a ruleset. */
export function listRulesetVersions(
  choice: RulesetChoice,
  options: ServiceOptions,
  report: Report,
): Promise<VersionList> {
  return withRuleset(choice, { options, open: openReadClient, report }, async ({ scope, live }, client) => {
    const { rules: _rules, ...ruleset } = live;
    return { scope, ruleset, versions: await listVersions(client, scope, live.id) };
  });
}

/** Reads one version of a ruleset with its rules. */
export function showRulesetVersion(
  choice: RulesetChoice & { readonly version: string },
  options: ServiceOptions,
  report: Report,
): Promise<FoundRuleset> {
  return withRuleset(choice, { options, open: openReadClient, report }, async (found, client) => ({
    scope: found.scope,
    live: hideInVersion(await readVersion(client, found, choice.version), rulesToday(choice, found), 'show'),
  }));
}

/** Deletes one version of a ruleset; its rules are gone for good. */
export function removeRulesetVersion(
  choice: RulesetChoice & { readonly version: string },
  options: ServiceOptions,
  report: Report,
): Promise<FoundRuleset> {
  return withRuleset(choice, { options, open: openWriteClient, report }, async (found, client) => {
    requireOurs(found.live);
    await deleteRulesetVersion(client, found.scope, found.live.id, choice.version);
    return found;
  });
}
