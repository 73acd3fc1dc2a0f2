import { readGuards } from '../../app/project-guards.ts';
import type { RulesetName } from '../../app/ruleset-name.ts';
import { rollbackPlan } from '../../app/versions.ts';
import { scopeLabel } from '../../model/scope.ts';
import { shellWord } from '../../model/shell-word.ts';
import type { RollbackFlags } from '../commands/rollback.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { prepareResultFiles } from '../result.ts';
import type { RulesetArguments } from '../ruleset-arguments.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import { optionsText } from './again-command.ts';
import { applyShown } from './apply.ts';
import { interrupted } from './plan-files.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** Plans the way back to a version, shows it, asks, and carries it out as apply does. */
export async function runRollback(
  context: CliContext,
  flags: RollbackFlags,
  ...[scope, ruleset]: RulesetArguments
): Promise<ExitCode> {
  await prepareResultFiles(context, flags);
  const selection = selectionOf(context, flags, []);
  const read = await readGuards(selection);
  if (read.kind === 'invalid') {
    return reportInvalidFiles(context, flags, read);
  }
  const options = await serviceOptions(context, flags, selection);
  const choice = { scope, ruleset, guards: read.guards, version: String(flags.to) };
  const plan = await startProgress(context, flags, (report) => rollbackPlan(choice, options, report));
  if (context.signal.aborted) {
    return interrupted(context, flags);
  }
  const { to, ...rest } = flags;
  const words = ['rulewright', 'rollback', scopeLabel(scope), nameText(ruleset), '--to', String(to)];
  const again = `${words.map(shellWord).join(' ')}${optionsText(rest)}`;
  return applyShown({ context, flags: rest, paths: [], again, against: `version ${to}` }, plan);
}

function nameText(name: RulesetName): string {
  switch (name.kind) {
    case 'entrypoint':
      return name.phase;
    case 'custom':
      return `${name.phase}/custom:${name.slug}`;
    case 'id':
      return name.id;
    default:
      return name satisfies never;
  }
}
