import type { AccountLists } from './account-lists.ts';
import type { CustomRulesets } from './custom-rulesets.ts';
import { ambiguous, customRuleset, customRulesetsFor } from './custom-rulesets.ts';
import type { EntriesReading, EntryReading } from './entries-reading.ts';
import { absentAt, presentAt, settleAll } from './entries-reading.ts';
import { entrypointsIn, readKept, readUnlisted } from './read-ruleset.ts';
import { readReferringRulesets } from './read-referring-rulesets.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { readUndeclared } from './undeclared.ts';
import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import type { DeclaredScope } from '../model/state.ts';

/**
 * Reads the list of a scope, then by id each declared ruleset that the list shows and the cache does not have. The absence of an entry
 * point is proven by its own GET.
 */
export async function readByList(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly desired: DeclaredScope;
    readonly accountLists: AccountLists;
    readonly cache: RulesetCache;
  },
): Promise<EntriesReading> {
  const { desired, accountLists, cache } = about;
  const listed = await listRulesets(client, scope);
  const customs = await customRulesetsFor(scope, desired, { listed, accountLists });
  const read = (address: RulesetAddress): Promise<EntryReading> =>
    readEntry(client, scope, { address, listed, customs, cache });
  const [declared, undeclared] = await Promise.all([
    settleAll(desired.rulesets.map(({ address }) => read(address))),
    readUndeclared(scope, desired, { listed, customs, read }),
  ]);
  const values = [...declared.values, ...undeclared.values];
  const entries = values.map(({ entry }) => entry);
  const own = customs.kind === 'own' ? customs.heads : [];
  const users = await readReferringRulesets(client, scope, { desired, entries, listed, own, cache });
  return {
    entries,
    catalogue: [...listed.filter(({ kind }) => kind === 'managed'), ...customs.heads],
    users: users.values,
    unseen: undeclared.unseen,
    undeclared: undeclared.left,
    errors: [...declared.errors, ...undeclared.errors, ...users.errors],
    asked: values.some(({ asked }) => asked),
  };
}

async function readEntry(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly address: RulesetAddress;
    readonly listed: readonly LiveRulesetHead[];
    readonly customs: CustomRulesets;
    readonly cache: RulesetCache;
  },
): Promise<EntryReading> {
  const { address, listed, customs, cache } = about;
  const head =
    address.kind === 'custom'
      ? customRuleset(scope, customs, address)
      : entrypointHead(scope, listed, address.phase);
  if (head !== null) {
    const { ruleset, asked } = await readKept(client, scope, { head, cache });
    return { entry: presentAt(address, ruleset), asked };
  }
  if (address.kind === 'custom' || (await cache.knowsAbsent(scope, address.phase, listed))) {
    return { entry: absentAt(address), asked: false };
  }
  const ruleset = await readUnlisted(client, scope, address.phase);
  if (ruleset === null) {
    await cache.keepAbsent(scope, address.phase, listed);
    return { entry: absentAt(address), asked: true };
  }
  return { entry: presentAt(address, ruleset), asked: true };
}

function entrypointHead(
  scope: Scope,
  listed: readonly LiveRulesetHead[],
  phase: string,
): LiveRulesetHead | null {
  const [head, ...others] = entrypointsIn(scope, listed).filter((candidate) => candidate.phase === phase);
  if (head !== undefined && others.length > 0) {
    throw ambiguous(`${scopeLabel(scope)}: entry point of phase ${phase}`, [head, ...others]);
  }
  return head ?? null;
}
