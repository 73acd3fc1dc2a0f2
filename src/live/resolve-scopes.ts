import type { ReadClient } from '../api/client.ts';
import type { Page } from '../api/pages.ts';
import { chooserAmong, resolveScope } from '../api/resolve-scope.ts';
import { pageOfZones } from '../api/zones.ts';
import { RulewrightError } from '../model/error.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import { isId, scopeLabel } from '../model/scope.ts';

/** What came of looking a scope up. */
export type Resolution =
  | { readonly kind: 'found'; readonly scope: Scope }
  | { readonly kind: 'failed'; readonly error: RulewrightError };

/** Below this many zones a look-up each costs less than a first page that may turn out useless. */
const FEWEST_FOR_LISTING = 4;

/**
 * Looks up many scopes with few requests: when the whole list of zones has no more pages than there are
 * zones to find, the list is read instead. The result has one entry for each label (`scopeLabel`).
 */
export async function resolveScopes(
  client: ReadClient,
  refs: readonly ScopeRef[],
): Promise<ReadonlyMap<string, Resolution>> {
  const distinct = [...new Map(refs.map((ref) => [scopeLabel(ref), ref])).values()];
  const zones = distinct.filter(({ kind }) => kind === 'zone');
  const list = zones.length < FEWEST_FOR_LISTING ? [] : await allZones(client, zones.length);
  const inList = among(list instanceof RulewrightError ? [] : list);
  const resolutions = distinct.map(async (ref): Promise<[string, Resolution]> => [
    scopeLabel(ref),
    list instanceof RulewrightError && ref.kind === 'zone'
      ? { kind: 'failed', error: list }
      : await attempt(async () => inList(ref) ?? (await resolveScope(client, ref))),
  ]);
  return new Map(await Promise.all(resolutions));
}

/** All zones; none when that takes more than so many requests; the error when it does not work. */
async function allZones(client: ReadClient, mostPages: number): Promise<readonly Scope[] | RulewrightError> {
  try {
    const first = await pageOfZones(client, 1);
    if (first.lastPage > mostPages) {
      return [];
    }
    return await otherPages(client, first);
  } catch (error) {
    if (error instanceof RulewrightError) {
      return error;
    }
    throw error;
  }
}

/** Every zone that the credentials may see, in the order of the service's list. */
export async function listZones(client: ReadClient): Promise<readonly Scope[]> {
  return otherPages(client, await pageOfZones(client, 1));
}

async function otherPages(client: ReadClient, first: Page<Scope>): Promise<readonly Scope[]> {
  const numbers = Array.from({ length: Math.max(0, first.lastPage - 1) }, (_, index) => index + 2);
  const others = await Promise.all(numbers.map((number) => pageOfZones(client, number)));
  const zones = [first, ...others].flatMap(({ items }) => items);
  // A zone that moves between pages while they are read is seen twice.
  return [...new Map(zones.map((zone) => [zone.id, zone])).values()];
}

/** Looks zones up in a list by name or id, each in one step. */
function among(list: readonly Scope[]): (ref: ScopeRef) => Scope | null {
  const choose = chooserAmong(list);
  const byId = new Map(list.map((zone) => [zone.id, zone]));
  return (ref) => {
    if (ref.kind !== 'zone') {
      return null;
    }
    return isId(ref.name) ? (byId.get(ref.name) ?? null) : choose(ref);
  };
}

/** An error of the service or of the user as a value. */
export async function attempt(look: () => Promise<Scope>): Promise<Resolution> {
  try {
    return { kind: 'found', scope: await look() };
  } catch (error) {
    if (error instanceof RulewrightError) {
      return { kind: 'failed', error };
    }
    throw error;
  }
}
