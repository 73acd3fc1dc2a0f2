import type { JsonObject } from '../protocol/json.ts';
import { testsOf } from '../listing/narrowed-list.ts';
import type { Narrowings } from '../listing/narrowed-list.ts';
import { checkWord, pageOf, readPage } from '../listing/pages.ts';
import type { Answer } from '../protocol/answer.ts';

/** How a list of items can be narrowed and ordered; the items are as answers show them. */
export interface OrderedListRules {
  readonly narrowings: Narrowings<JsonObject>;
  readonly orders: readonly string[];
  /** Whether `result_info` contains `total_pages` (api.md 1.3). */
  readonly totalPages: 'said' | 'unsaid';
}

const BOUNDS = { min: 5, max: 100, standard: 50 };

/**
 * Answers with one page of the items that match the query (api.md 1.3): filters, `match`, `order`, `direction`, `page`,
 * `per_page`.
 */
export function answerList(
  query: URLSearchParams,
  items: readonly JsonObject[],
  rules: OrderedListRules,
): Answer {
  const page = readPage(query, BOUNDS);
  checkWord(query, 'match', ['all', 'any']);
  checkWord(query, 'direction', ['asc', 'desc']);
  checkWord(query, 'order', rules.orders);
  const { narrowings, totalPages } = rules;
  return pageOf(ordered(narrowed(items, query, narrowings), query), { ...page, totalPages }, (item) => item);
}

function narrowed(
  items: readonly JsonObject[],
  query: URLSearchParams,
  narrowings: Narrowings<JsonObject>,
): readonly JsonObject[] {
  const tests = testsOf(query, narrowings);
  const any = query.get('match') === 'any' && tests.length > 0;
  return items.filter((item) => (any ? tests.some((test) => test(item)) : tests.every((test) => test(item))));
}

function ordered(items: readonly JsonObject[], query: URLSearchParams): readonly JsonObject[] {
  const key = query.get('order');
  const sign = query.get('direction') === 'desc' ? -1 : 1;
  if (key === null) {
    return sign === 1 ? items : items.toReversed();
  }
  return items.toSorted((a, b) => sign * compare(sortValue(a, key), sortValue(b, key)));
}

function sortValue(item: JsonObject, key: string): number | string {
  const group = item['group'];
  const value =
    key === 'group_id' && typeof group === 'object' && group !== null && 'id' in group ? group.id : item[key];
  return typeof value === 'string' && !/^\d+$/u.test(value) ? value : Number(value);
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
