import type { Clock } from '../environment/clock.ts';
import { textAt } from '../protocol/json.ts';
import type { ZoneObject } from '../records/zone-object.ts';
import { inEffect } from '../environment/in-effect.ts';

const FIELDS = ['name', 'content'] as const;

/** The comparison for each word of a filter. */
const COMPARISONS: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  exact: (value, wanted) => value === wanted,
  contains: (value, wanted) => value.includes(wanted),
  startswith: (value, wanted) => value.startsWith(wanted),
  endswith: (value, wanted) => value.endsWith(wanted),
};

/**
 * Returns the test of the records that a list shows, from filters such as `name.contains=x`. Until its end of life,
 * `name=contains:x` means the same; afterwards it asks for that exact value (api.md 12.1).
 */
export function recordFilter(
  service: { readonly clock: Clock },
  query: URLSearchParams,
): (record: ZoneObject) => boolean {
  const old = !inEffect(service, 'dns-record-list-filters');
  const tests = FIELDS.flatMap((field) => [
    ...Object.entries(COMPARISONS).map(([word, compare]) => ({
      field,
      wanted: query.get(`${field}.${word}`),
      compare,
    })),
    { field, ...plainTest(query.get(field), old) },
  ]);
  return ({ body }) =>
    tests.every(
      ({ field, wanted, compare }) => wanted === null || compare(textAt(body, field) ?? '', wanted),
    );
}

function plainTest(text: string | null, old: boolean) {
  const [, word = 'exact', rest = text] = old ? (/^([a-z]+):(.*)$/u.exec(text ?? '') ?? []) : [];
  const named = Object.hasOwn(COMPARISONS, word) ? COMPARISONS[word] : undefined;
  const exact = (value: string, wanted: string): boolean => value === wanted;
  return named === undefined ? { wanted: text, compare: exact } : { wanted: rest, compare: named };
}
