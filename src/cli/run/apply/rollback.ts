import { rulesetNameText, laterState, rollbackPlan, usage } from '../../../app/index.ts';
import type { LaterState } from '../../../app/index.ts';
import type { Plan, ScopeRef } from '../../../model/index.ts';
import { scopeLabel, plannedScopes } from '../../../model/index.ts';
import { someNames } from '../../../text/index.ts';
import { escapeText } from '../../../report/index.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import type { RulesetArguments } from '../../arguments.ts';
import { commandText, optionWords, placeWords } from '../rerun-command.ts';
import { startGuarded } from '../guarded.ts';
import { whileHolding } from '../holding.ts';
import type { RollbackFlags } from '../../flags/rollback.ts';
import { applyShown } from './apply-shown.ts';
import { seeToCrashed } from './bring-back.ts';

/** Plans the rollback to a version, shows it, asks, and carries it out as apply does. */
export async function runRollback(
  context: CliContext,
  flags: RollbackFlags,
  ...[scope, ruleset]: RulesetArguments
): Promise<ExitCode> {
  const { to } = flags;
  if (to === undefined) {
    const versions = commandText([
      'versions',
      scopeLabel(scope),
      rulesetNameText(ruleset),
      ...placeWords(flags),
    ]);
    throw usage('name the version to go back to: --to N', `${versions} lists them`);
  }
  return whileHolding({ context, flags, paths: [] }, () =>
    planAndGoBack({ context, flags, to }, scope, ruleset),
  );
}

/** A rollback to a given version. */
interface VersionRollback {
  readonly context: CliContext;
  readonly flags: RollbackFlags;
  readonly to: number;
}

async function planAndGoBack(
  { context, flags, to }: VersionRollback,
  ...[scope, ruleset]: RulesetArguments
): Promise<ExitCode> {
  const { to: _to, wholeRuleset = false, ...rest } = flags;
  const command = { context, flags: rest, paths: [] };
  const seen = await seeToCrashed(command);
  if (seen.kind === 'ended') {
    return seen.code;
  }
  const started = await startGuarded(context, flags);
  if (started.kind === 'ended') {
    return started.code;
  }
  const { guards, options } = started;
  const choice = {
    scope,
    ruleset,
    guards,
    version: String(to),
    extent: wholeRuleset ? 'whole' : 'share',
  } as const;
  const { plan, former } = await startProgress(context, flags, (report) =>
    rollbackPlan(choice, options, report),
  );
  context.signal.throwIfAborted();
  const words = ['rollback', scopeLabel(scope), rulesetNameText(ruleset), '--to', String(to)];
  const again = commandText([...words, ...(wholeRuleset ? ['--whole-ruleset'] : []), ...optionWords(rest)]);
  return applyShown(
    {
      ...command,
      crashed: seen.crashed,
      origin: 'fresh',
      again,
      former,
      against: againstText(plan, to),
      ...afterwards(laterState(plan, guards), { scope, flags }),
    },
    plan,
  );
}

/** Returns the advice to change the files, if they still declare the later state. */
function afterwards(
  { own, packs }: LaterState,
  { scope: { kind, name }, flags }: { readonly scope: ScopeRef; readonly flags: RollbackFlags },
): { readonly afterwards?: string } {
  const update = commandText(['import', `--${kind}`, name, ...placeWords(flags)]);
  const files = someNames(packs, 3);
  const ways = [
    ...(own ? [`update them with ${update}`] : []),
    ...(packs.length === 0
      ? []
      : [`change what ${files} ${packs.length === 1 ? 'says' : 'say'} (import leaves packs alone)`]),
  ];
  const told = `The files were not changed. If they differ from this version, the next apply undoes the rollback: ${ways.join(', and ')}, or revert the files in Git.`;
  return ways.length === 0 ? {} : { afterwards: escapeText(told) };
}

/** Returns what live is compared with: the version, or only our part of it if something differs that is not ours. */
function againstText({ scopes }: Plan, to: number): string {
  const kept = plannedScopes(scopes).some(({ notes }) => notes.some(({ kind }) => kind === 'kept'));
  return kept ? `what is ours of version ${to}` : `version ${to}`;
}
