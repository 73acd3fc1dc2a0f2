import { assertNever } from './assert-never.ts';
import { describedName, ruleName } from './described-name.ts';
import type { RuleName } from './described-name.ts';
import type { FieldChange } from './field-change.ts';
import type { RuleContent } from './rule.ts';
import type { Cause } from './source.ts';

/** A place in a ruleset: its number from 1 and the rule before it. */
export interface Place {
  readonly index: number;
  /** `ref` of the rule directly before; null when first. */
  readonly after: string | null;
  /** Of that rule, where its `ref` tells nothing. */
  readonly description?: string;
  /** SHA-256, hex, of what rules of others decide before or behind one that a step puts there or writes; absent where none does. */
  readonly beside?: string;
}

/** From where to where a rule goes. */
export interface Move {
  readonly from: Place;
  readonly to: Place;
  /** What the way back to the old place would do to protection; absent where neither way matters. */
  readonly back?: Protection;
}

/** One difference between the rules of a live ruleset and the desired one. Each rule counts once. */
export type RuleChange = AddRule | PatchRule | MoveRule | DeleteRule;

/** What a change does to protection; what is not proven neutral or stronger counts as weakening. */
export type Protection =
  | { readonly kind: 'neutral' }
  | { readonly kind: 'weakening' | 'strengthening'; readonly reason: string };

/**
 * What a change comes to do to every request, and what taking it back would, each as a clause: as an ending (`applies block to every request`)
 * an outage, however it protects; as an opening (`lets every request past WAF managed rules`) the worst of weakenings.
 */
export interface ToEveryRequest {
  readonly forth?: string;
  readonly back?: string;
}

/** A rule that the service does not have. */
export interface AddRule {
  readonly kind: 'add';
  readonly ref: string;
  readonly content: RuleContent;
  readonly place: Place;
  readonly protection: Protection;
  /** Absent where neither way ends every request. */
  readonly ends?: ToEveryRequest;
  /** Absent where neither way lets every request past something. */
  readonly opens?: ToEveryRequest;
  readonly cause: Cause;
}

/** A rule whose content or `ref` differs; `move` is there when its place changes as well. */
export interface PatchRule {
  readonly kind: 'patch';
  readonly id: string;
  readonly ref: string;
  /** The live `ref`, when the rule takes over a live rule that had another one; that it keeps its id is checked afterwards. */
  readonly adopts?: string;
  readonly before: RuleContent;
  readonly content: RuleContent;
  readonly fields: readonly FieldChange[];
  readonly place: Place;
  readonly move?: Move;
  readonly protection: Protection;
  readonly ends?: ToEveryRequest;
  readonly opens?: ToEveryRequest;
  readonly cause: Cause;
}

/** A rule of which only the place differs. */
export interface MoveRule {
  readonly kind: 'move';
  readonly id: string;
  readonly ref: string;
  readonly description: string;
  readonly move: Move;
  readonly protection: Protection;
  readonly ends?: ToEveryRequest;
  readonly opens?: ToEveryRequest;
  readonly cause: Cause;
}

/** A rule that the files do not want. */
export interface DeleteRule {
  readonly kind: 'delete';
  readonly id: string;
  readonly ref: string;
  readonly before: RuleContent;
  readonly place: Place;
  readonly protection: Protection;
  readonly ends?: ToEveryRequest;
  readonly opens?: ToEveryRequest;
}

/** Whether a change says what its rule becomes. */
export function isWritten(change: RuleChange): change is AddRule | PatchRule {
  return change.kind === 'add' || change.kind === 'patch';
}

/** Whether a change ends what its rule said. */
export function isReplaced(change: RuleChange): change is PatchRule | DeleteRule {
  return change.kind === 'patch' || change.kind === 'delete';
}

/** The `ref` of a live rule before a change. */
export function formerRef(change: Exclude<RuleChange, AddRule>): string {
  return change.kind === 'patch' ? (change.adopts ?? change.ref) : change.ref;
}

/** The changes of rules that live, by id. */
export function changesById(
  changes: readonly RuleChange[],
): ReadonlyMap<string, Exclude<RuleChange, AddRule>> {
  return new Map(changes.flatMap((change) => (change.kind === 'add' ? [] : [[change.id, change] as const])));
}

/** What the rule of a change is described as: a deleted one as it was, others as they become. */
export function descriptionOf(change: RuleChange): string {
  switch (change.kind) {
    case 'add':
    case 'patch':
      return change.content.description;
    case 'move':
      return change.description;
    case 'delete':
      return change.before.description;
    default:
      return assertNever(change);
  }
}

/** The rule of a change as people know it. */
export function changedRule(change: RuleChange): string {
  return describedName(change.ref, descriptionOf(change));
}

/** The rule of a change as what is said of it names it in documents. */
export function ruleOf(change: RuleChange): RuleName {
  return ruleName(change.ref, descriptionOf(change));
}
