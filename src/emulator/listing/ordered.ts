import { checkWord } from './pages.ts';

/** Returns items in the order that `order` and `direction` ask for; without them, as they are. Refuses an unknown order. */
export function ordered<T>(
  query: URLSearchParams,
  items: readonly T[],
  orders: Readonly<Record<string, (item: T) => string>>,
): readonly T[] {
  checkWord(query, 'order', Object.keys(orders));
  checkWord(query, 'direction', ['asc', 'desc']);
  const [first = ''] = Object.keys(orders);
  if (!query.has('order') && !query.has('direction')) {
    return items;
  }
  const of = orders[query.get('order') ?? first];
  const sign = query.get('direction') === 'desc' ? -1 : 1;
  return of === undefined ? items : items.toSorted((a, b) => sign * compare(of(a), of(b)));
}

/** Compares texts by their code units, so that the order does not depend on the machine. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
