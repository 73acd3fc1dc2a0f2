import { checkPermission, readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { flag, object, text, word } from '../decode/shape.ts';
import type { Members } from '../decode/shape.ts';
import { flagAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Store } from '../store/store.ts';
import { findDocument, keepDocument } from './document.ts';

/** The stored DNS settings of a zone or account, which old endpoints mirror. */
export interface DnsSettings {
  readonly flatten_all_cnames: boolean;
  readonly multi_provider: boolean;
  readonly secondary_overrides: boolean;
  /** The type of nameservers; for an account, the type that new zones get. */
  readonly nameservers: string;
}

/** The nameserver types (specification 9, row of 2025-03-14). */
export const NAMESERVER_TYPES = [
  'cloudflare.standard',
  'cloudflare.standard.random',
  'custom.account',
  'custom.tenant',
] as const;

const STANDARD: DnsSettings = {
  flatten_all_cnames: false,
  multi_provider: false,
  secondary_overrides: false,
  nameservers: 'cloudflare.standard',
};

const fields = {
  flatten_all_cnames: flag(),
  multi_provider: flag(),
  secondary_overrides: flag(),
  nameservers: object({ type: word(...NAMESERVER_TYPES), ns_set: { kind: 'integer', min: 1, max: 5 } }),
  ns_ttl: { kind: 'integer', min: 30, max: 86_400 },
  zone_mode: text(),
} as const;
const zoneBody = object(fields, { some: 'any' });
const accountBody = object({ zone_defaults: object(fields) }, { required: ['zone_defaults'] });

/** The id of an owner's only document of settings. */
const ID = 'settings';

/** Returns the DNS settings of an owner, with defaults for what was never set. */
export function dnsSettings(store: Store, owner: string): DnsSettings {
  const kept = findDocument(store, groupOf(owner), ID)?.value ?? {};
  return {
    flatten_all_cnames: flagAt(kept, 'flatten_all_cnames') ?? STANDARD.flatten_all_cnames,
    multi_provider: flagAt(kept, 'multi_provider') ?? STANDARD.multi_provider,
    secondary_overrides: flagAt(kept, 'secondary_overrides') ?? STANDARD.secondary_overrides,
    nameservers: textAt(kept, 'nameservers') ?? STANDARD.nameservers,
  };
}

/** Changes some of the DNS settings of an owner. */
export function changeDnsSettings(store: Store, owner: string, change: Partial<DnsSettings>): void {
  keepDocument(store, { group: groupOf(owner), id: ID }, { ...dnsSettings(store, owner), ...change });
}

/** GET DNS settings of a zone. */
export function getDnsSettings(call: ScopedCall): Answer {
  checkPermission(call, 'Read', ['DNS']);
  return result(show(call));
}

/** PATCH DNS settings of a zone; the old endpoints show the change too. */
export function patchDnsSettings(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['DNS']);
  const body = readBody(call, zoneBody);
  changeDnsSettings(call.service.store, call.scope.owner, readChange(body));
  return result(show(call));
}

/** GET DNS settings of an account. */
export function getAccountDnsSettings(call: ScopedCall): Answer {
  checkPermission(call, 'Read', ['Account DNS Settings']);
  return result({ zone_defaults: show(call) });
}

/** PATCH DNS settings of an account; the account's own settings show the change too. */
export function patchAccountDnsSettings(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Account DNS Settings']);
  const body = readBody(call, accountBody);
  changeDnsSettings(call.service.store, call.scope.owner, readChange(body.zone_defaults));
  return result({ zone_defaults: show(call) });
}

function show(call: ScopedCall): JsonObject {
  const { nameservers, ...flags } = dnsSettings(call.service.store, call.scope.owner);
  return { ...flags, nameservers: { type: nameservers }, ns_ttl: 86_400, zone_mode: 'standard' };
}

function readChange({ nameservers, ...body }: Members<typeof fields>): Partial<DnsSettings> {
  const flags = (['flatten_all_cnames', 'multi_provider', 'secondary_overrides'] as const).flatMap((name) => {
    const value = body[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const type = nameservers?.type;
  return { ...Object.fromEntries(flags), ...(type === undefined ? {} : { nameservers: type }) };
}

function groupOf(owner: string): string {
  return `${owner}/dns_settings`;
}
