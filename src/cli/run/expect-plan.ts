import { expectPlan } from '../../app/planning/expect.ts';
import { assertNever } from '../../model/assert-never.ts';
import type { PlanDifference } from '../../model/plan-difference.ts';
import type { GuardFinding, Plan } from '../../model/plan.ts';
import { scopeLabel } from '../../model/scope.ts';
import { differencesText } from '../../report/text/differences.ts';
import { failedScopes } from '../../report/summary.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { ApplyRun } from './apply.ts';
import { carryOutCommand } from './again-command.ts';
import { readSavedPlan } from './saved-plan.ts';
import { writeOutcomes } from './write-outcomes.ts';

/** What the reviewed plan says to a fresh one: go on, with what the review showed, or how the command ended. */
export type ExpectedPlan =
  | { readonly kind: 'same'; readonly reviewed: readonly GuardFinding[] }
  | { readonly kind: 'ended'; readonly code: ExitCode };

/** Compares a fresh plan with the reviewed one, and ends the command when it does something else, or nothing. */
export async function expectReviewed(run: ApplyRun, plan: Plan, file: string): Promise<ExpectedPlan> {
  const { context, flags } = run;
  const whole = { ...flags, target: undefined, changedSince: undefined, shard: undefined };
  const reviewed = await readSavedPlan(context, whole, file);
  if (reviewed.kind === 'ended') {
    return reviewed;
  }
  const expected = expectPlan(
    flags.shard === undefined ? reviewed.plan : scopesOf(reviewed.plan, plan),
    plan,
  );
  switch (expected.kind) {
    case 'same':
      return expected;
    case 'nothing-left':
      await writeOutcomes(
        run,
        plan,
        { result: 'nothing-to-do' },
        () => 'Nothing is left to do: live already equals the files.\n',
      );
      return { kind: 'ended', code: EXIT.done };
    case 'other':
      return {
        kind: 'ended',
        code: await refuseOther(run, plan, { file, differences: expected.differences }),
      };
    default:
      return assertNever(expected);
  }
}

async function refuseOther(
  run: ApplyRun,
  plan: Plan,
  { file, differences }: { readonly file: string; readonly differences: readonly PlanDifference[] },
): Promise<ExitCode> {
  await writeOutcomes(run, plan, { result: 'refused', differences }, (look) =>
    differencesText(differences, look),
  );
  const isPart =
    run.flags.shard === undefined && failedScopes(plan) === 0 && differences.every(isWholeRulesetLess);
  run.context.stderr.write(
    isPart
      ? `Refused: the plan is a part of the one that was reviewed. Nothing was written. If a run of the reviewed plan did the rest, continue with: ${carryOutCommand(run.flags, file)}\n`
      : 'Refused: the plan is not the one that was reviewed. Nothing was written. To continue: plan again with --out, have that plan reviewed, and apply it\n',
  );
  return failedScopes(plan) > 0 ? EXIT.failed : EXIT.refused;
}

/** Whether a ruleset that the reviewed plan changes needs no change any more. */
function isWholeRulesetLess({ kind, rule }: PlanDifference): boolean {
  return kind === 'only-reviewed' && rule === undefined;
}

/** The scopes of a reviewed plan that a shard's plan has too: the other shards see to the rest. */
function scopesOf(reviewed: Plan, { scopes }: Plan): Plan {
  const own = new Set(scopes.map(({ scope }) => scopeLabel(scope)));
  return { ...reviewed, scopes: reviewed.scopes.filter(({ scope }) => own.has(scopeLabel(scope))) };
}
