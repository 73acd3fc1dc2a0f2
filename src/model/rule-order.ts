import { assertNever } from './assert-never.ts';
import type { Place, RuleChange } from './change.ts';
import { descriptionBeside } from './described-name.ts';
import type { Step } from './plan.ts';

/** One entry of a ruleset's order after a step: a rule that lives already, or one that the step adds. */
export type OrderEntry =
  | { readonly kind: 'live'; readonly id: string }
  | { readonly kind: 'new'; readonly ref: string };

/** The ids of the live rules that keep their order among themselves; a ruleset that comes or goes has none. */
export function stayingOf(step: Step): readonly string[] {
  return step.operation === 'update' ? step.staying : [];
}

/** The ids of those among them that are not ours. */
export function othersOf(step: Step): readonly string[] {
  return step.operation === 'update' ? (step.others ?? []) : [];
}

/**
 * The rules of a ruleset after a step, in their order. It follows from the rules that stay and the places of those
 * that do not, and is written nowhere else: what a plan says of places is what is carried out.
 */
export function orderAfter(step: Step): readonly OrderEntry[] {
  return orderOf<OrderEntry>(step, {
    live: (id) => ({ kind: 'live', id }),
    added: (ref) => ({ kind: 'new', ref }),
  });
}

/** The same as texts: ids, and `+ref` of what the step adds. */
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

/** The ids of a ruleset's rules before a step, in their order. */
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

/** How many rules of ours a ruleset has before a step and after it. Of one that goes, all count: all go. */
export function ourRuleCounts(step: Step): ReturnType<typeof ruleCounts> {
  const { before, after } = ruleCounts(step);
  const others = othersOf(step).length;
  return { before: before - others, after: after - others };
}

/** How many rules a ruleset has before a step and after it. */
export function ruleCounts(step: Step): { readonly before: number; readonly after: number } {
  let before = stayingOf(step).length;
  let after = before;
  for (const change of step.changes) {
    before += formerIndex(change) === null ? 0 : 1;
    after += newIndex(change) === null ? 0 : 1;
  }
  return { before, after };
}

/** The number from 1 that a rule had before it moved or went; null for rules that stay and for new ones. */
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

/** The number from 1 that a rule gets that is new or moves; null for rules that stay and for those that go. */
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

/** A whole order: the placed rules by their numbers from 1, between them in their sequence those that stay. */
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

/** Identity of a change within its step: equal to the `entryKey` of the entry that it is about. */
export function changeKey(change: RuleChange): string {
  return change.kind === 'add' ? `new ${change.ref}` : `live ${change.id}`;
}

/** Identity of an entry in the order of a step. */
export function entryKey(entry: OrderEntry): string {
  return entry.kind === 'new' ? `new ${entry.ref}` : `live ${entry.id}`;
}

/** Whether a change puts a rule into a place. */
export function isPlaced(change: RuleChange): boolean {
  return newIndex(change) !== null;
}

/** A rule that another one comes after. */
export interface RuleBefore {
  readonly ref: string;
  readonly description: string;
}

/** The place at an index of a list, right after a rule; undefined: first. */
export function placeAfter(before: RuleBefore | undefined, index: number): Place {
  return before === undefined
    ? { index: index + 1, after: null }
    : { index: index + 1, after: before.ref, ...descriptionBeside(before.ref, before.description) };
}
