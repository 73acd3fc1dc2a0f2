import { refusalsOf } from '../../../app/index.ts';
import type { Plan } from '../../../model/index.ts';
import { countFailed, isIncomplete } from '../../../report/index.ts';
import type { ExitCode } from '../../exit-code.ts';
import { EXIT } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import { serviceOf } from '../../service-choice.ts';
import type { ApplyCommand } from '../apply-run.ts';
import { writeOutcomes } from './write-outcomes.ts';

/**
 * Ends the command when guards would refuse a saved plan that was carried out before, for example by the shards whose plans it merges: then there is
 * nothing to refuse. Null for all other plans, including one that lacks scopes, which cannot show that.
 */
export async function endDone(run: ApplyCommand, plan: Plan): Promise<ExitCode | null> {
  const { context, flags, paths } = run;
  const isWhole = countFailed(plan) === 0 && !isIncomplete(plan);
  if (!isWhole || refusalsOf(plan, flags.allow ?? []).length === 0) {
    return null;
  }
  const { isDone } = await import('../../../app/index.ts');
  const options = await serviceOf(context, flags, paths);
  if (!(await startProgress(context, flags, (report) => isDone(plan, options, report)))) {
    return null;
  }
  await writeOutcomes(run, plan, { result: 'nothing-to-do' }, () => NOTHING_LEFT);
  return EXIT.done;
}

const NOTHING_LEFT = 'Nothing is left to do: live already matches this plan.\n';
