/** The methods of the service's routes. */
export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A method of the service's routes. */
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/** A route affected by a deprecation: `{name}` stands for an identifier; paths are relative to the base URL. */
export interface AffectedRoute {
  readonly methods: readonly RouteMethod[];
  readonly path: string;
}

/**
 * What happens on the day of a deprecation. `answers`: nothing, it is deprecated in name only. `gone`: the routes stop. `refused`: requests of
 * the named form are declined. `fields`: whether answers keep the row's fields, and whether requests that carry them are taken, ignored or
 * refused. `mirrored`: the old and the new place show one value, whatever the date; the pairs say which old value equals which new one.
 * `renamed`: a path segment has a new name.
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

/** A row of the deprecation registry: something that the service retires. Dates are `YYYY-MM-DD`. */
export interface Deprecation {
  /** Stable id of the row. */
  readonly id: string;
  readonly subject: string;
  readonly change: string;
  /** When it was first announced, if known and different from the date. */
  readonly announced: string | null;
  /** The date in the table, from which on it is deprecated. */
  readonly date: string;
  /** When the effect comes, if later than the date. */
  readonly end: string | null;
  /** Earlier announced dates that were postponed. */
  readonly earlier: readonly string[];
  readonly affects: readonly AffectedRoute[];
  /** Fields, parameters and headers concerned. */
  readonly fields: readonly string[];
  readonly replacement: string | null;
  readonly effect: DeprecationEffect;
  readonly sources: readonly DeprecationSource[];
}

/** The document that a row comes from. */
export type DeprecationSource = 'specification 9' | 'api.md 12.1';

/** Members that most rows leave out. */
type OptionalMember =
  | 'announced'
  | 'end'
  | 'earlier'
  | 'affects'
  | 'fields'
  | 'replacement'
  | 'effect'
  | 'sources';

/** Builds a row with defaults for what is left out; the default effect is that everything goes on answering. */
export function deprecation(
  row: Omit<Deprecation, OptionalMember> & Partial<Pick<Deprecation, OptionalMember>>,
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

/** Builds routes that share their methods. */
export function routes(
  methods: readonly RouteMethod[],
  ...paths: readonly string[]
): readonly AffectedRoute[] {
  return paths.map((path) => ({ methods, path }));
}

/** Returns the day on which the effect of a row comes. */
export function effectiveDate(row: Deprecation): string {
  return row.end ?? row.date;
}
