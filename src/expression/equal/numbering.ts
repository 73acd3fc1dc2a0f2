/**
 * Gives equal descriptions equal numbers, so that trees are compared by number and large ones are never written out: a description
 * names its parts by their numbers.
 */
export interface Numbering {
  readonly numbers: Map<string, number>;
}

/** An empty numbering. Only numbers of one numbering can be compared. */
export function newNumbering(): Numbering {
  return { numbers: new Map() };
}

/** The number of a description. */
export function numberOf(numbering: Numbering, description: string): number {
  const known = numbering.numbers.get(description);
  if (known !== undefined) {
    return known;
  }
  const next = numbering.numbers.size;
  numbering.numbers.set(description, next);
  return next;
}
