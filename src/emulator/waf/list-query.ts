import type { JsonObject } from '../json.ts';
import { checkWord, pageOf, readPage } from '../directory/pages.ts';
import type { Answer } from '../protocol/answer.ts';

/** How a list can be filtered and ordered: a filter tells whether a shown item fits the value asked for. */
export interface ListRules {
  readonly filters: Readonly<Record<string, (item: JsonObject, value: string) => boolean>>;
  readonly orders: readonly string[];
  /** Whether `result_info` says how many pages there are (api.md 1.3). */
  readonly totalPages: 'said' | 'unsaid';
}

const BOUNDS = { min: 5, max: 100, standard: 50 };

/** Answers with one page of what fits the query (api.md 1.3): filters, `match`, `order`, `direction`, `page`, `per_page`. */
export function answerList(query: URLSearchParams, items: readonly JsonObject[], rules: ListRules): Answer {
  const page = readPage(query, BOUNDS);
  checkWord(query, 'match', ['all', 'any']);
  checkWord(query, 'direction', ['asc', 'desc']);
  checkWord(query, 'order', rules.orders);
  const { totalPages } = rules;
  return pageOf(ordered(filtered(items, query, rules), query), { ...page, totalPages }, (item) => item);
}

function filtered(
  items: readonly JsonObject[],
  query: URLSearchParams,
  { filters }: ListRules,
): readonly JsonObject[] {
  const asked = Object.entries(filters).flatMap(([name, fits]) => {
    const value = query.get(name);
    return value === null ? [] : [(item: JsonObject) => fits(item, value)];
  });
  if (asked.length === 0) {
    return items;
  }
  return query.get('match') === 'any'
    ? items.filter((item) => asked.some((fits) => fits(item)))
    : items.filter((item) => asked.every((fits) => fits(item)));
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
