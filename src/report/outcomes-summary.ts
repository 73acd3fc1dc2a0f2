import type { Outcome, Rollback } from '../model/outcome.ts';
import { isAchieved, isInDoubt } from '../model/outcome.ts';
import { counted, countsText } from '../model/count.ts';
import { FATE_WORDS, fateOf } from './outcome-fate.ts';
import { NOTHING_COMPARED, nothingStrengthens } from './summary.ts';
import type { OutcomesDocument } from '../model/result-documents.ts';

/** The facts about the end of an apply that its summary needs. */
export type SummedOutcomes = Pick<OutcomesDocument, 'outcomes' | 'dryRun'> &
  Partial<
    Pick<OutcomesDocument, 'plan' | 'rollback' | 'failedScopes' | 'leftOut' | 'refusals' | 'differences'>
  >;

/** Summarises an apply in one line. */
export function outcomesSummary(summed: SummedOutcomes): string {
  const { outcomes, dryRun, failedScopes = [], leftOut = [] } = summed;
  const { refusals = [], differences = [], plan } = summed;
  if (differences.length > 0) {
    return 'Refused: the plan is not the one that was reviewed. Nothing was written.';
  }
  if (refusals.length > 0) {
    return 'Refused. Nothing was written.';
  }
  if (plan?.scopes === 0) {
    return NOTHING_COMPARED;
  }
  if (outcomes.length === 0 && failedScopes.length === 0) {
    return leftOut.length === 0
      ? 'Nothing to do. Live equals the files.'
      : nothingStrengthens(leftOut.length);
  }
  const told = countsText(
    Object.entries(FATE_WORDS).map(([fate, words]) => [
      outcomes.filter((outcome) => fateOf(outcome) === fate).length,
      words,
    ]),
  );
  const rulesets = outcomes.length === 0 ? '' : ` ${counted(outcomes.length, 'ruleset')}: ${told}.`;
  const left =
    failedScopes.length === 0 ? '' : ` ${counted(failedScopes.length, 'scope')} could not be planned.`;
  const rest = leftOut.length === 0 ? '' : ` ${counted(leftOut.length, 'change')} left out.`;
  const verdict = dryRun ? 'Dry run, nothing was written' : verdictOf(summed);
  return `${verdict}.${rulesets}${left}${rest}`;
}

function verdictOf({ outcomes, rollback, failedScopes = [] }: SummedOutcomes): string {
  if (rollback !== undefined) {
    return rolledBack(rollback);
  }
  if (outcomes.some((outcome) => 'writes' in outcome && outcome.writes > 0)) {
    const isWhole =
      failedScopes.length === 0 && outcomes.every((one) => isAchieved(one) || 'allLanded' in one);
    return !isWhole
      ? 'Partly applied'
      : outcomes.every(isAchieved)
        ? 'Applied'
        : 'Applied, while somebody else wrote too';
  }
  return outcomes.some(isInDoubt) ? 'It is not known whether something was written' : 'Nothing was written';
}

function rolledBack({ result, outcomes }: Rollback): string {
  const undone = outcomes.filter((outcome) => !isAchieved(outcome));
  const isPutBack = (outcome: Outcome): boolean =>
    outcome.kind === 'failed' && outcome.code === 'apply/in-doubt';
  return undone.length > 0 && undone.every(isPutBack)
    ? 'Not applied, but it is not known whether a write still lands'
    : ROLLED_BACK[result];
}

const ROLLED_BACK: Readonly<Record<Rollback['result'], string>> = {
  'as-before': 'Not applied: live is as it was before',
  'new-ids': 'Not applied: live says what it said before, with new ids',
  partial: 'Partly applied: not all of it could be put back',
};
