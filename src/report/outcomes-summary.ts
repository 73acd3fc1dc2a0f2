import type { Outcome, Rollback, OutcomesDocument } from '../model/index.ts';
import { isAchieved, isInDoubt } from '../model/index.ts';
import { counted, countsText } from '../text/index.ts';
import { assertNever } from '../data/index.ts';
import { stepsText } from './object-changes.ts';
import type { Style } from './tree.ts';
import { NOTHING_COMPARED, nothingStrengthens } from './summary.ts';

/** The outcome of a step as people are told it: `to-do` for a step that a dry run skipped although there is something to write. */
export type OutcomeFate = Outcome['kind'] | 'to-do';

/** Returns the fate of a step. */
export function fateOf(outcome: Outcome): OutcomeFate {
  return outcome.kind === 'skipped' && outcome.toWrite !== undefined ? 'to-do' : outcome.kind;
}

/** The words for what became of a step, in the order in which they are counted. */
export const FATE_WORDS: Readonly<Record<OutcomeFate, string>> = {
  done: 'done',
  'to-do': 'to write',
  skipped: 'skipped',
  refused: 'refused',
  failed: 'failed',
  conflict: 'in conflict',
  'not-reached': 'not reached',
};

/** How good or bad it is, what became of a step. */
export const FATE_STYLES: Readonly<Record<OutcomeFate, Style>> = {
  done: 'good',
  skipped: 'dim',
  'to-do': 'info',
  refused: 'warning',
  failed: 'error',
  conflict: 'error',
  'not-reached': 'warning',
};

/** The facts about the end of an apply that its summary needs. */
export type SummedOutcomes = Pick<OutcomesDocument, 'outcomes' | 'dryRun'> &
  Partial<
    Pick<
      OutcomesDocument,
      'plan' | 'rollback' | 'waves' | 'failedScopes' | 'leftOut' | 'refusals' | 'differences'
    >
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
  const [wave, ...more] = summed.waves ?? [];
  if (outcomes.length === 0 && wave !== undefined) {
    return `Nothing to write in ${more.length === 0 ? `wave ${wave.wave}` : 'these waves'}.`;
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
  const rulesets = outcomes.length === 0 ? '' : ` ${stepsText(outcomes.map(({ step }) => step))}: ${told}.`;
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

/** Returns what every rendering says about an outcome besides its name: the reason, and which writes took effect all the same. */
export function outcomeMessages(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case 'done':
      return [];
    case 'skipped':
      return outcome.toWrite === undefined ? [outcome.reason] : [];
    case 'not-reached':
      return [outcome.reason];
    case 'refused':
    case 'failed':
    case 'conflict':
      return [outcome.message, ...landed(outcome.writes)];
    default:
      return assertNever(outcome);
  }
}

function landed(writes: number): readonly string[] {
  return writes === 0 ? [] : [`${counted(writes, 'write')} of this step took effect.`];
}
