import type { ReadClient, WriteClient } from '../../api/client.ts';
import {
  filters,
  firewallRules,
  rateLimits,
  wafOverrides,
  WITH_UNUSED_FILTER,
} from '../../api/old-families.ts';
import { isNotFound, orElse } from '../../api/service-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { objectOf, plainJson } from '../../model/json.ts';
import type { OldObjectTarget, RetireStep } from '../../model/retirement.ts';
import type { Scope } from '../../model/scope.ts';

const FAMILIES = {
  firewall_rule: firewallRules,
  filter: filters,
  rate_limit: rateLimits,
  waf_override: wafOverrides,
} as const satisfies Record<OldObjectTarget['kind'], unknown>;

/** Reads an object of a deprecated interface as it is now; null when it certainly does not exist. */
export async function readOldObject(
  client: ReadClient,
  scope: Scope,
  { kind, id }: OldObjectTarget,
): Promise<JsonObject | null> {
  const reading: Promise<object> = FAMILIES[kind].get(client, scope.id, id);
  const object = await orElse(reading, () => null, isNotFound);
  // The form that plans and journals have.
  return object === null ? null : objectOf(plainJson(object));
}

export function deleteOldObject(
  client: WriteClient,
  scope: Scope,
  { target: { kind, id }, withFilter }: RetireStep,
): Promise<void> {
  return FAMILIES[kind].remove(client, scope.id, id, withFilter ? WITH_UNUSED_FILTER : undefined);
}
