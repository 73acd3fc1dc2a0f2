import type { ReadClient, WriteClient } from '../api/client.ts';
import { deleteFilter, getFilter } from '../api/filters.ts';
import { deleteFirewallRule, getFirewallRule } from '../api/firewall-rules.ts';
import { deleteRateLimit, getRateLimit } from '../api/rate-limits.ts';
import { deleteWafOverride, getWafOverride } from '../api/waf-overrides.ts';
import { isNotFound } from '../api/service-error.ts';
import type { JsonObject } from '../model/json.ts';
import { objectOf, plainJson } from '../model/json.ts';
import type { OldObjectTarget, RetireStep } from '../model/retirement.ts';
import type { Scope } from '../model/scope.ts';

/** A thing of a deprecated interface as it is now; null when it is certain that there is none. */
export async function readOldObject(
  client: ReadClient,
  { id: zone }: Scope,
  { kind, id }: OldObjectTarget,
): Promise<JsonObject | null> {
  try {
    switch (kind) {
      case 'firewall_rule':
        return asPlanned(await getFirewallRule(client, zone, id));
      case 'filter':
        return asPlanned(await getFilter(client, zone, id));
      case 'rate_limit':
        return asPlanned(await getRateLimit(client, zone, id));
      case 'waf_override':
        return asPlanned(await getWafOverride(client, zone, id));
      default:
        return kind satisfies never;
    }
  } catch (error) {
    if (isNotFound(error)) {
      return null;
    }
    throw error;
  }
}

/** Deletes it. */
export function deleteOldObject(
  client: WriteClient,
  { id: zone }: Scope,
  { target: { kind, id }, withFilter }: RetireStep,
): Promise<void> {
  switch (kind) {
    case 'firewall_rule':
      return deleteFirewallRule(client, zone, id, withFilter ? 'delete-unused-filter' : 'keep-filter');
    case 'filter':
      return deleteFilter(client, zone, id);
    case 'rate_limit':
      return deleteRateLimit(client, zone, id);
    case 'waf_override':
      return deleteWafOverride(client, zone, id);
    default:
      return kind satisfies never;
  }
}

/** As plans and journals have it. */
function asPlanned(object: object): JsonObject {
  return objectOf(plainJson(object));
}
