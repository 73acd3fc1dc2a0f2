import { ADDRESS_BITS, formatIpAddress, isJsonObject, parseIpAddress } from '../data/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { quoted } from '../text/index.ts';
import type { ListItem, ListKind } from './list.ts';

/** An item in its canonical form, or why the service would refuse it. */
type ListItemReading =
  | { readonly kind: 'item'; readonly item: ListItem }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string };

/** The fields that items of a kind have in files, the one that identifies the item first. */
export const LIST_ITEM_FIELDS: Readonly<Record<ListKind, readonly [string, ...(readonly string[])]>> = {
  ip: ['ip', 'comment'],
  asn: ['asn', 'comment'],
  hostname: ['hostname', 'exclude_exact_hostname', 'comment'],
  redirect: [
    'source_url',
    'target_url',
    'status_code',
    'include_subdomains',
    'subpath_matching',
    'preserve_query_string',
    'preserve_path_suffix',
    'comment',
  ],
};

/**
 * Reads an item as a file or the service spells it into its one canonical form. A text or number alone is the field that identifies the item; the
 * members that the service nests (`hostname`, `redirect`) may be nested or not. All values may be texts, as in a CSV file.
 */
export function readListItem(kind: ListKind, value: JsonValue): ListItemReading {
  const { fields, comment = '' } = partsOf(kind, value);
  const reading = READERS[kind](fields);
  if (reading.kind === 'refused') {
    return reading;
  }
  if (comment === '' || comment === null) {
    return reading;
  }
  if (typeof comment !== 'string' && typeof comment !== 'number') {
    return refused(`${shown(comment)} is no comment`, 'write a text');
  }
  if (Array.from(String(comment)).length > MOST_COMMENT) {
    return refused(
      `the comment of ${listItemKey(reading.item)} has more than ${MOST_COMMENT} characters`,
      'the service takes no longer comments: shorten it',
    );
  }
  return { kind: 'item', item: { ...reading.item, comment: String(comment) } };
}

/** The longest comment of an item, in characters; assumed to be that of a list's description. */
const MOST_COMMENT = 500;

/**
 * Reads a live item. What a file could not say, such as an item from before a rule of the service, is kept as it is spelt; null for what is no item
 * of the kind.
 */
export function liveListItem(kind: ListKind, value: JsonObject): ListItem | null {
  const reading = readListItem(kind, value);
  if (reading.kind === 'item') {
    return reading.item;
  }
  const { fields, comment } = partsOf(kind, value);
  const { ip, hostname, source_url, target_url } = fields;
  const said = typeof comment === 'string' && comment !== '' ? { comment } : {};
  if (kind === 'ip' && typeof ip === 'string') {
    return { ip, ...said };
  }
  if (kind === 'hostname' && typeof hostname === 'string') {
    return { hostname, ...said };
  }
  return kind === 'redirect' && typeof source_url === 'string' && typeof target_url === 'string'
    ? { source_url, target_url, status_code: 301, ...said }
    : null;
}

/** Returns what the service keys an item by: two items of one key cannot be in a list. */
export function listItemKey(item: ListItem): string {
  return 'ip' in item
    ? item.ip
    : 'asn' in item
      ? String(item.asn)
      : 'hostname' in item
        ? item.hostname
        : item.source_url;
}

/** Whether a live item of the same key says what is wanted; what nobody said may be anything. */
export function isItemAsWanted(wanted: ListItem, live: ListItem): boolean {
  if ((wanted.comment ?? '') !== (live.comment ?? '')) {
    return false;
  }
  if ('hostname' in wanted) {
    return 'hostname' in live && wanted.exclude_exact_hostname === live.exclude_exact_hostname;
  }
  if (!('source_url' in wanted)) {
    return true;
  }
  const { preserve_path_suffix: suffix } = wanted;
  return (
    'source_url' in live &&
    wanted.target_url === live.target_url &&
    wanted.status_code === live.status_code &&
    wanted.include_subdomains === live.include_subdomains &&
    wanted.subpath_matching === live.subpath_matching &&
    wanted.preserve_query_string === live.preserve_query_string &&
    (suffix === undefined || suffix === (live.preserve_path_suffix ?? suffix))
  );
}

/** Whether live items have all that are wanted, by their keys, each as it is wanted. */
export function hasAllItems(live: readonly ListItem[], wanted: readonly ListItem[]): boolean {
  const byKey = new Map(live.map((item) => [listItemKey(item), item]));
  return wanted.every((item) => {
    const found = byKey.get(listItemKey(item));
    return found !== undefined && isItemAsWanted(item, found);
  });
}

