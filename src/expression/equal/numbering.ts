import type { Condition } from '../language/ast.ts';

/**
 * Gives equal descriptions equal numbers, so that trees are compared by number and large ones are never written out: a description
 * names its parts by their numbers.
 */
export interface Numbering {
  readonly numbers: Map<string, number>;
  /** The numbers of the conditions already visited, by sense, so that none is visited twice. */
  readonly known: Readonly<Record<Sense, WeakMap<Condition, number>>>;
}

/** Whether a condition is meant as it stands or negated. */
export type Sense = 'as is' | 'negated';

/** The other sense: what `not` makes of one. */
export const OPPOSITE = { 'as is': 'negated', negated: 'as is' } as const;

/** What `and` and `or` become under a negation (De Morgan). */
export const DUAL = { and: 'or', or: 'and' } as const;

/** Returns an empty numbering. Numbers of different numberings cannot be compared. */
export function newNumbering(): Numbering {
  return { numbers: new Map(), known: { 'as is': new WeakMap(), negated: new WeakMap() } };
}

/** Returns the number of a description, a new one when the description is new. */
export function numberOf(numbering: Numbering, description: string): number {
  const known = numbering.numbers.get(description);
  if (known !== undefined) {
    return known;
  }
  const next = numbering.numbers.size;
  numbering.numbers.set(description, next);
  return next;
}
