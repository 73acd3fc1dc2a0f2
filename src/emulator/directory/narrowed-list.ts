import type { ScopedCall } from '../call.ts';
import { pageOf, readPage } from './pages.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';

/** How a query parameter narrows a list: by the very value, by a part of it in any case, or by true and false. */
export type Narrowing<T> =
  | { readonly kind: 'exact' | 'part'; readonly of: (item: T) => string }
  | { readonly kind: 'flag'; readonly of: (item: T) => boolean };

/** The narrowings of a list, by query parameter. */
export type Narrowings<T> = Readonly<Record<string, Narrowing<T>>>;

/** How a family's list is paged, narrowed and shown. */
export interface ListRules<T> {
  readonly bounds: { readonly min: number; readonly max: number; readonly standard: number };
  readonly narrowings: Narrowings<T>;
  readonly show: (item: T) => unknown;
}

/** Answers with one page of the items that the query asks for (api.md 1.3). */
export function narrowedList<T>(call: ScopedCall, items: readonly T[], rules: ListRules<T>): Answer {
  const page = readPage(call.query, rules.bounds);
  return pageOf(narrow(call.query, items, rules.narrowings), page, rules.show);
}

function narrow<T>(query: URLSearchParams, items: readonly T[], narrowings: Narrowings<T>): readonly T[] {
  let left = items;
  for (const [name, narrowing] of Object.entries(narrowings)) {
    const value = query.get(name);
    if (value === null) {
      continue;
    }
    const test = testOf(narrowing, value);
    if (test === undefined) {
      throw badParameter(name, value, 'it must be true or false');
    }
    left = left.filter(test);
  }
  return left;
}

function testOf<T>(narrowing: Narrowing<T>, value: string): ((item: T) => boolean) | undefined {
  switch (narrowing.kind) {
    case 'exact':
      return (item) => narrowing.of(item) === value;
    case 'part': {
      const part = value.toLowerCase();
      return (item) => narrowing.of(item).toLowerCase().includes(part);
    }
    case 'flag':
      return value === 'true' || value === 'false'
        ? (item) => narrowing.of(item) === (value === 'true')
        : undefined;
    default:
      return undefined;
  }
}
