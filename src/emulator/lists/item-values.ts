import { isIP } from 'node:net';

import { checkBounds } from '../decode/bounds.ts';
import { refuse } from '../protocol/refusal.ts';
import { invalidValue } from '../protocol/templates.ts';
import { objectAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { itemBody } from './body.ts';
import type { ListKind } from '../records/list.ts';

/** Checks one item that a client sent for a list of a kind. */
export function checkItem(kind: ListKind, item: JsonObject, at: string): void {
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
export function itemKey(kind: ListKind, value: JsonObject): string {
  const redirect = objectAt(value, 'redirect');
  return kind === 'redirect' && redirect !== undefined
    ? JSON.stringify(redirect['source_url'])
    : JSON.stringify(value[kind]).toLowerCase();
}

/** Returns an item's value as it is stored; a redirect has all its members, as in recorded answers. */
export function storedValue(kind: ListKind, item: JsonObject): JsonObject {
  return kind === 'redirect'
    ? {
        redirect: {
          include_subdomains: false,
          preserve_path_suffix: false,
          preserve_query_string: false,
          status_code: 301,
          subpath_matching: false,
          ...objectAt(item, 'redirect'),
        },
      }
    : { [kind]: item[kind] };
}

function checkAddress(address: string, at: string): void {
  const [, ip = '', length] = /^([^/%]*)(?:\/(\d{1,3}))?$/u.exec(address) ?? [];
  const family = isIP(ip);
  const longest = family === 4 ? 32 : 128;
  if (family === 0 || Number(length ?? 0) > longest) {
    throw invalidValue(address, at, 'it is not an IP address or CIDR range');
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
