import { assertNever } from '../model/assert-never.ts';
import type { ListKind } from '../model/list.ts';
import { listItemsPath, listPath, listsPath } from './paths.ts';
import type { WriteRequest } from './request.ts';

/** A new list; name and kind never change afterwards. */
export interface CreateList {
  /** Up to 50 lower-case letters, digits and underscores: what `$name` in an expression means (api.md 8.2). */
  readonly name: string;
  readonly kind: ListKind;
  readonly description?: string;
}

/** A redirect of a list (api.md 9.8). */
export interface ListRedirect {
  /** Without a query string. */
  readonly sourceUrl: string;
  readonly targetUrl: string;
  readonly statusCode?: number;
  readonly includeSubdomains?: boolean;
  readonly subpathMatching?: boolean;
  readonly preserveQueryString?: boolean;
  readonly preservePathSuffix?: boolean;
}

/** What an item says; its kind is that of its list. */
export type ListItemContent =
  | { readonly kind: 'ip'; readonly ip: string; readonly comment?: string }
  | { readonly kind: 'hostname'; readonly hostname: string; readonly comment?: string }
  | { readonly kind: 'asn'; readonly asn: number; readonly comment?: string }
  | { readonly kind: 'redirect'; readonly redirect: ListRedirect; readonly comment?: string };

/** POST of a list. */
export function createListRequest(accountId: string, body: CreateList): WriteRequest {
  return { method: 'POST', path: listsPath(accountId), body };
}

/** PUT of a list: its description. */
export function updateListRequest(accountId: string, listId: string, description: string): WriteRequest {
  return { method: 'PUT', path: listPath(accountId, listId), body: { description } };
}

/** DELETE of a list; refused while a rule names it. */
export function deleteListRequest(accountId: string, listId: string): WriteRequest {
  return { method: 'DELETE', path: listPath(accountId, listId) };
}

/** POST of items: behind those that are there. */
export function addListItemsRequest(
  accountId: string,
  listId: string,
  items: readonly ListItemContent[],
): WriteRequest {
  return { method: 'POST', path: listItemsPath(accountId, listId), body: items.map(wireOf) };
}

/** PUT of items: these and no others. */
export function replaceListItemsRequest(
  accountId: string,
  listId: string,
  items: readonly ListItemContent[],
): WriteRequest {
  return { method: 'PUT', path: listItemsPath(accountId, listId), body: items.map(wireOf) };
}

/** DELETE of items by id. */
export function deleteListItemsRequest(
  accountId: string,
  listId: string,
  ids: readonly string[],
): WriteRequest {
  return {
    method: 'DELETE',
    path: listItemsPath(accountId, listId),
    body: { items: ids.map((id) => ({ id })) },
  };
}

function wireOf(item: ListItemContent): Readonly<Record<string, unknown>> {
  const comment = item.comment === undefined ? {} : { comment: item.comment };
  switch (item.kind) {
    case 'ip':
      return { ip: item.ip, ...comment };
    case 'hostname':
      return { hostname: { url_hostname: item.hostname }, ...comment };
    case 'asn':
      return { asn: item.asn, ...comment };
    case 'redirect':
      return { redirect: wireOfRedirect(item.redirect), ...comment };
    default:
      return assertNever(item);
  }
}

function wireOfRedirect(redirect: ListRedirect): Readonly<Record<string, unknown>> {
  const wire = {
    source_url: redirect.sourceUrl,
    target_url: redirect.targetUrl,
    status_code: redirect.statusCode,
    include_subdomains: redirect.includeSubdomains,
    subpath_matching: redirect.subpathMatching,
    preserve_query_string: redirect.preserveQueryString,
    preserve_path_suffix: redirect.preservePathSuffix,
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined));
}
