import type { ServiceError } from '../../api/service-error.ts';
import { orElse, isMaintenanceMode } from '../../api/service-error.ts';
import { RulewrightError } from '../../model/error.ts';
import type { RetireStep } from '../../model/retirement.ts';
import { insisting } from '../base/look-up.ts';
import { ATTEMPTS, sendUntilKnown } from '../write/send-until-known.ts';
import type { Failing } from '../write/send-until-known.ts';
import { NOT_SHOWN, notReadable } from '../write/settle-write.ts';
import { failureOf, inDoubt } from '../base/write-failure.ts';
import { deleteOldObject, readOldObject } from './old-objects.ts';
import type { RetirementRun } from './retirement-run.ts';

type Failure = ReturnType<typeof failureOf>;

/** Result of a deletion. */
export type Deletion =
  | { readonly kind: 'gone' }
  | { readonly kind: 'kept'; readonly error: ServiceError; readonly failure: Failure };

/** Deletes an object. After an unknown outcome, reads it: one that is gone was deleted, one that is there can be deleted once more. */
export function deleteObject(step: RetireStep, run: RetirementRun): Promise<Deletion> {
  return sendUntilKnown<void, Deletion>({
    send: () => deleteNow(step, run),
    answered: () => GONE,
    failed: async (failing) => {
      const seen = await look(step, run);
      return seen === 'gone' ? GONE : deletionOf(step, failing, seen);
    },
  });
}

const GONE: Deletion = { kind: 'gone' };

/** Judges a deletion that failed and does not show. */
function deletionOf(
  step: RetireStep,
  { error, count, lost }: Failing,
  seen: 'there' | ServiceError,
): Deletion | 'repeat' {
  const mayRepeat = error.effect === 'unknown' && error.code !== 'api/aborted' && count < ATTEMPTS;
  if (seen === 'there' && mayRepeat) {
    return 'repeat';
  }
  const isDoubtful =
    !isKept(step, error) && (lost !== null || (seen !== 'there' && error.effect === 'unknown'));
  const failure = isDoubtful
    ? inDoubt(lost ?? error, seen === 'there' ? NOT_SHOWN : notReadable(seen))
    : withHint(failureOf(error), error);
  return { kind: 'kept', error, failure };
}

async function deleteNow(step: RetireStep, { plan, access }: RetirementRun): Promise<void> {
  if (access.kind === 'dry-run') {
    throw new RulewrightError('a dry run deletes nothing', { code: 'apply/misuse', fault: 'bug' });
  }
  await deleteOldObject(access.client, plan.scope, step);
}

/** Returns whether an old object is still there, or the error when that cannot be read. */
function look(step: RetireStep, { plan, access }: RetirementRun): Promise<'gone' | 'there' | ServiceError> {
  const old = readOldObject(insisting(access.client), plan.scope, step.target);
  return orElse(
    old.then((found) => (found === null ? 'gone' : 'there')),
    (error) => error,
  );
}

/** Whether the service keeps a filter because it is used elsewhere; sending the deletion again does not change that. */
export function isKept({ target }: RetireStep, error: ServiceError): boolean {
  return target.kind === 'filter' && error.code === 'api/refused' && !isMaintenanceMode(error);
}

/** Adds a hint to a failure whose cause is an old interface that has become read-only. */
function withHint(failure: Failure, error: ServiceError): Failure {
  return isMaintenanceMode(error)
    ? {
        ...failure,
        hint: 'the old interface of this zone is read-only: its objects can no longer be deleted, and need not be; ask the vendor what still applies',
      }
    : failure;
}
