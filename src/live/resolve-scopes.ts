import type { ReadClient, Page } from '../api/index.ts';
import { chooserAmong, resolveScope, pageOfScopes } from '../api/index.ts';
import { RulewrightError, knownError, FEWEST_FOR_LISTING, isId, scopeLabel } from '../model/index.ts';
import type { Scope, ScopeRef } from '../model/index.ts';
import { counted } from '../text/index.ts';

/** The result of resolving a scope. */
export type Resolution =
  | { readonly kind: 'found'; readonly scope: Scope }
  | { readonly kind: 'failed'; readonly error: RulewrightError };

/**
 * Resolves many scopes with few requests: when the whole list of zones has no more pages than there are zones to find, the list is read
 * instead. The result has one entry per label (`scopeLabel`).
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
  // Only scopes that the list did not resolve get a promise: ten thousand pending promises would outlive young-generation garbage
  // collections.
  const searches = others.map(async ([label, ref]) => {
    resolutions.set(label, await attempt(() => resolveScope(client, ref)));
  });
  await Promise.all(searches);
  return resolutions;
}

/** Reads all zones; none when that takes more than `mostPages` requests, or when the list is incomplete; the error when it fails. */
async function allZones(client: ReadClient, mostPages: number): Promise<readonly Scope[] | RulewrightError> {
  try {
    const first = await pageOfScopes(client, 'zone', 1);
    if (first.lastPage > mostPages) {
      return [];
    }
    const { zones: all, lacking } = await otherPages(client, first);
    // A zone that an incomplete list lacks may have the same name as one that it has.
    return lacking === 0 ? all : [];
  } catch (error) {
    return knownError(error);
  }
}

/** How often the list of zones is read when zones come and go meanwhile. */
const MAX_READINGS = 3;

/** Lists every zone that the credentials may see, in the order of the service. Throws when the list stays incomplete. */
export async function listZones(client: ReadClient): Promise<readonly Scope[]> {
  for (let readings = 1; ; readings += 1) {
    const { zones, lacking } = await otherPages(client, await pageOfScopes(client, 'zone', 1));
    if (lacking === 0) {
      return zones;
    }
    if (readings === MAX_READINGS) {
      throw new RulewrightError(
        `the service speaks of ${counted(zones.length + lacking, 'zone')}, but its list has ${zones.length}`,
        {
          code: 'api/unexpected-answer',
          fault: 'remote',
          hint: 'run it again; name the zones with --zone if the list stays incomplete',
        },
      );
    }
  }
}

/** The number of pages that are requested together. A service that claims pages which it does not have is asked for no more than these. */
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
  // A zone that moves between pages while they are read comes twice, or not at all.
  const zones = [...new Map(pages.flatMap(({ items }) => items).map((zone) => [zone.id, zone])).values()];
  return { zones, lacking: Math.max(0, (pages.at(-1)?.total ?? 0) - zones.length) };
}

/**
 * Returns a function that looks up zones in a list by name or id in constant time; null for a zone that is not in it. When the list is an
 * error, every zone fails with it.
 */
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

/** Returns the scope that `look` resolves, or as a value an error of the service or of the user. */
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
