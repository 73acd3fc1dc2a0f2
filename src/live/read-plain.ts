import type { ReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import type { EntrypointAddress } from '../model/plain-entrypoints.ts';
import { plainEntrypoints } from '../model/plain-entrypoints.ts';
import { namesRulesets } from '../model/ruleset-references.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, LiveEntry } from '../model/state.ts';
import type { SettledReads, EntriesReading } from './entries-reading.ts';
import { absentAt, presentAt, settleAll } from './entries-reading.ts';
import { readUnlisted } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';
import { NO_CACHE } from './ruleset-cache.ts';

/**
 * Returns the entry points to read without the scope's list, because the list would be one more request: always when the files declare only
 * a single one; for several when next to nothing is cached. Null when the list is needed, or saves requests.
 */
export async function entrypointsToRead(
  desired: DeclaredScope,
  cache: RulesetCache,
): Promise<readonly EntrypointAddress[] | null> {
  const addresses = plainEntrypoints(desired);
  if (addresses === null || addresses.length === 1) {
    return addresses;
  }
  const foreseen = await cache.estimateRequests(desired);
  return foreseen === null || foreseen >= addresses.length ? addresses : null;
}

/**
 * Reads each entry point by its phase: one request tells which ruleset it has, or that it has none. The list is read afterwards if a rule
 * names another ruleset. Null when the first of several reads fails: reading the list then shows with a single request whether the whole
 * scope fails.
 */
export async function readPlain(
  client: ReadClient,
  scope: Scope,
  about: { readonly addresses: readonly EntrypointAddress[]; readonly cache: RulesetCache },
): Promise<EntriesReading | null> {
  const { addresses } = about;
  // A single entry point is read in every run, so there is no use in caching it.
  const several = addresses.length > 1;
  const cache = several ? about.cache : NO_CACHE;
  const read = (part: readonly EntrypointAddress[]): Promise<SettledReads<LiveEntry>> =>
    settleAll(part.map((address) => readOne(client, scope, { address, cache })));
  const first = await read(addresses.slice(0, 1));
  if (several && first.errors.length > 0) {
    // A service that refuses requests because of its rate limit would refuse the list, too.
    const isLimited = first.errors.some(({ code }) => code === 'api/rate-limited');
    return isLimited ? { entries: [], catalogue: [], errors: first.errors, asked: false } : null;
  }
  const others = await read(addresses.slice(1));
  const entries = [...first.values, ...others.values];
  const errors = [...first.errors, ...others.errors];
  const named = entries.some(({ slot }) => slot.kind === 'present' && namesRulesets(slot.ruleset.rules));
  const listed = named ? await listRulesets(client, scope) : [];
  const catalogue = listed.filter(({ kind }) => kind === 'managed' || kind === 'custom');
  return { entries, catalogue, errors, asked: several && entries.length > 0 };
}

async function readOne(
  client: ReadClient,
  scope: Scope,
  { address, cache }: { readonly address: EntrypointAddress; readonly cache: RulesetCache },
): Promise<LiveEntry> {
  const ruleset = await readUnlisted(client, scope, address.phase);
  if (ruleset === null) {
    await cache.keepAbsent(scope, address.phase, null);
    return absentAt(address);
  }
  await cache.keep(scope, ruleset);
  return presentAt(address, ruleset);
}
