import { isIP } from 'node:net';

import { boundsProblem, invalidValue } from '../decode/bounds.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { itemBody } from './body.ts';
import { sourceWithQuery } from './errors.ts';
import type { ListKind } from './list.ts';

/** Judges one item that a client sent for a list of a kind. */
export function itemProblem(kind: ListKind, item: JsonObject, at: string): Refusal | undefined {
  const problem = boundsProblem(itemBody, item, at);
  if (problem !== undefined) {
    return problem;
  }
  if (item[kind] === undefined) {
    return invalidValue(item, at, `the list holds items of the kind ${kind}`);
  }
  return kind === 'ip'
    ? addressProblem(textAt(item, 'ip') ?? '', `${at}/ip`)
    : redirectProblem(item, `${at}/redirect`);
}

/** What two items have in common that are one: the same address, host, number or source address. */
export function itemKey(kind: ListKind, value: JsonObject): string {
  const redirect = objectAt(value, 'redirect');
  return kind === 'redirect' && redirect !== undefined
    ? JSON.stringify(redirect['source_url'])
    : JSON.stringify(value[kind]).toLowerCase();
}

/** An item's value as it is kept: a redirect has all its members (recorded answers have them). */
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

function addressProblem(address: string, at: string): Refusal | undefined {
  const [, ip = '', length] = /^([^/%]*)(?:\/(\d{1,3}))?$/u.exec(address) ?? [];
  const family = isIP(ip);
  const longest = family === 4 ? 32 : 128;
  return family !== 0 && (length === undefined || Number(length) <= longest)
    ? undefined
    : invalidValue(address, at, 'it is not an IP address or CIDR range');
}

function redirectProblem(item: JsonObject, at: string): Refusal | undefined {
  const redirect = objectAt(item, 'redirect');
  const source = redirect === undefined ? '' : (textAt(redirect, 'source_url') ?? '');
  if (source.includes('?')) {
    return sourceWithQuery();
  }
  const target = redirect === undefined ? 'https://' : (textAt(redirect, 'target_url') ?? '');
  return /^https?:\/\//u.test(target)
    ? undefined
    : invalidValue(target, `${at}/target_url`, 'it must start with http:// or https://');
}
