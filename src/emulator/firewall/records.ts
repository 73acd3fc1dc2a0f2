import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import type { FirewallList } from '../records/firewall-rule.ts';

/** A zone's records of rules and filters as they are stored; in the world of two lists they are the list. */
export function readRecords(store: Store, zone: Zone): FirewallList {
  return { rules: store.firewallRules.group(zone.id), filters: store.filters.group(zone.id) };
}

/** Makes the stored records of a zone these: what is new goes to the end, what is missing goes away. */
export function saveRecords(store: Store, zone: Zone, next: FirewallList): void {
  save(store.firewallRules, zone, next.rules);
  save(store.filters, zone, next.filters);
}

interface Records<T> {
  group(name: string): readonly T[];
  set(key: string, record: T): void;
  delete(key: string): void;
}

function save<T extends { readonly id: string }>(table: Records<T>, zone: Zone, next: readonly T[]): void {
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
