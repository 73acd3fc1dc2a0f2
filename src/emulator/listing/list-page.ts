import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter, decline } from '../protocol/refusal.ts';
import type { Call } from '../call/call.ts';

/** The page that a request for a page-style list asks for. */
export interface ListPage {
  readonly page: number;
  readonly perPage: number;
}

/** Reads `page` and `per_page` within the bounds of an endpoint (api.md 1.3). */
export function readPage(
  query: URLSearchParams,
  bounds: { readonly min: number; readonly max: number; readonly standard: number },
): ListPage {
  return {
    page: readNumber(query, 'page', { min: 1, max: Number.MAX_SAFE_INTEGER, standard: 1 }),
    perPage: readNumber(query, 'per_page', bounds),
  };
}

/** Answers with one page of the items and the page-style `result_info`; a few old lists leave out `total_pages`. */
export function pageOf<T>(
  items: readonly T[],
  page: ListPage & { readonly totalPages?: 'said' | 'unsaid' },
  show: (item: T) => unknown,
): Answer {
  const start = (page.page - 1) * page.perPage;
  const shown = items.slice(start, start + page.perPage).map(show);
  return result(shown, {
    page: page.page,
    per_page: page.perPage,
    count: shown.length,
    total_count: items.length,
    ...(page.totalPages === 'unsaid' ? {} : { total_pages: Math.ceil(items.length / page.perPage) }),
  });
}

/** Reads a whole number from a query, within bounds; returns `standard` when the parameter is absent. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly standard: number },
): number {
  const text = query.get(name);
  if (text === null) {
    return bounds.standard;
  }
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  return value >= bounds.min && value <= bounds.max
    ? value
    : decline(badParameter(name, text, `it must be a whole number from ${bounds.min} to ${bounds.max}`));
}

/** Refuses a query parameter whose value is none of the words; the parameter may be absent. */
export function checkWord(query: URLSearchParams, name: string, words: readonly string[]): void {
  const value = query.get(name);
  if (value !== null && !words.includes(value)) {
    throw badParameter(name, value, `it must be one of ${words.join(', ')}`);
  }
}

/** Turns the value of a query parameter into a test for the items of a list. */
type Narrowing<T> = (value: string, name: string) => (item: T) => boolean;

/** The narrowings of a list, by name of the query parameter. */
export type Narrowings<T> = Readonly<Record<string, Narrowing<T>>>;

/** How a family's list is paged, narrowed and shown. */
export interface ListRules<T> {
  readonly bounds: { readonly min: number; readonly max: number; readonly standard: number };
  readonly narrowings: Narrowings<T>;
  readonly show: (item: T) => unknown;
}

/** Narrows to items that have exactly the value. */
export function byValue<T>(of: (item: T) => string): Narrowing<T> {
  return (value) => (item) => of(item) === value;
}

/** Narrows to items that contain the value, ignoring case. */
export function byPart<T>(of: (item: T) => string): Narrowing<T> {
  return (value) => {
    const wanted = value.toLowerCase();
    return (item) => of(item).toLowerCase().includes(wanted);
  };
}

/** Narrows by a boolean; refuses any value but `true` and `false`. */
export function byFlag<T>(of: (item: T) => boolean): Narrowing<T> {
  return (value, name) => {
    if (value !== 'true' && value !== 'false') {
      throw badParameter(name, value, 'it must be true or false');
    }
    return (item) => of(item) === (value === 'true');
  };
}

/** Returns the tests that the parameters of a query ask for. */
export function testsOf<T>(
  query: URLSearchParams,
  narrowings: Narrowings<T>,
): readonly ((item: T) => boolean)[] {
  return Object.entries(narrowings).flatMap(([name, narrowing]) => {
    const value = query.get(name);
    return value === null ? [] : [narrowing(value, name)];
  });
}

/** Answers with one page of the items that pass all tests of the query (api.md 1.3). */
export function narrowedList<T>(
  { query }: Pick<Call, 'query'>,
  items: readonly T[],
  rules: ListRules<T>,
): Answer {
  const page = readPage(query, rules.bounds);
  const tests = testsOf(query, rules.narrowings);
  return pageOf(
    items.filter((item) => tests.every((test) => test(item))),
    page,
    rules.show,
  );
}

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
