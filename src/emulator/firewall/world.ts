import type { ScopedCall } from '../call.ts';
import type { Answer } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import type { Zone } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { zoneOf } from '../zone-objects.ts';
import { endedFamilyProblem } from './access.ts';
import { customRulesView } from './custom-rules-view.ts';
import { saveCustomRules } from './custom-rules-write.ts';
import { tooManyFirewallRules } from './errors.ts';
import type { FirewallList } from './firewall-rule.ts';
import { oldQuota } from './quota.ts';
import { readRecords, saveRecords } from './records.ts';

/** Which of the two worlds of api.md 9.3 a zone lives in. */
export function worldOf(zone: Zone): 'one_list' | 'two_lists' {
  return zone.firewall?.rules ?? 'one_list';
}

/** A zone's old rules and filters, whichever world it lives in. */
export function readFirewall(store: Store, zone: Zone): FirewallList {
  return worldOf(zone) === 'one_list' ? customRulesView(store, zone) : readRecords(store, zone);
}

/** The old rules and filters of the zone that a call is about, or the refusal of a call that may not have them. */
function openFirewall(call: ScopedCall, access: 'Read' | 'Write'): FirewallList | Refusal {
  return endedFamilyProblem(call, access) ?? readFirewall(call.service.store, zoneOf(call));
}

/** An operation on them. */
export function inFirewall(
  access: 'Read' | 'Write',
  operation: (call: ScopedCall, list: FirewallList) => Answer | Refusal,
): (call: ScopedCall) => Answer | Refusal {
  return (call) => {
    const list = openFirewall(call, access);
    return isRefusal(list) ? list : operation(call, list);
  };
}

/** Stores a changed list; gives the refusal of one that the service does not take, and stores nothing then. */
export function saveFirewall(
  call: ScopedCall,
  before: FirewallList,
  next: FirewallList,
): Refusal | undefined {
  const zone = zoneOf(call);
  if (worldOf(zone) === 'one_list') {
    return saveCustomRules(call, before, next);
  }
  const max = oldQuota(zone, 'firewall_rules');
  if (next.rules.length > before.rules.length && next.rules.length > max) {
    return tooManyFirewallRules(next.rules.length, max);
  }
  saveRecords(call.service.store, zone, next);
  return undefined;
}
