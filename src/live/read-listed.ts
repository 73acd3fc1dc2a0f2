import type { AccountLists } from './account-lists.ts';
import type { CustomRulesets } from './custom-rulesets.ts';
import { ambiguous, bears, customRuleset, ownCustomRulesets, unknownOwner } from './custom-rulesets.ts';
import type { EntriesReading } from './entries-reading.ts';
import { ended } from './entries-reading.ts';
import { ENTRYPOINT_KIND, readKept, readUnlisted } from './read-ruleset.ts';
import { readUsers } from './read-users.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import type { DeclaredScope, LiveEntry } from '../model/state.ts';

/**
 * Reads the list of a scope, then each declared ruleset that it shows and the cache does not know, by id; that an entry point is
 * absent is proven by its own GET.
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
  const customs = await ownCustomRulesets(scope, { listed, desired, accountLists });
  const undeclared = undeclaredHeads(desired, customs);
  const ours = customs.kind === 'own' ? addressesOf(undeclared) : [];
  const addresses = [...desired.rulesets.map(({ address }) => address), ...ours];
  const { values, errors } = await ended(
    addresses.map((address) => readEntry(client, scope, { address, listed, customs, cache })),
  );
  const unsure = customs.kind === 'unsure' && undeclared.length > 0;
  const entries = values.map(({ entry }) => entry);
  const own = customs.kind === 'own' ? customs.heads : [];
  const users = await readUsers(client, scope, { desired, entries, listed, own, cache });
  return {
    entries,
    catalogue: [...listed.filter(({ kind }) => kind === 'managed'), ...customs.heads],
    users: users.values,
    errors: [...errors, ...users.errors, ...(unsure ? [unknownOwner(scope, undeclared)] : [])],
    asked: values.some(({ asked }) => asked),
  };
}

/** Custom rulesets that are to go if they are the scope's own, because its files own all of those. */
function undeclaredHeads(desired: DeclaredScope, customs: CustomRulesets): readonly LiveRulesetHead[] {
  if (desired.rulesetOwnership !== 'all') {
    return [];
  }
  const declared = desired.rulesets.flatMap(({ address }) => (address.kind === 'custom' ? [address] : []));
  return customs.heads.filter((head) => !declared.some((address) => bears(head, address)));
}

function addressesOf(heads: readonly LiveRulesetHead[]): readonly RulesetAddress[] {
  const found = heads.map(({ phase, name }) => ({ kind: 'custom' as const, phase, name }));
  return found.filter(
    (address, index) =>
      found.findIndex(({ phase, name }) => phase === address.phase && name === address.name) === index,
  );
}

/** What stands in a place, and whether the service was asked for it. */
interface EntryReading {
  readonly entry: LiveEntry;
  readonly asked: boolean;
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
    return { entry: present(address, ruleset), asked };
  }
  if (address.kind === 'custom' || (await cache.knowsAbsent(scope, address.phase, listed))) {
    return { entry: absent(address), asked: false };
  }
  const ruleset = await readUnlisted(client, scope, address.phase);
  if (ruleset === null) {
    await cache.keepAbsent(scope, address.phase, listed);
    return { entry: absent(address), asked: true };
  }
  return { entry: present(address, ruleset), asked: true };
}

function entrypointHead(
  scope: Scope,
  listed: readonly LiveRulesetHead[],
  phase: string,
): LiveRulesetHead | null {
  const [head, ...others] = listed.filter(
    (candidate) => candidate.kind === ENTRYPOINT_KIND[scope.kind] && candidate.phase === phase,
  );
  if (head !== undefined && others.length > 0) {
    throw ambiguous(`${scopeLabel(scope)}: entry point of phase ${phase}`, [head, ...others]);
  }
  return head ?? null;
}

function absent(address: RulesetAddress): LiveEntry {
  return { address, slot: { kind: 'absent' } };
}

function present(address: RulesetAddress, ruleset: LiveRuleset): LiveEntry {
  return { address, slot: { kind: 'present', ruleset } };
}
