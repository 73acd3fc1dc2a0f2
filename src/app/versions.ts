import type { Closable, ReadClient } from '../api/client.ts';
import { openReadClient, openWriteClient } from '../api/client.ts';
import type { ConnectionOptions } from '../api/connection.ts';
import { deleteRulesetVersion } from '../api/ruleset-writes.ts';
import { getVersion, listRulesets, listVersions } from '../api/rulesets.ts';
import { isNotFound } from '../api/service-error.ts';
import { createManagedRulesets } from '../live/managed-rulesets.ts';
import { RulewrightError } from '../model/error.ts';
import type { Plan } from '../model/plan.ts';
import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import type { DesiredScope } from '../model/state.ts';
import { guardScope } from '../plan/guard/guard-scope.ts';
import { hideInVersion } from '../plan/hide-in-version.ts';
import type { RuleToday } from '../plan/hide-in-version.ts';
import { makePlan } from '../plan/make-plan.ts';
import { planRollback } from '../plan/rollback.ts';
import type { Report } from './events.ts';
import { explainPlan } from './explain-plan.ts';
import { openService } from './open-service.ts';
import type { Guards } from './project-guards.ts';
import type { FoundRuleset } from './find-ruleset.ts';
import { findRuleset } from './find-ruleset.ts';
import type { RulesetName } from './ruleset-name.ts';
import type { ServiceOptions } from './service-options.ts';

/** Which ruleset of which scope. */
export interface RulesetChoice {
  readonly scope: ScopeRef;
  readonly ruleset: RulesetName;
  readonly guards: Guards;
}

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

/** The plan that gives a ruleset the rules of an earlier version again. Writes nothing. */
export function rollbackPlan(
  choice: RulesetChoice & { readonly version: string },
  options: ServiceOptions,
  report: Report,
): Promise<Plan> {
  const tokenEnv = tokenEnvOf(choice);
  return withRuleset(choice, { options, open: openReadClient, report }, async (found, client, identity) => {
    const { scope, live } = found;
    requireOurs(live);
    const read = await readVersion(client, found, choice.version);
    const version = hideInVersion(read, rulesToday(choice, found), 'restore');
    const listed = await listRulesets(client, scope);
    const catalogue = listed.filter(({ kind }) => kind === 'managed');
    const plan = planRollback({ scope, live, version, catalogue });
    if (plan.kind === 'failed') {
      return makePlan(identity, [plan]);
    }
    const { safety, today } = choice.guards;
    const guarded = guardScope({ ...plan, ...(tokenEnv === undefined ? {} : { tokenEnv }) }, safety, today);
    const managed = createManagedRulesets();
    return makePlan(identity, [await explainPlan(guarded, { client, managed, catalogue })]);
  });
}

interface Opening<Client> {
  readonly options: ServiceOptions;
  readonly open: (options: ConnectionOptions) => Client & Closable;
  readonly report: Report;
}

async function withRuleset<Client extends ReadClient, Answer>(
  choice: RulesetChoice,
  { options, open, report }: Opening<Client>,
  use: (found: FoundRuleset, client: Client, identity: string) => Promise<Answer>,
): Promise<Answer> {
  const service = await openService(options, open, report);
  try {
    const client = service.client(tokenEnvOf(choice));
    return await use(await findRuleset(client, choice.scope, choice.ruleset), client, service.identity);
  } finally {
    await service.close();
  }
}

/** The token of the scope where the files say one. */
function tokenEnvOf(choice: RulesetChoice): string | undefined {
  return declaredScope(choice)?.tokenEnv;
}

function declaredScope({ scope, guards }: RulesetChoice): DesiredScope | undefined {
  return guards.scopes.find((one) => one.scope.kind === scope.kind && one.scope.name === scope.name);
}

/** Where live and the files have sensitive values. */
function rulesToday(choice: RulesetChoice, { live }: FoundRuleset): readonly RuleToday[] {
  const rulesets = declaredScope(choice)?.rulesets.filter(({ address }) => address.phase === live.phase);
  return [...live.rules, ...(rulesets ?? []).flatMap(({ rules }) => rules)];
}

async function readVersion(
  client: ReadClient,
  { scope, live }: FoundRuleset,
  version: string,
): Promise<LiveRuleset> {
  try {
    return await getVersion(client, scope, live.id, version);
  } catch (error) {
    if (isNotFound(error)) {
      const known = await listVersions(client, scope, live.id);
      throw new RulewrightError(`the ruleset ${live.id} has no version ${version}`, {
        code: 'versions/no-version',
        fault: 'user',
        hint: `there are ${known.map((one) => one.version).join(', ')}`,
        cause: error,
      });
    }
    throw error;
  }
}

function requireOurs({ id, kind }: LiveRuleset): void {
  if (kind === 'managed') {
    throw new RulewrightError(`the ruleset ${id} is the vendor's and cannot be changed`, {
      code: 'versions/managed',
      fault: 'user',
    });
  }
}
