import { flag, integer, object, text, word } from '../decode/shape.ts';
import { flagAt, mergedObject, objectAt, textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import type { Store } from '../store/store.ts';
import { findDocument, keepDocument } from '../store/document.ts';

/** The nameserver types (specification 9, row of 2025-03-14). */
export const NAMESERVER_TYPES = [
  'cloudflare.standard',
  'cloudflare.standard.random',
  'custom.account',
  'custom.tenant',
] as const;

/** The DNS settings that old endpoints and old account settings mirror. */
interface MirroredSettings {
  readonly flatten_all_cnames: boolean;
  readonly multi_provider: boolean;
  readonly secondary_overrides: boolean;
  /** The type of nameservers; for an account, the type that new zones get. */
  readonly nameservers: string;
}

/** The DNS settings of a zone, and of new zones of an account, as a body may have them. */
export const dnsSettingsBody = object(
  {
    flatten_all_cnames: flag(),
    multi_provider: flag(),
    secondary_overrides: flag(),
    foundation_dns: flag(),
    nameservers: object({ type: word(...NAMESERVER_TYPES), ns_set: { kind: 'integer', min: 1, max: 5 } }),
    ns_ttl: { kind: 'integer', min: 30, max: 86_400 },
    zone_mode: word('standard', 'cdn_only', 'dns_only'),
    internal_dns: object({ reference_zone_id: text() }),
    soa: object({
      mname: text(),
      rname: text(),
      expire: integer(86_400, 2_419_200),
      min_ttl: integer(60, 86_400),
      refresh: integer(600, 86_400),
      retry: integer(600, 86_400),
      ttl: integer(300, 86_400),
    }),
  },
  { some: 'any' },
);

/** The DNS settings of an owner that has written none. */
export const STANDARD_DNS_SETTINGS = {
  flatten_all_cnames: false,
  foundation_dns: false,
  multi_provider: false,
  secondary_overrides: false,
  nameservers: { type: 'cloudflare.standard' },
  ns_ttl: 86_400,
  zone_mode: 'standard',
  internal_dns: {},
  soa: {
    mname: 'ada.ns.example',
    rname: 'dns.cloudflare.com',
    expire: 604_800,
    min_ttl: 1800,
    refresh: 10_000,
    retry: 2400,
    ttl: 3600,
  },
};

/** Where an owner's DNS settings are stored. */
export function dnsSettingsAt(owner: string): { readonly group: string; readonly id: string } {
  return { group: `${owner}/dns_settings`, id: 'it' };
}

/** Returns the DNS settings of an owner that old endpoints mirror. */
export function dnsSettings(store: Store, owner: string): MirroredSettings {
  const all = allSettings(store, owner);
  return {
    flatten_all_cnames: flagAt(all, 'flatten_all_cnames') === true,
    multi_provider: flagAt(all, 'multi_provider') === true,
    secondary_overrides: flagAt(all, 'secondary_overrides') === true,
    nameservers: textAt(objectAt(all, 'nameservers') ?? {}, 'type') ?? '',
  };
}

/** Changes some of the DNS settings of an owner. */
export function changeDnsSettings(
  store: Store,
  owner: string,
  { nameservers, ...flags }: Partial<MirroredSettings>,
): void {
  const change = { ...flags, ...(nameservers === undefined ? {} : { nameservers: { type: nameservers } }) };
  keepDocument(store, dnsSettingsAt(owner), mergedObject(allSettings(store, owner), change));
}

function allSettings(store: Store, owner: string): WireObject {
  const { group, id } = dnsSettingsAt(owner);
  return { ...STANDARD_DNS_SETTINGS, ...findDocument(store, group, id)?.value };
}
