import { directoryRoutes } from './directory/routes.ts';
import type { Route } from './route.ts';
import { rulesetRoutes } from './rulesets/routes.ts';

/** All operations of the interface, family by family. */
export const routes: readonly Route[] = [...directoryRoutes, ...rulesetRoutes];
