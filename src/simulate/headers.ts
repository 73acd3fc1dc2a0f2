/** A header as it is sent; names keep their case, values are binary strings. */
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
  const wanted = name.toLowerCase();
  return headers.filter((header) => header.name.toLowerCase() === wanted).map(({ value }) => value);
}

/** The headers after a change: `set` takes the place of all that were there, `add` comes behind them. */
export function changeHeader(headers: readonly Header[], change: HeaderChange): readonly Header[] {
  const { name, operation, value } = change;
  const wanted = name.toLowerCase();
  const others =
    operation === 'add' ? headers : headers.filter((header) => header.name.toLowerCase() !== wanted);
  return operation === 'remove' ? others : [...others, { name, value }];
}

/** Values by lower-cased name, in the order of the headers. */
export function groupByName(pairs: readonly Header[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const key = name.toLowerCase();
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [value]);
    } else {
      group.push(value);
    }
  }
  return groups;
}
