import { isIP } from 'node:net';
import { assertNever } from '../../data/index.ts';
import { flag, integer, list, object, text, word } from '../decode/body-shape.ts';
import { listKinds } from '../records/list-record.ts';
import { checkBounds } from '../decode/bounds.ts';
import { refuse, invalidValue } from '../protocol/refusal.ts';
import { objectAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { StoredListKind, StoredList } from '../records/list-record.ts';
import type { Account, ZonePlanLevel } from '../records/directory-record.ts';

const MAX_DESCRIPTION_LENGTH = 500;

const description = text({ max: MAX_DESCRIPTION_LENGTH });

/** The fields of a new list; names as in api.md 8.2. */
export const createFields = {
  name: text({ pattern: /^[a-z0-9_]+$/u, max: 50 }),
  kind: word(...listKinds),
  description,
};

/** The body of POST for a list. */
export const createBody = object(createFields, { required: ['name', 'kind'] });

/** The body of PUT for a list: only the description can change (api.md 9.8). */
export const updateBody = object({ description });

const redirect = object(
  {
    source_url: text({ min: 1 }),
    target_url: text({ min: 1 }),
    status_code: { kind: 'integer', oneOf: [301, 302, 307, 308] },
    include_subdomains: flag(),
    subpath_matching: flag(),
    preserve_query_string: flag(),
    preserve_path_suffix: flag(),
  },
  { required: ['source_url', 'target_url'] },
);

/** One item that a client sends: exactly one of the four kinds of value, and a comment. */
export const itemBody = object(
  {
    ip: text({ min: 1 }),
    hostname: object(
      {
        url_hostname: text({ pattern: /^(?:\*\.)?[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/u, max: 255 }),
        exclude_exact_hostname: flag(),
      },
      { required: ['url_hostname'] },
    ),
    asn: integer(0, 4_294_967_295),
    redirect,
    comment: text({ max: MAX_DESCRIPTION_LENGTH }),
  },
  { one: listKinds },
);

/** The body of DELETE for items. */
export const deleteBody = object(
  { items: list(object({ id: text({ pattern: /^[0-9a-f]{32}$/u }) }, { required: ['id'] }), { min: 1 }) },
  { required: ['items'] },
);

/** Checks one item that a client sent for a list of a kind. */
export function checkItem(kind: StoredListKind, item: WireObject, at: string): void {
  checkBounds(itemBody, item, at);
  if (item[kind] === undefined) {
    throw invalidValue(item, at, `the list holds items of the kind ${kind}`);
  }
  if (item.ip !== undefined) {
    checkAddress(item.ip, `${at}/ip`);
  } else if (item.redirect !== undefined) {
    checkRedirect(item.redirect, `${at}/redirect`);
  }
}

/** Returns the key by which two items count as one: their address, host, number or source URL. */
export function itemKey(kind: StoredListKind, value: WireObject): string {
  const { source_url: source } = objectAt(value, 'redirect') ?? {};
  const { url_hostname: host } = objectAt(value, 'hostname') ?? {};
  switch (kind) {
    case 'ip':
      return addressKey(String(value['ip']));
    case 'asn':
      return String(value['asn']);
    case 'hostname':
      return String(host).toLowerCase();
    case 'redirect':
      return withPath(String(source));
    default:
      return assertNever(kind);
  }
}

/** Returns one text for all spellings of an address or network. */
function addressKey(text: string): string {
  const [ip = '', length] = text.split('/');
  const host = isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
  return length === undefined || length === (isIP(ip) === 6 ? '128' : '32') ? host : `${host}/${length}`;
}

/** Returns a source URL with its host in lower case and with a path: the service stores `/` where there is none (assumed). */
function withPath(url: string): string {
  const [, scheme = '', host = '', path = ''] = /^(https?:\/\/)?([^/]*)(.*)$/iu.exec(url) ?? [];
  return `${scheme.toLowerCase()}${host.toLowerCase()}${path === '' ? '/' : path}`;
}

/**
 * Returns an item's value as it is stored: addresses and host names in lower case; of a redirect only the flags that were sent (api.md 9.9), its
 * source with a path.
 */
export function storedValue(kind: StoredListKind, item: WireObject): WireObject {
  const redirect = objectAt(item, 'redirect');
  if (redirect === undefined) {
    const value = item[kind];
    return { [kind]: typeof value === 'string' ? value.toLowerCase() : value };
  }
  return {
    redirect: { status_code: 301, ...redirect, source_url: withPath(String(redirect['source_url'])) },
  };
}

/** The lengths of networks that a list accepts: the documented ones, with the text of a public report. */
const PREFIXES = {
  4: { least: 8, most: 32 },
  6: { least: 12, most: 64 },
} as const;

function checkAddress(address: string, at: string): void {
  const [, ip = '', length] = /^([^/%]*)(?:\/(\d{1,3}))?$/u.exec(address) ?? [];
  const family = isIP(ip);
  if ((family !== 4 && family !== 6) || Number(length ?? 0) > (family === 4 ? 32 : 128)) {
    throw invalidValue(address, at, 'it is not an IP address or CIDR range');
  }
  const { least, most } = PREFIXES[family];
  if (length !== undefined && (Number(length) < least || Number(length) > most)) {
    const reason = `filters.api.IPv${family} CIDRs should have a prefix length from /${least} to /${most} inclusive`;
    throw invalidValue(address, at, reason, 10035);
  }
}

function checkRedirect(
  { source_url: source, target_url: target }: { readonly source_url: string; readonly target_url: string },
  at: string,
): void {
  if (source.includes('?')) {
    throw refuse(400, 'source_url must not contain a query string', { code: 10053 });
  }
  if (!/^https?:\/\//u.test(target)) {
    throw invalidValue(target, `${at}/target_url`, 'it must start with http:// or https://');
  }
}

type ListLimits = Readonly<Record<ZonePlanLevel, number>>;

/** The maximum number of lists and of items, by plan (api.md 8.1, 8.2); redirect lists count separately. */
const LISTS: ListLimits = { free: 1, pro: 10, business: 10, enterprise: 1000 };
const REDIRECT_LISTS: ListLimits = { free: 5, pro: 5, business: 5, enterprise: 25 };
const ITEMS = 10_000;
const REDIRECTS: ListLimits = { free: 10_000, pro: 10_000, business: 25_000, enterprise: 1_000_000 };

/** Refuses another list when the account already has the maximum. */
export function checkListQuota(account: Account, lists: readonly StoredList[], kind: StoredListKind): void {
  const redirects = kind === 'redirect';
  const max = (redirects ? REDIRECT_LISTS : LISTS)[account.plan];
  const count = lists.filter((list) => (list.kind === 'redirect') === redirects).length;
  if (count >= max) {
    throw refuse(400, `exceeded the maximum number of ${redirects ? 'redirect' : 'custom'} lists: ${max}`);
  }
}

/** Returns the error of an operation after which the account would have too many items, or undefined (text assumed). */
export function itemQuotaError(
  account: Account,
  others: readonly StoredList[],
  { kind, count }: { readonly kind: StoredListKind; readonly count: number },
): string | undefined {
  const redirects = kind === 'redirect';
  const max = redirects ? REDIRECTS[account.plan] : ITEMS;
  const total = others
    .filter((list) => (list.kind === 'redirect') === redirects)
    .reduce((sum, list) => sum + list.items.length, count);
  return total > max ? `exceeded the maximum number of list items: ${total} out of ${max}` : undefined;
}
