import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import { decodeFilter, decodeFirewallRule } from './decode-firewall-rule.ts';
import { decodeRateLimit } from './decode-rate-limit.ts';
import { decodeWafOverride } from './decode-waf-override.ts';
import { readByPage } from './pages.ts';
import type { ZoneFamily } from './paths.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { JsonObject } from '../model/json.ts';
import type { Members } from './shape.ts';
import { decodeAll, decodeOne } from './shape.ts';

/** What is asked of a deprecated family of a zone: its objects are read, and deleted when something else has taken over. */
export interface OldFamily<Item> {
  readonly list: (client: ReadClient, zoneId: string) => Promise<readonly Item[]>;
  readonly get: (client: ReadClient, zoneId: string, objectId: string) => Promise<Item>;
  /** What a deletion answers differs (api.md 9.1, 9.2, 9.6: `[{id}]`, `{id}`, `[]`, `null`) and says nothing more. */
  readonly remove: (
    client: WriteClient,
    zoneId: string,
    objectId: string,
    body?: JsonObject,
  ) => Promise<void>;
}

/** Old firewall rules in list order, which is not the order in which they run (specification 4.2, api.md 9.1). */
export const firewallRules = oldFamily('firewall/rules', decodeFirewallRule);

/** The body with which deleting a firewall rule deletes its filter as well, if nothing else uses it (api.md 9.1). */
export const WITH_UNUSED_FILTER = { delete_filter_if_unused: true };

/** Old filters, those that no rule uses included (specification 4.2, api.md 9.2). */
export const filters = oldFamily('filters', decodeFilter);

/** Old rate limits (specification 9, api.md 9.6). */
export const rateLimits = oldFamily('rate_limits', decodeRateLimit);

/** URI-based overrides of the old WAF: each of them blocks the WAF migration (specification 3.1 rule 4, api.md 9.5). */
export const wafOverrides = oldFamily('firewall/waf/overrides', decodeWafOverride);

function oldFamily<Item>(family: ZoneFamily, decode: (members: Members) => Item): OldFamily<Item> {
  return {
    list: (client, zoneId) =>
      readByPage(client, zoneFamilyPath(zoneId, family), { perPage: 100, decode: decodeAll(decode) }),
    get: async (client, zoneId, objectId) =>
      accept(await client.get(zoneObjectPath(zoneId, family, objectId)), decodeOne(decode)),
    remove: async (client, zoneId, objectId, body) => {
      const path = zoneObjectPath(zoneId, family, objectId);
      await client.send({ method: 'DELETE', path, ...(body === undefined ? {} : { body }) });
    },
  };
}
