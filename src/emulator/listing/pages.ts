import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import { decline } from '../protocol/refusal.ts';

/** The page that a request for a page-style list asks for. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** Reads `page` and `per_page` within the bounds of an endpoint (api.md 1.3). */
export function readPage(
  query: URLSearchParams,
  bounds: { readonly min: number; readonly max: number; readonly standard: number },
): Page {
  return {
    page: readNumber(query, 'page', { min: 1, max: Number.MAX_SAFE_INTEGER, standard: 1 }),
    perPage: readNumber(query, 'per_page', bounds),
  };
}

/** Answers with one page of the items and the page-style `result_info`; a few old lists leave out `total_pages`. */
export function pageOf<T>(
  items: readonly T[],
  page: Page & { readonly totalPages?: 'said' | 'unsaid' },
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
