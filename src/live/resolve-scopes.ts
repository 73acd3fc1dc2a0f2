import type { ReadClient } from '../api/client.ts';
import type { Page } from '../api/pages.ts';
import { chooserAmong, resolveScope } from '../api/resolve-scope.ts';
import { pageOfScopes } from '../api/scopes.ts';
import { RulewrightError, knownError } from '../model/error.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import { FEWEST_FOR_LISTING, isId, scopeLabel } from '../model/scope.ts';

/** The result of resolving a scope. */
export type Resolution =
  | { readonly kind: 'found'; readonly scope: Scope }
  | { readonly kind: 'failed'; readonly error: RulewrightError };

/**
 * Looks up many scopes with few requests: when the whole list of zones has no more pages than there are
 * zones to find, the list is read instead. The result has one entry for each label (`scopeLabel`).
 */
export async function resolveScopes(
  client: ReadClient,
  refs: readonly ScopeRef[],
): Promise<ReadonlyMap<string, Resolution>> {
  const distinct = new Map(refs.map((ref) => [scopeLabel(ref), ref]));
  const zones = [...distinct.values()].filter(({ kind }) => kind === 'zone');
  const list = zones.length < FEWEST_FOR_LISTING ? [] : await allZones(client, zones.length);
  const inList = among(list);
  const resolutions = new Map<string, Resolution>();
  const others: [string, ScopeRef][] = [];
  for (const [label, ref] of distinct) {
    const listed = inList(ref);
    if (listed === null) {
      others.push([label, ref]);
    } else {
      resolutions.set(label, listed);
    }
  }
  // Those alone, for ten thousand promises that wait for each other outlive young collections.
  const searches = others.map(async ([label, ref]) => {
    resolutions.set(label, await attempt(() => resolveScope(client, ref)));
  });
  await Promise.all(searches);
  return resolutions;
}

/** All zones; none when that takes more than so many requests; the error when it does not work. */
async function allZones(client: ReadClient, mostPages: number): Promise<readonly Scope[] | RulewrightError> {
  try {
    const first = await pageOfScopes(client, 'zone', 1);
    if (first.lastPage > mostPages) {
      return [];
    }
    const { zones: all, lacking } = await otherPages(client, first);
    // What an incomplete list lacks may bear the same name as what it has.
    return lacking === 0 ? all : [];
  } catch (error) {
    return knownError(error);
  }
}

/** So often a list is read whose zones come and go meanwhile. */
const MAX_READINGS = 3;

/** Every zone that the credentials may see, in the order of the service's list. Throws where the list lacks some of them. */
export async function listZones(client: ReadClient): Promise<readonly Scope[]> {
  for (let readings = 1; ; readings += 1) {
    const { zones, lacking } = await otherPages(client, await pageOfScopes(client, 'zone', 1));
    if (lacking === 0) {
      return zones;
    }
    if (readings === MAX_READINGS) {
      throw new RulewrightError(
        `the service speaks of ${zones.length + lacking} zones, but its list has ${zones.length}`,
        {
          code: 'api/unexpected-answer',
          fault: 'remote',
          hint: 'run it again; name the zones with --zone if the list stays incomplete',
        },
      );
    }
  }
}

/** Pages that are asked for together: a service that speaks of pages which it does not have is asked for no more than these. */
const WAVE = 16;

async function otherPages(
  client: ReadClient,
  first: Page<Scope>,
): Promise<{ readonly zones: readonly Scope[]; readonly lacking: number }> {
  const pages = [first];
  for (let last = first; pages.length < last.lastPage; last = pages.at(-1) ?? first) {
    const count = Math.min(WAVE, last.lastPage - pages.length);
    const numbers = Array.from({ length: count }, (_, index) => pages.length + index + 1);
    pages.push(...(await Promise.all(numbers.map((number) => pageOfScopes(client, 'zone', number)))));
  }
  // A zone that moves between pages while they are read is seen twice, or not at all.
  const zones = [...new Map(pages.flatMap(({ items }) => items).map((zone) => [zone.id, zone])).values()];
  return { zones, lacking: Math.max(0, (pages.at(-1)?.total ?? 0) - zones.length) };
}

/** Looks zones up in a list by name or id, each in one step; null for what it does not have. Of a list that failed no zone is known. */
function among(list: readonly Scope[] | RulewrightError): (ref: ScopeRef) => Resolution | null {
  if (list instanceof RulewrightError) {
    return ({ kind }) => (kind === 'zone' ? failed(list) : null);
  }
  const choose = chooserAmong(list);
  const byId = new Map(list.map((zone) => [zone.id, zone]));
  return (ref) => {
    if (ref.kind !== 'zone') {
      return null;
    }
    try {
      const scope = isId(ref.name) ? byId.get(ref.name) : choose(ref);
      return scope === undefined || scope === null ? null : { kind: 'found', scope };
    } catch (error) {
      return failed(error);
    }
  };
}

/** An error of the service or of the user as a value. */
export async function attempt(look: () => Promise<Scope>): Promise<Resolution> {
  try {
    return { kind: 'found', scope: await look() };
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Resolution {
  return { kind: 'failed', error: knownError(error) };
}
