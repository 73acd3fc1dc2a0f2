import { effectiveDate, findDeprecation } from '../../model/retired/deprecations.ts';
import type { Clock } from '../clock.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';

/** Whether the day of a deprecation's effect has come (specification 9): it begins at midnight, UTC. */
export function inEffect(service: { readonly clock: Clock }, id: string): boolean {
  const row = findDeprecation(id);
  if (row === undefined) {
    throw new Error(`there is no deprecation ${id}`);
  }
  return service.clock.now() >= Date.parse(effectiveDate(row));
}

/** The refusal of a route that has been removed by now (status and text assumed). */
export function goneProblem(service: { readonly clock: Clock }, id: string): Refusal | undefined {
  const row = findDeprecation(id);
  if (row?.effect.kind !== 'gone' || !inEffect(service, id)) {
    return undefined;
  }
  const instead = row.replacement === null ? '' : `, use ${row.replacement}`;
  return refuse(410, serviceError(`${row.subject}: this API was removed on ${effectiveDate(row)}${instead}`));
}
