import { compareText } from '../compare-text.ts';
import { DEPRECATIONS_OF_ACCOUNTS } from './deprecations-accounts.ts';
import { DEPRECATIONS_OF_ZONES } from './deprecations-zones.ts';
import { LATER_DEPRECATIONS } from './deprecations-later.ts';
import type { Deprecation } from './deprecation.ts';

/** Everything that the service retires: the rows of specification 9, and those of api.md 12.1 that are newer or were postponed; newest date first. */
export const DEPRECATIONS: readonly Deprecation[] = [
  ...DEPRECATIONS_OF_ZONES,
  ...DEPRECATIONS_OF_ACCOUNTS,
  ...LATER_DEPRECATIONS,
].toSorted((a, b) => compareText(b.date, a.date) || compareText(a.id, b.id));

const BY_ID: ReadonlyMap<string, Deprecation> = new Map(DEPRECATIONS.map((row) => [row.id, row]));

/** Finds a row by id. */
export function findDeprecation(id: string): Deprecation | undefined {
  return BY_ID.get(id);
}
