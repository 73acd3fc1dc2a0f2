import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';

// Refusals of the WAF migration. Only the first text is public; statuses and texts of the others are assumed.

/** Writing enabled managed rules on a zone that has not migrated (api.md 1.6, 10.2). */
export function enrollmentRequired(): Refusal {
  return refuse(400, serviceError('WAF enrollment is required'));
}

/** Free zones have no managed rules to migrate (api.md 10.1). */
export function noMigration(): Refusal {
  return refuse(404, serviceError('WAF migration is not available for this zone'));
}

/** Validation mode on a plan that does not have it (specification 3.1 rule 3, 4.3 rule 2). */
export function noValidation(): Refusal {
  return refuse(400, serviceError('validation mode is available for Enterprise zones only'));
}

/** The zone is not eligible (specification 3.2, 4.3 rule 3). */
export function notEligible(reasons: readonly string[]): Refusal {
  return refuse(400, serviceError(`the zone cannot be migrated: ${reasons.join('; ')}`));
}

/** The zone has nothing to migrate (any more): there is no way back (specification 3.1 rule 1). */
export function alreadyMigrated(): Refusal {
  return refuse(400, serviceError('the zone uses the new managed rules already; this cannot be reversed'));
}

/** A migration that is being finished. */
export function beingFinished(): Refusal {
  return refuse(400, serviceError('the migration of the zone is being finished'));
}
