import { assertNever } from '../assert-never.ts';
import type { AffectedRoute, Deprecation, RouteMethod } from './deprecation.ts';
import { DEPRECATIONS } from './deprecations.ts';

/** A route that a row of the registry names. */
export interface RegistryRoute {
  readonly row: Deprecation;
  readonly route: AffectedRoute;
  /** Of its path; `{name}` stands for an identifier. */
  readonly segments: readonly string[];
  /** Whether the route itself is retired; else only fields of its requests and answers are. */
  readonly retired: boolean;
}

/** Every route of the registry. */
export const REGISTRY_ROUTES: readonly RegistryRoute[] = DEPRECATIONS.flatMap((row) =>
  row.affects.map((route) => {
    const segments = route.path.slice(1).split('/');
    return { row, route, segments, retired: isRetired(row, segments) };
  }),
);

/** The retired route that a request takes, its path without a query; undefined for one that stays. */
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

/** Where a row says that fields are retired, its routes stay, but those that are named after the field. */
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
