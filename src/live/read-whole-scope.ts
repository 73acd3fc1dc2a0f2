import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import { addressOfRuleset } from '../model/ruleset.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import type { AccountLists } from './account-lists.ts';
import { ENTRYPOINT_KIND, readListed } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** Everything that a scope has itself. */
export interface WholeScope {
  readonly scope: Scope;
  /** Its entry points and custom rulesets, in the order of its list. */
  readonly rulesets: readonly LiveRuleset[];
  /** Custom rulesets of a zone's list that may be its account's, because the account's list could not be read. */
  readonly unsure: readonly LiveRulesetHead[];
  /** Heads of everything that its rules can name. */
  readonly catalogue: readonly LiveRulesetHead[];
}

/**
 * Reads all rulesets of a scope: the list, then each that is its own. Rejects when one of them cannot be read: what came of a
 * failed read would look as if there were less.
 */
export async function readWholeScope(
  client: ReadClient,
  scope: Scope,
  accountLists: AccountLists,
): Promise<WholeScope> {
  const listed = await listRulesets(client, scope);
  const entryPoints = listed.filter(({ kind }) => kind === ENTRYPOINT_KIND[scope.kind]);
  const customs = listed.filter(({ kind }) => kind === 'custom');
  const account =
    scope.kind === 'account' || customs.length === 0 ? undefined : await accountLists(scope.accountId);
  const unsure = account?.kind === 'forbidden' ? customs : [];
  const own = customs.filter(
    ({ id }) => account === undefined || (account.kind === 'listed' && !account.ids.has(id)),
  );
  const rulesets = await Promise.all([...entryPoints, ...own].map((head) => readListed(client, scope, head)));
  const managed = listed.filter(({ kind }) => kind === 'managed');
  return { scope, rulesets, unsure, catalogue: [...managed, ...own] };
}

/** Keeps what was read, so that the plan of the files that declare it, under this name of the scope, takes no more than a list. */
export async function keepWholeScope(
  cache: RulesetCache,
  { scope, rulesets }: WholeScope,
  declared: ScopeRef,
): Promise<void> {
  await Promise.all(rulesets.map((ruleset) => cache.keep(scope, ruleset)));
  const entries = rulesets.map((ruleset) => ({
    address: addressOfRuleset(ruleset),
    slot: { kind: 'present', ruleset } as const,
  }));
  await cache.note({ scope: declared }, { scope, entries });
}
