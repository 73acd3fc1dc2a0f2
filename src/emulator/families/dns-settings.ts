import { flag, integer, object, text, word } from '../decode/body-shape.ts';
import { mergedObject, objectAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { documentKey, keepDocument } from '../store/document-store.ts';
import type { Store } from '../store/store.ts';
import type { Family } from './family.ts';

/** The nameserver types (specification 9, row of 2025-03-14). */
export const NAMESERVER_TYPES = [
  'cloudflare.standard',
  'cloudflare.standard.random',
  'custom.account',
  'custom.tenant',
] as const;

/** The DNS settings of a zone, and of new zones of an account, as a body may have them. */
const dnsSettingsBody = object(
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
const STANDARD = {
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

const PATH = '/dns_settings';
const row = { path: PATH, holds: 'document', standard: STANDARD } as const;

/** The DNS settings of a zone, and those that new zones of an account get. */
export const dnsSettingsFamilies: readonly Family[] = [
  { ...row, access: ['DNS'], writes: { PATCH: mergedObject }, body: dnsSettingsBody },
  {
    ...row,
    owners: ['account'],
    access: ['Account DNS Settings'],
    writes: { PATCH: (before, body) => mergedObject(before, objectAt(body, 'zone_defaults') ?? {}) },
    body: object({ zone_defaults: dnsSettingsBody }, { required: ['zone_defaults'] }),
    show: (zone_defaults) => ({ zone_defaults }),
  },
];

/** Returns the DNS settings of an owner, which old endpoints and old account settings mirror. */
export function dnsSettings({ documents }: Pick<Store, 'documents'>, owner: string): WireObject {
  return { ...STANDARD, ...documents.get(documentKey(owner + PATH, 'it'))?.value };
}

/** Changes some of the DNS settings of an owner. */
export function changeDnsSettings(store: Store, owner: string, change: WireObject): void {
  const next = mergedObject(dnsSettings(store, owner), change);
  keepDocument(store, { group: owner + PATH, id: 'it' }, next);
}
