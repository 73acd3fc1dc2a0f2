import { isServiceError } from '../../api/service-error.ts';
import { RulewrightError, errorFacts } from '../../model/error.ts';
import type { Outcome } from '../../model/outcome.ts';
import { NO_EFFECT, bugOf, failureOf, failureOutcome } from '../base/write-failure.ts';
import { INTERRUPTED, stopped } from './stop.ts';

/**
 * Returns the outcome of a step that an error ended after `writes` writes. A write finds out itself what it did, so this error is of a read, or of
 * the journal before anything was sent; any other is a bug, which leaves open what was done.
 */
export function outcomeOfError(step: string, writes: number, error: unknown): Outcome {
  if (isServiceError(error) && error.effect === 'none') {
    return error.code === 'api/aborted'
      ? stopped(step, writes, INTERRUPTED)
      : failureOutcome(step, failureOf(error), writes);
  }
  if (error instanceof RulewrightError && error.code === 'apply/journal') {
    return failureOutcome(step, { kind: 'failed', ...errorFacts(error), effect: NO_EFFECT }, writes);
  }
  return failureOutcome(step, bugOf(error), writes);
}
