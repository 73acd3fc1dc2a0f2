import type { ReadClient } from '../api/index.ts';
import { listRulesets } from '../api/index.ts';
import type { LiveRuleset, LiveRulesetHead, Scope, ScopeRef } from '../model/index.ts';
import { addressOfRuleset } from '../model/index.ts';
import type { AccountLists } from './read-live-lists.ts';
import { ownCustomRulesets } from './custom-rulesets.ts';
import { presentAt, entrypointsIn, readListed } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** The rulesets that belong to a scope. */
export interface WholeScope {
  readonly scope: Scope;
  /** Its entry points and custom rulesets, in the order of its list. */
  readonly rulesets: readonly LiveRuleset[];
  /** Custom rulesets in a zone's list that may belong to its account, because the account's list could not be read. */
  readonly unsure: readonly LiveRulesetHead[];
  /** Heads of all rulesets that the scope's rules can name. */
  readonly catalogue: readonly LiveRulesetHead[];
}

/**
 * Reads all rulesets of a scope: its list, then each ruleset that is its own. Rejects when one cannot be read, because without it the scope
 * would seem to contain less.
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

/** Caches the rulesets, so that planning the files that declare them, under this name of the scope, takes no request but the list. */
export async function keepWholeScope(
  cache: RulesetCache,
  { scope, rulesets }: WholeScope,
  declared: ScopeRef,
): Promise<void> {
  await Promise.all(rulesets.map((ruleset) => cache.keep(scope, ruleset)));
  const entries = rulesets.map((ruleset) => presentAt(addressOfRuleset(ruleset), ruleset));
  await cache.note({ scope: declared }, { scope, entries });
}
