import type { ScopedCall } from '../call.ts';
import { readNumber } from '../directory/pages.ts';
import type { JsonObject } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { itemNotFound } from './errors.ts';
import { withList } from './find.ts';
import type { ListItem } from './list.ts';

const LARGEST_PAGE = 500;

/** GET items, by pages with a cursor forwards and one backwards; `search` looks into values and comments (api.md 1.3). */
export function readItems(call: ScopedCall): Answer | Refusal {
  return withList(call, (list) => {
    const size = readNumber(call.query, 'per_page', { min: 1, max: LARGEST_PAGE, standard: LARGEST_PAGE });
    if (isRefusal(size)) {
      return size;
    }
    const search = (call.query.get('search') ?? '').toLowerCase();
    const items = list.items.filter((item) => matches(item, search));
    const start = readStart(call.query, items.length);
    if (isRefusal(start)) {
      return start;
    }
    const end = start + size;
    const cursors = {
      ...(start > 0 ? { before: cursorAt(Math.max(0, start - size)) } : {}),
      ...(end < items.length ? { after: cursorAt(end) } : {}),
    };
    const shown = items.slice(start, end).map(showItem);
    return Object.keys(cursors).length === 0 ? result(shown) : result(shown, { cursors });
  });
}

/** GET one item. */
export function readItem(call: ScopedCall): Answer | Refusal {
  return withList(call, (list) => {
    const id = call.params['item'] ?? '';
    const item = list.items.find((candidate) => candidate.id === id);
    return item === undefined ? itemNotFound(id) : result(showItem(item));
  });
}

function showItem(item: ListItem): JsonObject {
  return {
    id: item.id,
    ...item.value,
    ...(item.comment === '' ? {} : { comment: item.comment }),
    created_on: item.created_on,
    modified_on: item.modified_on,
  };
}

function matches(item: ListItem, search: string): boolean {
  return search === '' || `${JSON.stringify(item.value)} ${item.comment}`.toLowerCase().includes(search);
}

function cursorAt(place: number): string {
  return Buffer.from(`item:${place}`).toString('base64url');
}

function readStart(query: URLSearchParams, length: number): number | Refusal {
  const text = query.get('cursor');
  if (text === null) {
    return 0;
  }
  const [, place] = /^item:(\d+)$/u.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return place === undefined
    ? badParameter('cursor', text, 'it is not a cursor of this list')
    : Math.min(Number(place), length);
}