/** Returns an item as requests carry it. All flags are said, so that a change can switch one off. */
export function listItemToWire(item: ListItem): JsonObject {
  const { comment = '' } = item;
  if ('ip' in item) {
    return { ip: item.ip, comment };
  }
  if ('asn' in item) {
    return { asn: item.asn, comment };
  }
  if ('hostname' in item) {
    const { hostname, exclude_exact_hostname: exact } = item;
    const flag = exact === undefined ? {} : { exclude_exact_hostname: exact };
    return { hostname: { url_hostname: hostname, ...flag }, comment };
  }
  const { source_url, target_url, status_code, preserve_path_suffix: suffix } = item;
  return {
    redirect: {
      source_url,
      target_url,
      status_code,
      include_subdomains: item.include_subdomains === true,
      subpath_matching: item.subpath_matching === true,
      preserve_query_string: item.preserve_query_string === true,
      ...(suffix === undefined ? {} : { preserve_path_suffix: suffix }),
    },
    comment,
  };
}

type RefusedItem = Extract<ListItemReading, { readonly kind: 'refused' }>;

function refused(message: string, hint: string): RefusedItem {
  return { kind: 'refused', message, hint };
}

function shown(value: JsonValue | undefined): string {
  return typeof value === 'string' && value !== '' ? quoted(value) : JSON.stringify(value ?? null);
}

/** Returns the fields that say what an item is, and its comment, however they are nested. A list of 100,000 is read without copying them. */
function partsOf(
  kind: ListKind,
  value: JsonValue,
): { readonly fields: JsonObject; readonly comment?: JsonValue | undefined } {
  if (!isJsonObject(value)) {
    return { fields: { [LIST_ITEM_FIELDS[kind][0]]: value } };
  }
  const nested = value[kind];
  const { comment } = value;
  if (!isJsonObject(nested)) {
    return { fields: value, comment };
  }
  const { url_hostname: hostname } = nested;
  return { fields: hostname === undefined ? nested : { ...nested, hostname }, comment };
}

const READERS: Readonly<Record<ListKind, (fields: JsonObject) => ListItemReading>> = {
  ip: ({ ip }) => readAddress(ip),
  asn: ({ asn }) => readAsn(asn),
  hostname: readHostname,
  redirect: readRedirect,
};

/** The lengths of networks that a list takes (documented; a public report has the refusal of others, code 10035). */
const PREFIXES: Readonly<Record<4 | 6, readonly [least: number, most: number]>> = { 4: [8, 32], 6: [12, 64] };

function readAddress(value: JsonValue | undefined): ListItemReading {
  const text = typeof value === 'string' ? value.trim() : '';
  const slash = text.indexOf('/');
  const address = parseIpAddress(slash === -1 ? text : text.slice(0, slash));
  const length = slash === -1 ? null : text.slice(slash + 1);
  if (address === undefined || (length !== null && !/^\d{1,3}$/u.test(length))) {
    return refused(
      `${shown(value)} is neither an address nor a network`,
      'write an address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32',
    );
  }
  const { family } = address;
  const all = ADDRESS_BITS[family];
  const bits = length === null ? all : Number(length);
  const ip = formatIpAddress(address);
  if (bits === all) {
    return { kind: 'item', item: { ip } };
  }
  const [least, most] = PREFIXES[family];
  if (bits < least || bits > most) {
    return refused(
      `${shown(value)} has a prefix that lists do not take: for IPv${family} they take /${least} to /${most}`,
      bits < least
        ? `write the networks of /${least} and longer that are meant`
        : family === 6 && bits < all
          ? 'write the /64 around it, or single addresses'
          : 'write the network, or the address alone',
    );
  }
  const host = BigInt(all - bits);
  const first = (address.value >> host) << host;
  const network = `${formatIpAddress({ family, value: first })}/${bits}`;
  return first === address.value
    ? { kind: 'item', item: { ip: network } }
    : refused(
        `${shown(value)} is an address within a network, which the service refuses`,
        `write the network ${network}, or the address ${ip}`,
      );
}

const MOST_ASN = 4_294_967_295;

