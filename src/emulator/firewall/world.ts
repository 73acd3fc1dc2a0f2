import { zoneOf } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import type { Answer } from '../protocol/answer.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Zone } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { checkEndedFamily } from '../zone-objects/access.ts';
import { customRulesView } from './custom-rules-view.ts';
import { saveCustomRules } from './custom-rules-write.ts';
import type { FirewallList } from '../records/firewall-rule.ts';
import { oldQuota } from '../zone-objects/quota.ts';
import { readRecords, saveRecords } from './records.ts';

/** Which of the two worlds of api.md 9.3 a zone lives in. */
export function worldOf(zone: Zone): 'one_list' | 'two_lists' {
  return zone.firewall?.rules ?? 'one_list';
}

/** A zone's old rules and filters, whichever world it lives in. */
export function readFirewall(store: Store, zone: Zone): FirewallList {
  return worldOf(zone) === 'one_list' ? customRulesView(store, zone) : readRecords(store, zone);
}

/** An operation on the old rules and filters of the zone that a call is about. */
export function inFirewall(
  access: Access,
  operation: (call: ScopedCall, list: FirewallList) => Answer,
): (call: ScopedCall) => Answer {
  return (call) => {
    checkEndedFamily(call, access);
    return operation(call, readFirewall(call.service.store, zoneOf(call)));
  };
}

/** The code of a refusal over the number of rules, in either world (specification 4.2 rule 3; for old rules assumed). */
export const OVER_QUOTA = 50001;

/** Stores a changed list; refuses one that the service does not take. */
export function saveFirewall(call: ScopedCall, before: FirewallList, next: FirewallList): void {
  const zone = zoneOf(call);
  if (worldOf(zone) === 'one_list') {
    saveCustomRules(call, before, next);
    return;
  }
  const max = oldQuota(zone, 'firewall_rules');
  if (next.rules.length > before.rules.length && next.rules.length > max) {
    const message = `exceeded the maximum number of firewall rules: ${next.rules.length} out of ${max}`;
    throw refuse(400, message, { code: OVER_QUOTA });
  }
  saveRecords(call.service.store, zone, next);
}
