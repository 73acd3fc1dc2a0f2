import { param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { readNumber } from '../listing/pages.ts';
import type { JsonObject } from '../protocol/json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';
import { decline } from '../protocol/refusal.ts';
import { notFound } from '../protocol/templates.ts';
import { findList } from './find.ts';
import type { ListItem } from '../records/list.ts';

const LARGEST_PAGE = 500;

/** GET items, paged by cursors in both directions; `search` looks into values and comments (api.md 1.3). */
export function readItems(call: ScopedCall): Answer {
  const list = findList(call, 'Read');
  const size = readNumber(call.query, 'per_page', { min: 1, max: LARGEST_PAGE, standard: LARGEST_PAGE });
  const search = (call.query.get('search') ?? '').toLowerCase();
  const items = list.items.filter((item) => matches(item, search));
  const start = readStart(call.query, items.length);
  const end = start + size;
  const cursors = {
    ...(start > 0 ? { before: cursorAt(Math.max(0, start - size)) } : {}),
    ...(end < items.length ? { after: cursorAt(end) } : {}),
  };
  const shown = items.slice(start, end).map(showItem);
  return Object.keys(cursors).length === 0 ? result(shown) : result(shown, { cursors });
}

/** GET one item of a list. */
export function readItem(call: ScopedCall): Answer {
  const list = findList(call, 'Read');
  const id = param(call, 'item');
  const item = list.items.find((candidate) => candidate.id === id);
  return result(showItem(item ?? decline(notFound('item', id))));
}

function showItem(item: ListItem): JsonObject {
  return {
    id: item.id,
    ...item.value,
    comment: item.comment || undefined,
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

function readStart(query: URLSearchParams, length: number): number {
  const text = query.get('cursor');
  if (text === null) {
    return 0;
  }
  const [, place] = /^item:(\d+)$/u.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (place === undefined) {
    throw badParameter('cursor', text, 'it is not a cursor of this list');
  }
  return Math.min(Number(place), length);
}
