import { lowerAscii } from '../expression/index.ts';
import { groupBy } from '../data/index.ts';

/** A header as it is sent, in binary strings; the name keeps its case. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What a rule does with a header (api.md 5.5). */
export interface HeaderChange {
  readonly name: string;
  readonly operation: 'add' | 'set' | 'remove';
  readonly value: string;
}

/** Returns all values of a header, ignoring the case of its name. */
export function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  const wanted = lowerAscii(name);
  return headers.filter((header) => lowerAscii(header.name) === wanted).map(({ value }) => value);
}

/** Returns the headers after a change: `set` replaces all headers of the name, `add` appends one. */
export function changeHeader(headers: readonly Header[], change: HeaderChange): readonly Header[] {
  const { name, operation, value } = change;
  const wanted = lowerAscii(name);
  const others =
    operation === 'add' ? headers : headers.filter((header) => lowerAscii(header.name) !== wanted);
  return operation === 'remove' ? others : [...others, { name, value }];
}

/** Returns the values by name, in the order of the pairs; names with the same `keyOf` count as one. */
export function groupByName(
  pairs: readonly Header[],
  keyOf: (name: string) => string = (name) => name,
): ReadonlyMap<string, readonly string[]> {
  const groups = groupBy(pairs, ({ name }) => keyOf(name));
  return new Map([...groups].map(([name, group]) => [name, group.map(({ value }) => value)]));
}
