import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { customRulesView } from './custom-rules-view.ts';
import { saveCustomRules } from './custom-rules-write.ts';
import { executionOrder } from './execution-order.ts';
import type { FirewallList } from '../records/firewall-rule.ts';
import { readRecords } from './records.ts';

/**
 * Makes the old rules of a zone custom rules, as the service did it by itself: in the order in which they ran, before the
 * custom rules that were there (assumed), with the ids that they have in the old interface. Refused when that is more
 * than the plan allows (api.md 9.3). The zone of the call is the one to come, in the world of one list.
 */
export function convertFirewallRules(call: ScopedCall): void {
  const { store } = call.service;
  const zone = zoneOf(call);
  const old = readRecords(store, zone);
  const present = customRulesView(store, zone);
  const next: FirewallList = {
    rules: [...executionOrder(old.rules, zone.firewall?.order ?? 'list'), ...present.rules],
    filters: present.filters,
  };
  // As nothing in it counts as new, priorities move nothing.
  saveCustomRules(call, next, next);
}
