import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { LiveRuleset, LiveRulesetHead } from '../model/ruleset.ts';
import { addressOfRuleset } from '../model/ruleset.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import type { AccountLists } from './account-lists.ts';
import { ownCustomRulesets } from './custom-rulesets.ts';
import { presentAt } from './entries-reading.ts';
import { entrypointsIn, readListed } from './read-ruleset.ts';
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
 * Reads all rulesets of a scope: the list, then each that is its own. Rejects when one of them cannot be read: the result of a
 * failed read would look as if there were less.
 */
export async function readWholeScope(
  client: ReadClient,
  scope: Scope,
  accountLists: AccountLists,
): Promise<WholeScope> {
  const listed = await listRulesets(client, scope);
  const customs = await ownCustomRulesets(scope, listed, accountLists);
  const [own, unsure] = customs.kind === 'own' ? [customs.heads, []] : [[], customs.heads];
  const rulesets = await Promise.all(
    [...entrypointsIn(scope, listed), ...own].map((head) => readListed(client, scope, head)),
  );
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
  const entries = rulesets.map((ruleset) => presentAt(addressOfRuleset(ruleset), ruleset));
  await cache.note({ scope: declared }, { scope, entries });
}
