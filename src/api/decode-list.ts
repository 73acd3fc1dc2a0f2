import type { ListKind } from '../model/list.ts';
import type { ListItemContent, ListRedirect } from './list-requests.ts';
import type { Place } from './shape.ts';
import {
  flagOr,
  numberMember,
  objectAt,
  optionalNumber,
  optionalText,
  textMember,
  unexpected,
} from './shape.ts';

/** A list of an account (api.md 9.8). */
export interface List {
  readonly id: string;
  readonly name: string;
  /** A kind that the service has added since is given as it is. */
  readonly kind: ListKind | { readonly unknown: string };
  readonly description: string;
  readonly items: number;
  /** How many rules and filters name it. */
  readonly uses: number;
}

/** An item of a list. */
export type ListItem = ListItemContent & { readonly id: string };

/** A change of many items, which takes its time (api.md 9.8). */
export type ListOperation =
  | { readonly status: 'pending' | 'running' | 'completed'; readonly id: string }
  | { readonly status: 'failed'; readonly id: string; readonly error: string };

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
    description: optionalText(list, 'description', pointer) ?? '',
    items: optionalNumber(list, 'num_items', pointer) ?? 0,
    uses: optionalNumber(list, 'num_referencing_filters', pointer) ?? 0,
  };
}

/** An item of an answer; its kind is told by the member that it has. */
export function decodeListItem({ value, pointer }: Place): ListItem {
  const item = objectAt({ value, pointer });
  const id = textMember(item, 'id', pointer);
  const comment = optionalText(item, 'comment', pointer);
  const told = { id, ...(comment === undefined ? {} : { comment }) };
  if (item['ip'] !== undefined) {
    return { ...told, kind: 'ip', ip: textMember(item, 'ip', pointer) };
  }
  if (item['asn'] !== undefined) {
    return { ...told, kind: 'asn', asn: numberMember(item, 'asn', pointer) };
  }
  if (item['hostname'] !== undefined) {
    const at = `${pointer}/hostname`;
    const hostname = objectAt({ value: item['hostname'], pointer: at });
    return { ...told, kind: 'hostname', hostname: textMember(hostname, 'url_hostname', at) };
  }
  const at = `${pointer}/redirect`;
  return { ...told, kind: 'redirect', redirect: decodeRedirect({ value: item['redirect'], pointer: at }) };
}

/** The id of the operation that a change of items started. */
export function decodeOperationId(place: Place): string {
  return textMember(objectAt(place), 'operation_id', place.pointer);
}

/** How far an operation is. */
export function decodeListOperation({ value, pointer }: Place): ListOperation {
  const operation = objectAt({ value, pointer });
  const id = textMember(operation, 'id', pointer);
  const status = textMember(operation, 'status', pointer);
  switch (status) {
    case 'pending':
    case 'running':
    case 'completed':
      return { id, status };
    case 'failed':
      return { id, status, error: optionalText(operation, 'error', pointer) ?? '' };
    default:
      throw unexpected(
        `${pointer}/status`,
        `should be one of pending, running, completed, failed and is ${JSON.stringify(status)}`,
      );
  }
}

function decodeRedirect(place: Place): ListRedirect {
  const redirect = objectAt(place);
  const { pointer } = place;
  const flag = (name: string): boolean => flagOr(redirect, name, { pointer, standard: false });
  const statusCode = optionalNumber(redirect, 'status_code', pointer);
  return {
    sourceUrl: textMember(redirect, 'source_url', pointer),
    targetUrl: textMember(redirect, 'target_url', pointer),
    ...(statusCode === undefined ? {} : { statusCode }),
    includeSubdomains: flag('include_subdomains'),
    subpathMatching: flag('subpath_matching'),
    preserveQueryString: flag('preserve_query_string'),
    preservePathSuffix: flag('preserve_path_suffix'),
  };
}
