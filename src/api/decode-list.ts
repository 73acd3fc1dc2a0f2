import type { ListKind } from '../model/list.ts';
import type { Place } from './shape.ts';
import { numberMember, objectAt, textMember } from './shape.ts';

/** A list of an account (api.md 9.8). */
export interface List {
  readonly id: string;
  readonly name: string;
  /** A kind that the service has added since is given as it is. */
  readonly kind: ListKind | { readonly unknown: string };
}

/** What an item of a list says to expressions; redirects are for the service alone. */
export type ListItem =
  | { readonly kind: 'ip'; readonly ip: string }
  | { readonly kind: 'hostname'; readonly hostname: string }
  | { readonly kind: 'asn'; readonly asn: number }
  | { readonly kind: 'redirect' };

const KINDS: readonly ListKind[] = ['ip', 'redirect', 'hostname', 'asn'];

/**
 * A list of an answer. One of an unknown kind is no failure: the others are there. Throws `api/unexpected-answer` with the pointer of what
 * is wrong.
 */
export function decodeList({ value, pointer }: Place): List {
  const list = objectAt({ value, pointer });
  const word = textMember(list, 'kind', pointer);
  return {
    id: textMember(list, 'id', pointer),
    name: textMember(list, 'name', pointer),
    kind: KINDS.find((each) => each === word) ?? { unknown: word },
  };
}

/** An item of an answer; its kind is told by the member that it has. */
export function decodeListItem({ value, pointer }: Place): ListItem {
  const item = objectAt({ value, pointer });
  if (item['ip'] !== undefined) {
    return { kind: 'ip', ip: textMember(item, 'ip', pointer) };
  }
  if (item['asn'] !== undefined) {
    return { kind: 'asn', asn: numberMember(item, 'asn', pointer) };
  }
  if (item['hostname'] !== undefined) {
    const at = `${pointer}/hostname`;
    const hostname = objectAt({ value: item['hostname'], pointer: at });
    return { kind: 'hostname', hostname: textMember(hostname, 'url_hostname', at) };
  }
  objectAt({ value: item['redirect'], pointer: `${pointer}/redirect` });
  return { kind: 'redirect' };
}
