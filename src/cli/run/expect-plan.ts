import { expectPlan } from '../../app/expect.ts';
import { assertNever } from '../../model/assert-never.ts';
import type { PlanDifference } from '../../model/plan-difference.ts';
import type { GuardFinding, Plan } from '../../model/plan.ts';
import { differencesText } from '../../report/differences-text.ts';
import { outcomesDocument } from '../../report/json-documents.ts';
import { failedScopes } from '../../report/summary.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import type { ApplyRun } from './apply.ts';
import { readSavedPlan } from './saved-plan.ts';

/** What the reviewed plan says to a fresh one: go on, with what the review showed, or how the command ended. */
export type ExpectedPlan =
  | { readonly kind: 'same'; readonly reviewed: readonly GuardFinding[] }
  | { readonly kind: 'ended'; readonly code: ExitCode };

/** Compares a fresh plan with the reviewed one, and ends the command when it does something else, or nothing. */
export async function expectReviewed(run: ApplyRun, plan: Plan, file: string): Promise<ExpectedPlan> {
  const { context, flags } = run;
  const reviewed = await readSavedPlan(context, { ...flags, target: undefined }, file);
  if (reviewed.kind === 'ended') {
    return reviewed;
  }
  const expected = expectPlan(reviewed.plan, plan);
  switch (expected.kind) {
    case 'same':
      return expected;
    case 'nothing-left':
      await writeResult(context, flags, {
        text: () => 'Nothing is left to do: live equals the files already.\n',
        json: () => outcomesDocument(plan, { ...ended(run), result: 'nothing-to-do' }),
      });
      return { kind: 'ended', code: EXIT.done };
    case 'other':
      return { kind: 'ended', code: await refuseOther(run, plan, expected.differences) };
    default:
      return assertNever(expected);
  }
}

async function refuseOther(
  run: ApplyRun,
  plan: Plan,
  differences: readonly PlanDifference[],
): Promise<ExitCode> {
  const { context, flags } = run;
  await writeResult(context, flags, {
    text: (look) => differencesText(differences, look),
    json: () => outcomesDocument(plan, { ...ended(run), result: 'refused', differences }),
  });
  context.stderr.write(
    'Refused: the plan is not the one that was reviewed. Nothing was written. To go on: plan again with --out, have that reviewed, and apply it\n',
  );
  return failedScopes(plan) > 0 ? EXIT.failed : EXIT.refused;
}

function ended({ flags }: ApplyRun): {
  readonly dryRun: boolean;
  readonly outcomes: readonly [];
  readonly refusals: readonly [];
} {
  return { dryRun: flags.dryRun === true, outcomes: [], refusals: [] };
}
