import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { checkShape } from '../decode/bounds.ts';
import { object, word } from '../decode/body-shape.ts';
import { ownerCall } from '../call/owner-call.ts';
import { refuse } from '../protocol/refusal.ts';
import type { EmulatedService } from '../call/service.ts';
import type { Zone, ZoneFirewall } from '../records/directory-record.ts';
import { namedIn } from '../store/store.ts';
import type { FirewallList } from '../records/old-records.ts';
import { readRecords, saveRecords } from './firewall-records.ts';
import { worldOf } from './firewall-worlds.ts';
import { customRulesView, executionOrder } from './custom-rules-view.ts';
import { saveCustomRules } from './custom-rules-write.ts';

/** The settings of a zone's old firewall interfaces, in a seed and at the control endpoint. */
export const zoneFirewallShape = object({
  rules: word('one_list', 'two_lists'),
  order: word('list', 'priority'),
  interface: word('open', 'maintenance', 'gone'),
});

/**
 * Changes how the old firewall interfaces of a zone (by id or name) behave. Going from two lists to one converts the
 * old rules, as the service itself did; going back keeps the custom rules and starts without old rules. A change that
 * is not possible is refused as a whole.
 */
export function setZoneFirewall(service: EmulatedService, name: string, wish: unknown): ZoneFirewall {
  const { store } = service;
  const zone = namedIn(store.zones, name);
  const account = store.accounts.get(zone?.account ?? '');
  if (zone === undefined || account === undefined) {
    throw refuse(404, `there is no zone ${name}`);
  }
  checkShape(zoneFirewallShape, wish);
  const firewall = { ...zone.firewall, ...wish };
  const next: Zone = { ...zone, firewall };
  store.transact(() => {
    store.zones.set(zone.id, next);
    changeWorld(zone, ownerCall(service, next));
  });
  return firewall;
}

function changeWorld(before: Zone, call: ScopedCall): void {
  const zone = zoneOf(call);
  if (worldOf(before) === worldOf(zone)) {
    return;
  }
  if (worldOf(zone) === 'one_list') {
    convertFirewallRules(call);
  } else {
    const { store } = call.service;
    saveRecords(store, zone, { ...readRecords(store, zone), rules: [] });
  }
}

/**
 * Converts the old rules of a zone into custom rules, as the service itself did: in execution order, before the
 * existing custom rules (assumed), keeping their ids in the old interface. Refuses when that exceeds the limit of the
 * plan (api.md 9.3). The zone of the call is the zone after the conversion, with one list.
 */
function convertFirewallRules(call: ScopedCall): void {
  const { store } = call.service;
  const zone = zoneOf(call);
  const old = readRecords(store, zone);
  const present = customRulesView(store, zone);
  const next: FirewallList = {
    rules: [...executionOrder(old.rules, zone.firewall?.order ?? 'list'), ...present.rules],
    filters: present.filters,
  };
  // With the same list before and after, no rule counts as new, so priorities move nothing.
  saveCustomRules(call, next, next);
}
