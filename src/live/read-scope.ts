import type { AccountLists } from './account-lists.ts';
import { createAccountLists } from './account-lists.ts';
import type { CustomRulesets } from './custom-rulesets.ts';
import { ambiguous, bears, customRuleset, ownCustomRulesets, unknownOwner } from './custom-rulesets.ts';
import { readAlone } from './read-alone.ts';
import { ENTRYPOINT_KIND, readListed, readUnlisted } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { NO_CACHE } from './ruleset-cache.ts';
import type { ReadClient } from '../api/client.ts';
import { resolveScope } from '../api/resolve-scope.ts';
import { listRulesets } from '../api/rulesets.ts';
import { RulewrightError } from '../model/error.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import type { DeclaredScope, DesiredScope, LiveEntry, LiveScope } from '../model/state.ts';

/** What is known already when one of many scopes is read. */
export interface ReadScopeOptions {
  readonly scope?: Scope;
  readonly accountLists?: AccountLists;
  /** What was read before; nothing unless given. */
  readonly cache?: RulesetCache;
}

/** What came of reading a scope; its errors in the order of declaration, at least one. */
export type ScopeReading<Desired = DesiredScope> =
  | { readonly kind: 'read'; readonly desired: Desired; readonly live: LiveScope }
  | { readonly kind: 'failed'; readonly desired: Desired; readonly errors: readonly RulewrightError[] };

/**
 * Reads what the desired side of a scope needs (design: planning, step 1): the list first, then each
 * declared ruleset that the list shows, by id; that an entry point is absent is proven by its own GET. Of a
 * scope with a single entry point only that is read (`readAlone`).
 * Rejects with the first error of `tryReadScope`; a failed read is never an empty ruleset.
 */
export async function readScope(
  client: ReadClient,
  desired: DeclaredScope,
  options: ReadScopeOptions = {},
): Promise<LiveScope> {
  const reading = await tryReadScope(client, desired, options);
  if (reading.kind === 'read') {
    return reading.live;
  }
  throw reading.errors[0] ?? new TypeError('a failed reading has an error');
}

/** As `readScope`, with all that went wrong as a value. Rejects only for bugs. */
export async function tryReadScope<Desired extends DeclaredScope>(
  client: ReadClient,
  desired: Desired,
  options: ReadScopeOptions = {},
): Promise<ScopeReading<Desired>> {
  try {
    const scope = options.scope ?? (await resolveScope(client, desired.scope));
    const { cache = NO_CACHE } = options;
    const alone = await readAlone(client, scope, desired);
    if (alone !== null) {
      return { kind: 'read', desired, live: { scope, entries: [alone], catalogue: [] } };
    }
    const listed = await listRulesets(client, scope);
    const accountLists = options.accountLists ?? createAccountLists(client);
    const customs = await ownCustomRulesets(scope, { listed, desired, accountLists });
    const undeclared = undeclaredHeads(desired, customs);
    const ours = customs.kind === 'own' ? addressesOf(undeclared) : [];
    const addresses = [...desired.rulesets.map(({ address }) => address), ...ours];
    const reads = await Promise.allSettled(
      addresses.map((address) => readEntry(client, scope, { address, listed, customs, cache })),
    );
    const errors = [
      ...reads.flatMap((read) => (read.status === 'rejected' ? [expected(read.reason)] : [])),
      ...(customs.kind === 'unsure' && undeclared.length > 0 ? [unknownOwner(scope, undeclared)] : []),
    ];
    if (errors.length > 0) {
      return { kind: 'failed', desired, errors };
    }
    const ended = reads.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []));
    const entries = ended.map(({ entry }) => entry);
    const catalogue = [...listed.filter(({ kind }) => kind === 'managed'), ...customs.heads];
    const live = { scope, entries, catalogue };
    if (ended.some(({ asked }) => asked)) {
      await cache.note(desired, live);
    }
    return { kind: 'read', desired, live };
  } catch (error) {
    return { kind: 'failed', desired, errors: [expected(error)] };
  }
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
    const kept = await cache.find(scope, head);
    const ruleset = kept ?? (await readListed(client, scope, head));
    if (kept === null) {
      await cache.keep(scope, ruleset);
    }
    return { entry: present(address, ruleset), asked: kept === null };
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

/** Bugs go on as they are. */
function expected(error: unknown): RulewrightError {
  if (error instanceof RulewrightError) {
    return error;
  }
  throw error;
}
