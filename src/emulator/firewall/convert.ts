import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { customRulesView } from './custom-rules-view.ts';
import { saveCustomRules } from './custom-rules-write.ts';
import { executionOrder } from './execution-order.ts';
import type { FirewallList } from '../records/firewall-rule.ts';
import { readRecords } from './records.ts';

/**
 * Converts the old rules of a zone into custom rules, as the service itself did: in execution order, before the
 * existing custom rules (assumed), keeping their ids in the old interface. Refuses when that exceeds the limit of the
 * plan (api.md 9.3). The zone of the call is the zone after the conversion, with one list.
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
  // With the same list before and after, no rule counts as new, so priorities move nothing.
  saveCustomRules(call, next, next);
}
