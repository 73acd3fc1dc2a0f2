import { effectiveDate } from '../../model/retired/deprecation.ts';
import { findDeprecation } from '../../model/retired/deprecations.ts';
import type { Clock } from './clock.ts';
import { refuse } from '../protocol/refusal.ts';

/**
 * Whether a deprecation has taken effect (specification 9), which it does at midnight UTC on its date. Throws for an
 * unknown id.
 */
export function inEffect(service: { readonly clock: Clock }, id: string): boolean {
  const row = findDeprecation(id);
  if (row === undefined) {
    throw new Error(`there is no deprecation ${id}`);
  }
  return service.clock.now() >= Date.parse(effectiveDate(row));
}

/** Refuses a call to an API that has been removed by now (status and text assumed). */
export function checkNotGone(service: { readonly clock: Clock }, id: string): void {
  const row = findDeprecation(id);
  if (row?.effect.kind === 'gone' && inEffect(service, id)) {
    const instead = row.replacement === null ? '' : `, use ${row.replacement}`;
    const message = `${row.subject}: this API was removed on ${effectiveDate(row)}${instead}`;
    throw refuse(410, message);
  }
}