function readAsn(value: JsonValue | undefined): ListItemReading {
  const number =
    typeof value === 'string' ? Number(/^\s*(?:AS)?(\d{1,10})\s*$/iu.exec(value)?.[1] ?? Number.NaN) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= MOST_ASN
    ? { kind: 'item', item: { asn: number } }
    : refused(`${shown(value)} is no AS number`, `write a number from 0 to ${MOST_ASN}, such as 64496`);
}

const HOSTNAME = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/u;

function readHostname({ hostname: value, exclude_exact_hostname: exact }: JsonObject): ListItemReading {
  const hostname = typeof value === 'string' ? value.trim().toLowerCase().replace(/\.$/u, '') : '';
  if (!HOSTNAME.test(hostname) || hostname.length > 255) {
    return refused(
      `${shown(value)} is no host name that a list takes`,
      'write a host name such as shop.example or *.shop.example, without scheme, port and path; a name in another script in its `xn--` form',
    );
  }
  const flag = readFlag('exclude_exact_hostname', exact);
  return typeof flag === 'boolean'
    ? { kind: 'item', item: { hostname, ...(flag ? { exclude_exact_hostname: true } : {}) } }
    : flag;
}

const STATUS_CODES: readonly string[] = ['301', '302', '307', '308'];
const SOURCE = /^(https?:\/\/)?([^/?#@:*\s]+)(\/[^?#\s]*)?$/iu;

function readRedirect(fields: JsonObject): ListItemReading {
  const { source_url: source, target_url: target, status_code: status } = fields;
  const [, scheme = '', host, path = '/'] =
    SOURCE.exec(typeof source === 'string' ? source.trim() : '') ?? [];
  if (isMissing(source) || isMissing(target)) {
    return refused(
      `the redirect has no ${isMissing(source) ? 'source_url' : 'target_url'}`,
      'a redirect needs source_url and target_url: what is redirected, and where to',
    );
  }
  if (host === undefined) {
    return refused(
      `${shown(source)} is no source URL that a list takes`,
      'write a host name and a path, with http:// or https:// in front or without (which matches both); no user, port, query, fragment or wildcard',
    );
  }
  const target_url = typeof target === 'string' ? withPath(target.trim()) : '';
  if (!/^https?:\/\/[^\s/?#]\S*$/iu.test(target_url)) {
    return refused(
      `${shown(target)} is no target URL`,
      'write a whole URL with https:// or http://, such as https://shop.example/new',
    );
  }
  const code = isMissing(status)
    ? '301'
    : typeof status === 'string'
      ? status.trim()
      : JSON.stringify(status);
  if (!STATUS_CODES.includes(code)) {
    return refused(`${shown(status)} is no status of a redirect`, `write one of ${STATUS_CODES.join(', ')}`);
  }
  const subdomains = readFlag('include_subdomains', fields['include_subdomains']);
  const subpaths = readFlag('subpath_matching', fields['subpath_matching']);
  const query = readFlag('preserve_query_string', fields['preserve_query_string']);
  const suffix = readFlag('preserve_path_suffix', fields['preserve_path_suffix']);
  if (typeof subdomains !== 'boolean') {
    return subdomains;
  }
  if (typeof subpaths !== 'boolean') {
    return subpaths;
  }
  if (typeof query !== 'boolean') {
    return query;
  }
  if (typeof suffix !== 'boolean') {
    return suffix;
  }
  const item = {
    source_url: `${scheme.toLowerCase()}${host.toLowerCase()}${path}`,
    target_url,
    status_code: Number(code),
  };
  const isSaid = subpaths && !isMissing(fields['preserve_path_suffix']);
  return {
    kind: 'item',
    item:
      subdomains || subpaths || query
        ? {
            ...item,
            ...(subdomains ? { include_subdomains: true } : {}),
            ...(subpaths ? { subpath_matching: true } : {}),
            ...(query ? { preserve_query_string: true } : {}),
            ...(isSaid ? { preserve_path_suffix: suffix } : {}),
          }
        : item,
  };
}

/** Whether a field is not given; a cell of a CSV file that is empty gives nothing. */
function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Returns a URL with the path that one without it means. */
function withPath(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+$/iu.test(url) ? `${url}/` : url;
}

function readFlag(name: string, value: JsonValue | undefined): boolean | RefusedItem {
  if (isMissing(value)) {
    return false;
  }
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase();
  return text === 'true' || text === 'false'
    ? text === 'true'
    : refused(`${shown(value)} is no value of ${name}`, 'write true or false');
}
