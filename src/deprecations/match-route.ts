import type { RegistryRoute } from '../model/index.ts';
import { REGISTRY_ROUTES } from '../model/index.ts';
import type { FoundPath } from './find-paths.ts';

/** A route of the registry that a path may be. */
export interface RouteMatch extends RegistryRoute {
  /** Whether other services have such paths too; then the file has to show that it means this service. */
  readonly common: boolean;
}

/** Words that many services use in paths below zones and accounts. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  'filters',
  'settings',
  'dns_records',
  'devices',
  'tunnels',
  'gateway',
  'rules',
  'registrar',
  'domains',
  'load_balancers',
  'pools',
  'access',
  'apps',
  'bookmarks',
]);

const COMMON: ReadonlySet<RegistryRoute> = new Set(
  REGISTRY_ROUTES.filter(({ segments }) => isCommon(segments)),
);

/** Returns the routes of the registry that a path may be; empty for an unknown path. */
export function matchRoutes({ segments, base }: FoundPath): readonly RouteMatch[] {
  return REGISTRY_ROUTES.filter(
    (known) =>
      known.segments.length === segments.length &&
      known.segments.every((wanted, index) => fits(wanted, segments[index] ?? null, index)),
  ).map((known) => ({ ...known, common: base === 'relative' && COMMON.has(known) }));
}

/** Product names in real paths where the registry has a neutral word (specification 9, api.md 12.2). */
const PRODUCTS: ReadonlyMap<string, string> = new Map([['accelerators', 'railguns']]);

function fits(wanted: string, given: string | null, index: number): boolean {
  if (!wanted.startsWith('{')) {
    return given === wanted || (given !== null && given === PRODUCTS.get(wanted));
  }
  // A word in place of an identifier means another route: in `devices/policies`, `policies` is not a device.
  return given === null || index === 1 || /[\d.*]|^[A-Z_]+$/u.test(given);
}

function isCommon([root, ...rest]: readonly string[]): boolean {
  const words = rest.filter((segment) => !segment.startsWith('{'));
  return root === 'user' || root === 'organizations' || words.every((word) => COMMON_WORDS.has(word));
}
