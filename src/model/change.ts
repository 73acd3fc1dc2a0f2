import { assertNever } from '../data/index.ts';
import { describedName, ruleName } from './described-name.ts';
import type { RuleName } from './described-name.ts';
import type { FieldChange } from './field-change.ts';
import type { RuleContent } from './rule.ts';
import type { Cause } from './source.ts';

/** A rule's place in its ruleset: its number from 1 and the rule before it. */
export interface RulePosition {
  readonly index: number;
  /** `ref` of the rule directly before; null when first. */
  readonly after: string | null;
  /** Description of the rule before; present when its `ref` tells people nothing (`isTelling`). */
  readonly description?: string;
  /**
   * For a rule that the step writes or moves: SHA-256 (hex) of the rules of others that decide before or after it for shared requests
   * (`createBeside`); absent when there are none.
   */
  readonly beside?: string;
}

/** The old and the new place of a rule that moves. */
export interface Move {
  readonly from: RulePosition;
  readonly to: RulePosition;
  /** What moving the rule back would do to protection; absent when neither direction affects it. */
  readonly back?: Protection;
}

/** One difference between the rules of a live ruleset and the desired one. Each rule counts once. */
export type RuleChange = AddRule | PatchRule | MoveRule | DeleteRule;

/** What a change does to protection. A change that is not proven neutral or stronger counts as weakening. */
export type Protection =
  | { readonly kind: 'neutral' }
  | {
      readonly kind: 'weakening';
      readonly reason: string;
      /** Present when it is not known that the change weakens, only not proven that it does not. */
      readonly proven?: false;
    }
  | { readonly kind: 'strengthening'; readonly reason: string };

/**
 * What a change newly does to every request (`forth`), and what undoing the change would (`back`), each as a clause. As an ending
 * (`blocks every request`) it is an outage, even if it protects; as an opening (`lets every request past WAF managed rules`) it is
 * the worst kind of weakening.
 */
export interface ToEveryRequest {
  readonly forth?: string;
  readonly back?: string;
}

/** A rule that the service does not have yet. */
export interface AddRule {
  readonly kind: 'add';
  readonly ref: string;
  readonly content: RuleContent;
  readonly place: RulePosition;
  readonly protection: Protection;
  /** Absent when neither the change nor its undoing ends every request. */
  readonly ends?: ToEveryRequest;
  /** Absent when neither the change nor its undoing lets every request past some protection. */
  readonly opens?: ToEveryRequest;
  /** Why undoing the change would weaken because of rules of another ruleset; absent when it would not. */
  readonly undoing?: string;
  /** Present when it is not known that undoing the change weakens, only not proven that it does not. */
  readonly undoingProven?: false;
  readonly cause: Cause;
}

/** A live rule whose content or `ref` changes; `move` is present when its place changes as well. */
export interface PatchRule {
  readonly kind: 'patch';
  readonly id: string;
  readonly ref: string;
  /** The rule's live `ref`, when the desired rule takes over a live rule with another `ref`; apply checks afterwards that the id stayed. */
  readonly adopts?: string;
  readonly before: RuleContent;
  readonly content: RuleContent;
  readonly fields: readonly FieldChange[];
  readonly place: RulePosition;
  readonly move?: Move;
  readonly protection: Protection;
  readonly ends?: ToEveryRequest;
  readonly opens?: ToEveryRequest;
  readonly undoing?: string;
  readonly undoingProven?: false;
  readonly cause: Cause;
}

/** A live rule of which only the place changes. */
export interface MoveRule {
  readonly kind: 'move';
  readonly id: string;
  readonly ref: string;
  readonly description: string;
  readonly move: Move;
  readonly protection: Protection;
  readonly ends?: ToEveryRequest;
  readonly opens?: ToEveryRequest;
  readonly undoing?: string;
  readonly undoingProven?: false;
  readonly cause: Cause;
}

/** A live rule that the files do not want, so it is deleted. */
export interface DeleteRule {
  readonly kind: 'delete';
  readonly id: string;
  readonly ref: string;
  readonly before: RuleContent;
  readonly place: RulePosition;
  readonly protection: Protection;
  readonly ends?: ToEveryRequest;
  readonly opens?: ToEveryRequest;
  readonly undoing?: string;
  readonly undoingProven?: false;
}

/** Whether a change writes new rule content. */
export function isWritten(change: RuleChange): change is AddRule | PatchRule {
  return change.kind === 'add' || change.kind === 'patch';
}

/** Whether a change replaces or removes live rule content. */
export function isReplaced(change: RuleChange): change is PatchRule | DeleteRule {
  return change.kind === 'patch' || change.kind === 'delete';
}

/** Returns the `ref` that a live rule has before a change. */
export function formerRef(change: Exclude<RuleChange, AddRule>): string {
  return change.kind === 'patch' ? (change.adopts ?? change.ref) : change.ref;
}

/** Indexes the changes to live rules by rule id. */
export function changesById(
  changes: readonly RuleChange[],
): ReadonlyMap<string, Exclude<RuleChange, AddRule>> {
  return new Map(changes.flatMap((change) => (change.kind === 'add' ? [] : [[change.id, change] as const])));
}

/** Returns the description of a change's rule: for a deletion the live one, otherwise the one after the change. */
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

/** Returns the name of a change's rule for people (`describedName`). */
export function describedNameOf(change: RuleChange): string {
  return describedName(change.ref, descriptionOf(change));
}

/** Returns the name of a change's rule for JSON documents (`ruleName`). */
export function ruleNameOf(change: RuleChange): RuleName {
  return ruleName(change.ref, descriptionOf(change));
}
