import { zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory-record.ts';
import type { Store } from '../store/store.ts';
import { checkEndedFamily } from '../call/old-interfaces.ts';
import type { FirewallList } from '../records/old-records.ts';
import { customRulesView } from './custom-rules-view.ts';
import { saveCustomRules } from './custom-rules-write.ts';
import { readRecords, saveRecords } from './firewall-records.ts';

/** Returns which of the two worlds of api.md 9.3 a zone is in. */
export function worldOf(zone: Zone): 'one_list' | 'two_lists' {
  return zone.firewall?.rules ?? 'one_list';
}

/** Returns a zone's old rules and filters, whichever world the zone is in. */
export function readFirewall(store: Store, zone: Zone): FirewallList {
  return worldOf(zone) === 'one_list' ? customRulesView(store, zone) : readRecords(store, zone);
}

/** Makes the handler of an operation on a zone's old rules and filters; checks the access first. */
export function inFirewall(
  access: Access,
  operation: (call: ScopedCall, list: FirewallList) => Answer,
): (call: ScopedCall) => Answer {
  return (call) => {
    checkEndedFamily(call, access);
    return operation(call, readFirewall(call.service.store, zoneOf(call)));
  };
}

/** The code of a refusal for too many rules, in both worlds (specification 4.2 rule 3; assumed for old rules). */
export const OVER_QUOTA = 50001;

/** The most old firewall rules of a zone, by plan (api.md 8.1). */
const MOST_RULES = { free: 5, pro: 20, business: 100, enterprise: 1000 } as const;

/** Stores a changed list; refuses one that the service would not accept. */
export function saveFirewall(call: ScopedCall, before: FirewallList, next: FirewallList): void {
  const zone = zoneOf(call);
  if (worldOf(zone) === 'one_list') {
    saveCustomRules(call, before, next);
    return;
  }
  const max = MOST_RULES[zone.plan];
  if (next.rules.length > before.rules.length && next.rules.length > max) {
    const message = `exceeded the maximum number of firewall rules: ${next.rules.length} out of ${max}`;
    throw refuse(400, message, { code: OVER_QUOTA });
  }
  saveRecords(call.service.store, zone, next);
}
