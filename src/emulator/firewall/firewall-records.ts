import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import type { FirewallList } from '../records/old-records.ts';

/** Returns a zone's stored records of rules and filters; with two lists, they are the old rules and filters themselves. */
export function readRecords(store: Store, zone: Zone): FirewallList {
  return { rules: store.firewallRules.group(zone.id), filters: store.filters.group(zone.id) };
}

/** Replaces the stored records of a zone: new records are added at the end, missing ones are deleted. */
export function saveRecords(store: Store, zone: Zone, next: FirewallList): void {
  save(store.firewallRules, zone, next.rules);
  save(store.filters, zone, next.filters);
}

interface FirewallRecords<T> {
  group(name: string): readonly T[];
  set(key: string, record: T): void;
  delete(key: string): void;
}

function save<T extends { readonly id: string }>(
  table: FirewallRecords<T>,
  zone: Zone,
  next: readonly T[],
): void {
  const before = new Map(table.group(zone.id).map((record) => [record.id, record]));
  const kept = new Set(next.map(({ id }) => id));
  for (const id of before.keys()) {
    if (!kept.has(id)) {
      table.delete(id);
    }
  }
  for (const record of next) {
    if (before.get(record.id) !== record) {
      table.set(record.id, record);
    }
  }
}
