import { accept, unexpectedAnswer } from './accept.ts';
import type { GetOptions, ReadClient } from './client.ts';

/** No list of the service is that long; a cursor that leads on and on ends here. */
const MOST_PAGES = 2000;

/** A list that goes on by cursor (api.md 1.3). A cursor that comes twice is refused. */
export async function readByCursor<Item>(
  client: ReadClient,
  path: string,
  options: GetOptions & { readonly perPage: number; readonly decode: (result: unknown) => readonly Item[] },
): Promise<readonly Item[]> {
  const { perPage, decode, query, ...rest } = options;
  const items: Item[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const answer = await client.get(path, {
      ...rest,
      query: { ...query, per_page: perPage, ...(cursor === undefined ? {} : { cursor }) },
    });
    items.push(...accept(answer, decode));
    cursor = answer.resultInfo?.after;
    if (cursor === undefined) {
      return items;
    }
    if (seen.has(cursor) || seen.size >= MOST_PAGES) {
      throw unexpectedAnswer(answer, 'its list does not end: the cursor of the next page comes again and again');
    }
    seen.add(cursor);
  }
}

/**
 * A list in numbered pages (api.md 1.3). It ends with the last page that the service names or with an
 * empty one; a short page does not end it, for the page size in the answer is not always the one asked for.
 */
export async function readByPage<Item>(
  client: ReadClient,
  path: string,
  options: GetOptions & { readonly perPage: number; readonly decode: (result: unknown) => readonly Item[] },
): Promise<readonly Item[]> {
  const { perPage, decode, query, ...rest } = options;
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.get(path, { ...rest, query: { ...query, per_page: perPage, page } });
    const found = accept(answer, decode);
    items.push(...found);
    const info = answer.resultInfo;
    const ended =
      info?.totalPages === undefined
        ? items.length >= (info?.totalCount ?? 0)
        : page >= info.totalPages;
    if (found.length === 0 || ended) {
      return items;
    }
    if (page >= MOST_PAGES) {
      throw unexpectedAnswer(answer, `its list has more than ${MOST_PAGES} pages`);
    }
  }
}
