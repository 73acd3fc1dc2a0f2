import type { Unconfirmed } from '../model/unconfirmed.ts';
import type { OutcomesDocument } from './json-documents.ts';
import { outcomesSummary } from './text/outcomes.ts';

/** What came of an apply, in a line. */
export function documentSummary(
  document: Pick<
    OutcomesDocument,
    | 'outcomes'
    | 'rollback'
    | 'dryRun'
    | 'failedScopes'
    | 'leftOut'
    | 'refusals'
    | 'differences'
    | 'unconfirmed'
  >,
): string {
  const { outcomes, rollback = null, dryRun, failedScopes, leftOut = [] } = document;
  const { refusals, differences = [], unconfirmed } = document;
  if (unconfirmed !== undefined) {
    return `${UNCONFIRMED[unconfirmed]} Nothing was written.`;
  }
  if (differences.length > 0) {
    return 'Refused: the plan is not the one that was reviewed. Nothing was written.';
  }
  if (refusals.length > 0) {
    return 'Refused. Nothing was written.';
  }
  return outcomesSummary({
    outcomes,
    rollback,
    dryRun,
    unplanned: failedScopes.length,
    leftOut: leftOut.length,
  });
}

/** Why nothing was done, in a sentence. */
export const UNCONFIRMED: Readonly<Record<Unconfirmed, string>> = {
  'no-terminal': 'Not confirmed: there was no terminal to ask on, and no --yes.',
  declined: 'Not confirmed.',
  interrupted: 'Interrupted before it was confirmed.',
};
