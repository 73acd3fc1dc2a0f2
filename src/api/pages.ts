import { decodeResult, unexpectedResponse } from './response.ts';
import type { GetOptions, ReadClient } from './client.ts';

/** Limits above every list of the service, such as 100,000 zones. A list that goes on after them is refused. */
const MAX_PAGES = 2000;
const MAX_CURSORS = 200;

/** Reads a whole list that is paginated by cursor (api.md 1.3). Refuses a cursor that comes twice. */
export async function readByCursor<Item>(
  client: ReadClient,
  path: string,
  options: PageOptions<Item>,
): Promise<readonly Item[]> {
  const { perPage, mostPages = MAX_CURSORS, decode, query, ...rest } = options;
  const items: Item[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const response = await client.get(path, {
      ...rest,
      query: { ...query, per_page: perPage, ...(cursor === undefined ? {} : { cursor }) },
    });
    items.push(...decodeResult(response, decode));
    cursor = response.resultInfo?.after;
    if (cursor === undefined) {
      return items;
    }
    if (seen.has(cursor) || seen.size >= mostPages) {
      throw unexpectedResponse(
        response,
        'its list does not end: the cursor of the next page comes again and again',
      );
    }
    seen.add(cursor);
  }
}

/** How to read a paginated list. */
export interface PageOptions<Item> extends GetOptions {
  readonly perPage: number;
  /** Most pages by cursor, where the service may have more than 200. */
  readonly mostPages?: number;
  readonly decode: (result: unknown) => readonly Item[];
}

/** One page of a list that is paginated by number. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of the last page; a page without items is always the last. */
  readonly lastPage: number;
  /** The number of items in the whole list according to the service; null when it does not say. */
  readonly total: number | null;
}

/**
 * Reads page `number` (from 1) of a list (api.md 1.3). The number of pages is the one that the service gives, or the one that follows from
 * its item count if that is larger. A short page does not end the list, because the service does not always use the page size asked for.
 */
export async function readPage<Item>(
  client: ReadClient,
  path: string,
  number: number,
  options: PageOptions<Item>,
): Promise<Page<Item>> {
  const { perPage, decode, query, ...rest } = options;
  const response = await client.get(path, { ...rest, query: { ...query, per_page: perPage, page: number } });
  const items = decodeResult(response, decode);
  if (number > MAX_PAGES) {
    throw unexpectedResponse(response, `its list has more than ${MAX_PAGES} pages`);
  }
  const { totalPages, totalCount, perPage: given = perPage } = response.resultInfo ?? {};
  const counted =
    totalCount === undefined ? 1 : Math.ceil(totalCount / Math.max(1, Math.min(given, perPage)));
  const lastPage = items.length === 0 ? number : Math.max(totalPages ?? 1, counted);
  return { items, lastPage, total: totalCount ?? null };
}

/** Reads a whole list that is paginated by number. */
export async function readByPage<Item>(
  client: ReadClient,
  path: string,
  options: PageOptions<Item>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let number = 1; ; number += 1) {
    const page = await readPage(client, path, number, options);
    items.push(...page.items);
    if (number >= page.lastPage) {
      return items;
    }
  }
}
