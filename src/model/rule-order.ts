import { assertNever } from '../data/index.ts';
import type { RulePosition, RuleChange } from './change.ts';
import { descriptionBeside } from './described-name.ts';
import type { Step } from './plan.ts';

/** One rule in the order after a step: one that is live already, or one that the step adds. */
export type OrderEntry =
  | { readonly kind: 'live'; readonly id: string }
  | { readonly kind: 'new'; readonly ref: string };

/** Returns the ids of the live rules that keep their relative order; none for a ruleset that is created or deleted. */
export function stayingOf(step: Step): readonly string[] {
  return step.operation === 'update' ? step.staying : [];
}

/** Returns the ids of the rules that are not ours: of those that stay, or of those that go with their ruleset. */
export function othersOf(step: Step): readonly string[] {
  return step.operation === 'create' ? [] : (step.others ?? []);
}

/**
 * Returns the rules of a ruleset after a step, in order. The order is derived from the staying rules and the places of the others, and stored
 * nowhere else: the places that a plan shows are the ones that are applied.
 */
export function orderAfter(step: Step): readonly OrderEntry[] {
  return orderOf<OrderEntry>(step, {
    live: (id) => ({ kind: 'live', id }),
    added: (ref) => ({ kind: 'new', ref }),
  });
}

/** Returns the order after a step as texts: ids, and `+ref` for rules that the step adds. */
export function orderTexts(step: Step): readonly string[] {
  return orderOf(step, { live: (id) => id, added: (ref) => `+${ref}` });
}

function orderOf<Rule>(
  step: Step,
  { live, added }: { readonly live: (id: string) => Rule; readonly added: (ref: string) => Rule },
): readonly Rule[] {
  const placed = new Map<number, Rule>();
  for (const change of step.changes) {
    const index = newIndex(change);
    if (index !== null) {
      placed.set(index, change.kind === 'add' ? added(change.ref) : live(change.id));
    }
  }
  return interleave(stayingOf(step).map(live), placed);
}

/** Returns the ids of a ruleset's rules before a step, in order. */
export function orderBefore(step: Step): readonly string[] {
  const placed = new Map<number, string>();
  for (const change of step.changes) {
    const index = formerIndex(change);
    if (index !== null && change.kind !== 'add') {
      placed.set(index, change.id);
    }
  }
  return interleave(stayingOf(step), placed);
}

/** Counts our rules in a ruleset before and after a step. */
export function ourRuleCounts(step: Step): ReturnType<typeof ruleCounts> {
  const { before, after } = ruleCounts(step);
  const others = othersOf(step).length;
  return { before: before - others, after: step.operation === 'delete' ? after : after - others };
}

/** Counts the rules of a ruleset before and after a step. */
export function ruleCounts(step: Step): { readonly before: number; readonly after: number } {
  let before = stayingOf(step).length;
  let after = before;
  for (const change of step.changes) {
    before += formerIndex(change) === null ? 0 : 1;
    after += newIndex(change) === null ? 0 : 1;
  }
  return { before, after };
}

/** Returns the number, from 1, that a rule had before it moved or was deleted; null for rules that stay and for new ones. */
function formerIndex(change: RuleChange): number | null {
  switch (change.kind) {
    case 'delete':
      return change.place.index;
    case 'move':
      return change.move.from.index;
    case 'patch':
      return change.move?.from.index ?? null;
    case 'add':
      return null;
    default:
      return assertNever(change);
  }
}

/** Returns the number, from 1, of a rule that is new or moves; null for rules that stay and for deleted ones. */
function newIndex(change: RuleChange): number | null {
  switch (change.kind) {
    case 'add':
      return change.place.index;
    case 'move':
      return change.move.to.index;
    case 'patch':
      return change.move?.to.index ?? null;
    case 'delete':
      return null;
    default:
      return assertNever(change);
  }
}

/** Merges the placed rules, by their numbers from 1, with the staying rules in their sequence. */
function interleave<Rule>(staying: readonly Rule[], placed: ReadonlyMap<number, Rule>): readonly Rule[] {
  if (placed.size === 0) {
    return staying;
  }
  const rules: Rule[] = [];
  const total = placed.size + staying.length;
  for (let index = 1, next = 0; index <= total; index += 1) {
    const rule = placed.get(index) ?? staying[next];
    next += placed.has(index) ? 0 : 1;
    if (rule !== undefined) {
      rules.push(rule);
    }
  }
  return rules;
}

/** Identifies a change within its step; equal to the `entryKey` of its rule's entry. */
export function changeKey(change: RuleChange): string {
  return change.kind === 'add' ? `new ${change.ref}` : `live ${change.id}`;
}

/** Identifies an entry within the order of a step. */
export function entryKey(entry: OrderEntry): string {
  return entry.kind === 'new' ? `new ${entry.ref}` : `live ${entry.id}`;
}

/** Whether a change puts a rule at a new place. */
export function isPlaced(change: RuleChange): boolean {
  return newIndex(change) !== null;
}

/** The rule that comes directly before another. */
export interface RuleBefore {
  readonly ref: string;
  readonly description: string;
}

/** Builds the place at a list index, given the rule before it; undefined: the place is the first. */
export function placeAfter(before: RuleBefore | undefined, index: number): RulePosition {
  return before === undefined
    ? { index: index + 1, after: null }
    : { index: index + 1, after: before.ref, ...descriptionBeside(before.ref, before.description) };
}
