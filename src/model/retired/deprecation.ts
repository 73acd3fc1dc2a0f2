/** The methods of the service's routes. */
export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One of them. */
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** A route that a deprecation touches: `{name}` stands for an identifier; paths begin below the base URL. */
export interface AffectedRoute {
  readonly methods: readonly RouteMethod[];
  readonly path: string;
}

/**
 * What happens on the day of a deprecation. `answers`: nothing, the word alone changes no behaviour. `gone`: the routes
 * stop. `refused`: requests of the named form are declined. `fields`: the row's fields leave the answers, and requests
 * that carry them are taken, ignored or refused. `mirrored`: old and new place show one value, whatever the date; the
 * pairs say which old value equals which new one. `renamed`: a segment of the path has a new name.
 */
export type DeprecationEffect =
  | { readonly kind: 'answers' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly form: string }
  | {
      readonly kind: 'fields';
      readonly answers: 'kept' | 'omitted';
      readonly requests: 'taken' | 'ignored' | 'refused';
    }
  | {
      readonly kind: 'mirrored';
      readonly field: string;
      readonly values: readonly (readonly [old: string, replacement: string])[];
    }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string };

/** Something that the service retires. Dates are `YYYY-MM-DD`. */
export interface Deprecation {
  /** A word for it that never changes. */
  readonly id: string;
  readonly subject: string;
  readonly change: string;
  /** When it was said first, where that is known apart from the date. */
  readonly announced: string | null;
  /** The date of the table: from then on it is deprecated. */
  readonly date: string;
  /** When its effect comes, where that is later than the date. */
  readonly end: string | null;
  /** Dates that were announced before and moved. */
  readonly earlier: readonly string[];
  readonly affects: readonly AffectedRoute[];
  /** Fields, parameters and headers that it touches. */
  readonly fields: readonly string[];
  readonly replacement: string | null;
  readonly effect: DeprecationEffect;
  readonly sources: readonly DeprecationSource[];
}

/** Where a row comes from. */
export type DeprecationSource = 'specification 9' | 'api.md 12.1';

/** The parts of a row that most rows do not have. */
type Optional = 'announced' | 'end' | 'earlier' | 'affects' | 'fields' | 'replacement' | 'effect' | 'sources';

/** Makes a row; what is not said is absent, and its effect is that everything goes on answering. */
export function deprecation(
  row: Omit<Deprecation, Optional> & Partial<Pick<Deprecation, Optional>>,
): Deprecation {
  return {
    announced: null,
    end: null,
    earlier: [],
    affects: [],
    fields: [],
    replacement: null,
    effect: { kind: 'answers' },
    sources: ['specification 9'],
    ...row,
  };
}

/** Routes that share their methods. */
export function routes(
  methods: readonly RouteMethod[],
  ...paths: readonly string[]
): readonly AffectedRoute[] {
  return paths.map((path) => ({ methods, path }));
}

/** The day on which the effect of a row comes. */
export function effectiveDate(row: Deprecation): string {
  return row.end ?? row.date;
}
