import { dirname } from 'node:path';
import { readKeptFile, writeKeptFile } from './kept-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { isJsonObject } from '../model/json.ts';

/** When scopes were read last, or could not be; by label, in milliseconds. */
export type SeenScopes = ReadonlyMap<string, number>;

/** As much as a file about a million scopes has. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What a file says about the scopes of a service; nothing when there is none or it makes no sense. What it says about times after `now`
 * makes none: a machine whose clock was ahead would put a scope behind all others for years.
 */
export async function readSeen(file: string, service: string, now: number): Promise<SeenScopes> {
  const services = await readServices(file);
  return new Map([...(services.get(service) ?? [])].filter(([, at]) => at <= now));
}

/** Adds scopes to a file, beside what runs side by side have put there. Rejects when it cannot be written. */
export async function markSeen(file: string, service: string, seen: SeenScopes): Promise<void> {
  const services = await readServices(file);
  const known = services.get(service) ?? new Map<string, number>();
  const merged = new Map([...known, ...seen]);
  const all = new Map([...services, [service, merged] as const]);
  const written = Object.fromEntries([...all].map(([name, scopes]) => [name, Object.fromEntries(scopes)]));
  await makeFolder(dirname(file), 0o700);
  await writeKeptFile(file, `${JSON.stringify({ formatVersion: 1, services: written })}\n`);
}

/** The items whose scope was not read for longest first; those never read before all others. */
export function leastRecentlySeen<Item>(
  items: readonly Item[],
  seen: SeenScopes,
  label: (item: Item) => string,
): readonly Item[] {
  const at = (item: Item): number => seen.get(label(item)) ?? 0;
  return [...items].sort((a, b) => at(a) - at(b));
}

async function readServices(file: string): Promise<ReadonlyMap<string, SeenScopes>> {
  const text = await readKeptFile(file, MOST_BYTES).then(String, () => '');
  const services = new Map<string, SeenScopes>();
  const content = parsed(text);
  if (isJsonObject(content) && content['formatVersion'] === 1 && isJsonObject(content['services'])) {
    for (const [service, scopes] of Object.entries(content['services'])) {
      const entries = isJsonObject(scopes) ? Object.entries(scopes) : [];
      services.set(
        service,
        new Map(entries.flatMap(([name, at]) => (typeof at === 'number' ? [[name, at]] : []))),
      );
    }
  }
  return services;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
