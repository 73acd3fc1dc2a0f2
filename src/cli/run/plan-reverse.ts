import { reversePlan, usage } from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { SelectionFlags, ServiceFlags, FormatFlags } from '../flags.ts';
import type { PartFlags } from '../run-flags.ts';
import { startProgress } from '../progress.ts';
import type { EndedEarly } from './ended.ts';
import type { Planned } from './plan-files.ts';
import { startGuarded } from './guarded.ts';
import { readSavedPlan } from './saved-plan.ts';

/** Plans the reversal of a saved plan that was carried out. */
export async function planReverse(
  context: CliContext,
  flags: FormatFlags & SelectionFlags & ServiceFlags & PartFlags,
  { file, paths }: { readonly file: string; readonly paths: readonly string[] },
): Promise<Planned | EndedEarly> {
  if (paths.length > 0) {
    throw usage('--reverse takes back a whole plan', 'leave out the paths');
  }
  const saved = await readSavedPlan(context, flags, file);
  if (saved.kind === 'ended') {
    return saved;
  }
  const started = await startGuarded(context, flags);
  if (started.kind === 'ended') {
    return started;
  }
  const { guards, options } = started;
  const plan = await startProgress(context, flags, (report) =>
    reversePlan({ plan: saved.plan, file, guards }, options, report),
  );
  context.signal.throwIfAborted();
  return { kind: 'planned', plan };
}
