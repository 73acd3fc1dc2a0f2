import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import { readByPage } from './pages.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { Place } from './shape.ts';
import { flagOr, objectAt, optionalItems, optionalText, optionalTexts, textMember } from './shape.ts';

const FAMILY = 'firewall/lockdowns';

/** An address that may pass: `ip` or `ip_range`. */
export interface LockdownAddress {
  readonly target: string;
  readonly value: string;
}

/** A zone lockdown: URLs that only some addresses may reach (api.md 9.7). */
export interface ZoneLockdown {
  readonly id: string;
  readonly paused: boolean;
  readonly description: string;
  /** Host and path with `*`. */
  readonly urls: readonly string[];
  readonly configurations: readonly LockdownAddress[];
}

/** A zone lockdown to make or to replace. */
export interface NewZoneLockdown {
  readonly urls: readonly string[];
  readonly configurations: readonly LockdownAddress[];
  readonly description?: string;
  readonly paused?: boolean;
  readonly priority?: number;
}

const decodeOne = decodeSingle(decodeLockdown);

/** All zone lockdowns (api.md 1.3, 9.7). */
export function listZoneLockdowns(client: ReadClient, zoneId: string): Promise<readonly ZoneLockdown[]> {
  return readByPage(client, zoneFamilyPath(zoneId, FAMILY), {
    perPage: 100,
    decode: decodeAll(decodeLockdown),
  });
}

/** One zone lockdown. */
export async function getZoneLockdown(
  client: ReadClient,
  zoneId: string,
  lockdownId: string,
): Promise<ZoneLockdown> {
  return accept(await client.get(zoneObjectPath(zoneId, FAMILY, lockdownId)), decodeOne);
}

/** Makes a zone lockdown. */
export async function createZoneLockdown(
  client: WriteClient,
  zoneId: string,
  lockdown: NewZoneLockdown,
): Promise<ZoneLockdown> {
  const path = zoneFamilyPath(zoneId, FAMILY);
  return accept(await client.send({ method: 'POST', path, body: lockdown }), decodeOne);
}

/** Replaces a zone lockdown. */
export async function updateZoneLockdown(
  client: WriteClient,
  zoneId: string,
  lockdownId: string,
  lockdown: NewZoneLockdown,
): Promise<ZoneLockdown> {
  const path = zoneObjectPath(zoneId, FAMILY, lockdownId);
  return accept(await client.send({ method: 'PUT', path, body: lockdown }), decodeOne);
}

/** Deletes a zone lockdown. */
export async function deleteZoneLockdown(
  client: WriteClient,
  zoneId: string,
  lockdownId: string,
): Promise<void> {
  const path = zoneObjectPath(zoneId, FAMILY, lockdownId);
  accept(await client.send({ method: 'DELETE', path }), decodeDeleted([lockdownId]));
}

function decodeLockdown({ value, pointer }: Place): ZoneLockdown {
  const lockdown = objectAt({ value, pointer });
  return {
    id: textMember(lockdown, 'id', pointer),
    paused: flagOr(lockdown, 'paused', { pointer, standard: false }),
    description: optionalText(lockdown, 'description', pointer) ?? '',
    urls: optionalTexts(lockdown, 'urls', pointer),
    configurations: optionalItems(lockdown, 'configurations', pointer).map(decodeAddress),
  };
}

function decodeAddress(place: Place): LockdownAddress {
  const address = objectAt(place);
  return {
    target: textMember(address, 'target', place.pointer),
    value: textMember(address, 'value', place.pointer),
  };
}
