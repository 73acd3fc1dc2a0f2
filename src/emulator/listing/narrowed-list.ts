import type { Call } from '../call/call.ts';
import { pageOf, readPage } from './pages.ts';
import type { Answer } from '../protocol/answer.ts';
import { badParameter } from '../protocol/gateway-errors.ts';

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
