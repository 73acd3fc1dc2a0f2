import { lowerAscii } from '../expression/values/ascii.ts';
import { groupBy } from '../model/group-by.ts';

/** A header as it is sent, in binary strings; names keep their case. */
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

/** All values of a header, whatever the case of its name. */
export function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  const wanted = lowerAscii(name);
  return headers.filter((header) => lowerAscii(header.name) === wanted).map(({ value }) => value);
}

/** The headers after a change: `set` takes the place of all that were there, `add` comes behind them. */
export function changeHeader(headers: readonly Header[], change: HeaderChange): readonly Header[] {
  const { name, operation, value } = change;
  const wanted = lowerAscii(name);
  const others =
    operation === 'add' ? headers : headers.filter((header) => lowerAscii(header.name) !== wanted);
  return operation === 'remove' ? others : [...others, { name, value }];
}

/** Values by name, in the order of the pairs; `keyOf` makes names one that mean the same. */
export function groupByName(
  pairs: readonly Header[],
  keyOf: (name: string) => string = (name) => name,
): ReadonlyMap<string, readonly string[]> {
  const groups = groupBy(pairs, ({ name }) => keyOf(name));
  return new Map([...groups].map(([name, group]) => [name, group.map(({ value }) => value)]));
}
