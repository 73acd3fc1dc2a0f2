import type { Protection } from './change.ts';
import type { TextChange } from './field-change.ts';
import type { Cause, FileCause, SourceSpan } from './source.ts';

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
export interface RedirectItem {
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
  /** How many rules name it, as the service counts. */
  readonly referenceCount: number;
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

/** The list that a step acts on. */
export interface ListTarget {
  readonly kind: 'list';
  readonly name: string;
  readonly holds: ListKind;
}

/** What a step was planned from: no such list, or a list as it was last changed. */
export type ListBase =
  | { readonly kind: 'absent' }
  | { readonly kind: 'list'; readonly id: string; readonly modifiedOn: string; readonly items: number };

/** An item that stays and says something else than before: its comment, or where a redirect leads. */
export interface ListItemChange {
  readonly before: ListItem;
  readonly after: ListItem;
}

/** What changes in the items of a list. */
export interface ListItemChanges {
  readonly add: readonly ListItem[];
  readonly change: readonly ListItemChange[];
  readonly remove: readonly LiveListItem[];
}

/** How the items are written: additions and changes are one request, removals another; or one request replaces all. */
export type ListWriting = 'add-remove' | 'remove-add' | 'replace';

/** A step that makes, fills, changes or deletes a list of an account. */
export interface ListStep {
  /** Stable name of the step, such as `account:Example Shop/list:office`. */
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly target: ListTarget;
  readonly base: ListBase;
  /** Present where the description changes. */
  readonly description?: TextChange;
  readonly items: ListItemChanges;
  readonly writing: ListWriting;
  /** What it does to protection by the rules that name the list. */
  readonly protection: Protection;
  /** Whether it is done before the rulesets, so that rules find the list filled, or after them, when no rule needs it any more. */
  readonly turn: 'first' | 'last';
  /** Absent when no file declares the list. */
  readonly cause?: Cause | undefined;
}
