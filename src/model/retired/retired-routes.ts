import { assertNever } from '../../data/index.ts';
import type { AffectedRoute, Deprecation, RouteMethod } from './deprecation.ts';
import { DEPRECATIONS } from './deprecations.ts';

/** A route named by a row of the deprecation registry. */
export interface RegistryRoute {
  readonly row: Deprecation;
  readonly route: AffectedRoute;
  /** Segments of the path; `{name}` stands for an identifier. */
  readonly segments: readonly string[];
  /** Whether the route itself is retired, rather than only fields of its requests and answers. */
  readonly retired: boolean;
}

/** All routes of the deprecation registry. */
export const REGISTRY_ROUTES: readonly RegistryRoute[] = DEPRECATIONS.flatMap((row) =>
  row.affects.map((route) => {
    const segments = route.path.slice(1).split('/');
    return { row, route, segments, retired: isRetired(row, segments) };
  }),
);

/** Finds the retired route of a request, given its path without a query; undefined when the route stays. */
export function retiredRoute(method: RouteMethod, path: string): RegistryRoute | undefined {
  const given = path.slice(1).split('/');
  return REGISTRY_ROUTES.find(
    ({ route, segments, retired }) =>
      retired &&
      segments.length === given.length &&
      route.methods.includes(method) &&
      segments.every((wanted, index) => wanted.startsWith('{') || wanted === given[index]),
  );
}

/** Whether a row retires the route itself. A row about fields retires only routes named after such a field. */
function isRetired({ effect, fields }: Deprecation, segments: readonly string[]): boolean {
  switch (effect.kind) {
    case 'gone':
      return true;
    case 'answers':
    case 'renamed':
    case 'mirrored':
    case 'fields':
      return fields.length === 0 || fields.includes(segments.at(-1) ?? '');
    case 'refused':
      return false;
    default:
      return assertNever(effect);
  }
}
