import type { FileCause, SourceSpan } from './source.ts';

/** The kind of items in an account's list (api.md 9.8). */
export type ListKind = 'ip' | 'redirect' | 'hostname' | 'asn';

/** All kinds of lists. */
export const LIST_KINDS: readonly ListKind[] = ['ip', 'asn', 'hostname', 'redirect'];

/** A rule's use of a list: in an expression as `$name`, or as the list of its redirects. */
export interface ListUse {
  /** Without `$`. */
  readonly name: string;
  /** The kind of list that this use requires. */
  readonly holds: ListKind;
  readonly where: SourceSpan;
}

/**
 * An item of a list in its one canonical form (`list-item.ts`): what the service keys it by is spelt one way, and what says the same as its absence
 * is absent. Plans and files have the same field names.
 */
export type ListItem = (
  | { readonly ip: string }
  | { readonly asn: number }
  | { readonly hostname: string; readonly exclude_exact_hostname?: true }
  | RedirectItem
) & { readonly comment?: string };

/** A redirect of a list. Flags that are off are absent. */
interface RedirectItem {
  readonly source_url: string;
  readonly target_url: string;
  readonly status_code: number;
  readonly include_subdomains?: true;
  readonly subpath_matching?: true;
  readonly preserve_query_string?: true;
  /** Counts only with `subpath_matching`; absent where nobody said it: then the service decides, and what it says is no difference. */
  readonly preserve_path_suffix?: boolean;
}

/** A list that a file declares. */
export interface DesiredList {
  readonly name: string;
  readonly kind: ListKind;
  readonly presence: 'present' | 'absent';
  /** Absent where the file says nothing of it: then any is right. */
  readonly description?: string;
  /** `external`: somebody else fills it, and nothing of it is written. */
  readonly items: readonly ListItem[] | 'external';
  readonly cause: FileCause;
}

/** A list of an account as the service lists it, without its items. */
export interface LiveListHead {
  readonly id: string;
  readonly name: string;
  /** A kind that this program does not know is passed on as it is. */
  readonly kind: ListKind | { readonly unknown: string };
  readonly description: string;
  readonly modifiedOn: string;
  readonly itemCount: number;
  /** How many rules name it, as the service counts; null where it does not say. */
  readonly referenceCount: number | null;
}

/** A live item with the id by which it is deleted. */
export interface LiveListItem {
  readonly id: string;
  readonly item: ListItem;
}

/** A live list with its items. */
export interface LiveList extends LiveListHead {
  readonly items: readonly LiveListItem[];
}
