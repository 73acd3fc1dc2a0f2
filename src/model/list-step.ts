import type { Protection } from './change.ts';
import type { TextChange } from './field-change.ts';
import type { ListItem, ListKind, LiveListItem } from './list.ts';
import type { Cause } from './source.ts';

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

/** What the way back of a change of items would do to protection by one rule that names the list. */
export interface ListWayBack {
  /** `ref` of the rule; empty when it is about the list as a whole. */
  readonly rule: string;
  /** Present when nobody named the rule, so its `ref` is not telling. */
  readonly description?: string;
  /** Its reason names the place of the rule, which may be in another scope. */
  readonly protection: Protection;
}

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
  /** What taking it back would do to protection, by rule; absent where that is nothing. */
  readonly back?: readonly ListWayBack[];
  /** Whether it is done before the rulesets, so that rules find the list filled, or after them, when no rule needs it any more. */
  readonly turn: 'first' | 'last';
  /** Absent when no file declares the list. */
  readonly cause?: Cause | undefined;
}
