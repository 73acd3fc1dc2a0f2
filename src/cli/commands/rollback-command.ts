import { ROLLBACK_ARGUMENTS } from '../arguments.ts';
import { command } from '../command.ts';
import { allowText, WRITE_FLAGS } from '../write-flags.ts';
import {
  laterState,
  objectNameText,
  objectRollbackPlan,
  rollbackPlan,
  rulesetNameText,
  usage,
} from '../../app/index.ts';
import type { LaterState, ObjectName } from '../../app/index.ts';
import type { Plan, ScopeRef } from '../../model/index.ts';
import { scopeLabel, plannedScopes } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { escapeText, momentText } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import type { RollbackArguments, RulesetArguments } from '../arguments.ts';
import { commandText, optionWords, placeWords } from '../run/rerun-command.ts';
import { startGuarded } from '../run/guarded.ts';
import type { GuardedService } from '../run/guarded.ts';
import { whileHolding } from '../run/holding.ts';
import { applyShown } from '../run/apply/apply-shown.ts';
import type { ApplyRun } from '../run/apply-run.ts';
import { seeToCrashed } from '../run/apply/restore-edits.ts';
import { journalChoice } from '../run/journal-of-run.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlag } from '../flag.ts';
import { LIVE_FLAGS, between } from '../flags.ts';
import { PLAN_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `rollback`. */
const ROLLBACK_FLAGS = {
  to: valueFlag(between(1, Number.MAX_SAFE_INTEGER), 'N', 'The version to go back to'),
  wholeRuleset: switchFlag('Also rules that are not yours'),
  ...WRITE_FLAGS,
  ...LIVE_FLAGS,
  ...formatFlags(PLAN_FORMATS),
};

/** The values of `ROLLBACK_FLAGS`. */
type RollbackFlags = FlagsOf<typeof ROLLBACK_FLAGS>;

/** Plans the rollback to a version, shows it, asks, and carries it out as apply does. */
async function runRollback(
  context: CliContext,
  flags: RollbackFlags,
  ...[scope, ruleset]: RollbackArguments
): Promise<ExitCode> {
  const { to } = flags;
  if (ruleset.kind === 'list' || ruleset.kind === 'setting') {
    if (to !== undefined || flags.wholeRuleset === true) {
      throw usage(
        `--${to === undefined ? 'whole-ruleset' : 'to'} is about a ruleset: a ${ruleset.kind} has no versions`,
        'without it, what the last run in the journal did to it is undone',
      );
    }
    return whileHolding({ context, flags, paths: [] }, () => undoLastRun({ context, flags }, scope, ruleset));
  }
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

/** What is carried out, and what is said of it. */
type PreparedRollback = Pick<ApplyRun, 'again' | 'former' | 'against' | 'afterwards'> & {
  readonly plan: Plan;
};

/** Sees to a crashed run, plans the way back by the guards of the project, shows it, asks, and carries it out. */
async function goBack(
  context: CliContext,
  flags: RollbackFlags,
  planWay: (service: Pick<GuardedService, 'guards' | 'options'>) => Promise<PreparedRollback>,
): Promise<ExitCode> {
  const { to: _to, wholeRuleset: _whole, ...rest } = flags;
  const command = { context, flags: rest, paths: [], act: 'rollback' } as const;
  const seen = await seeToCrashed(command);
  if (seen.kind === 'ended') {
    return seen.code;
  }
  const started = await startGuarded(context, flags);
  if (started.kind === 'ended') {
    return started.code;
  }
  const { plan, ...told } = await planWay(started);
  context.signal.throwIfAborted();
  return applyShown({ ...command, crashed: seen.crashed, origin: 'fresh', ...told }, plan);
}

/** Undoes what the last run did to a list or a setting. */
function undoLastRun(
  { context, flags }: Pick<VersionRollback, 'context' | 'flags'>,
  scope: ScopeRef,
  object: ObjectName,
): Promise<ExitCode> {
  return goBack(context, flags, async ({ guards, options }) => {
    const choice = { scope, object, guards, journal: await journalChoice(context, flags, []) };
    const { plan, at } = await startProgress(context, flags, (report) =>
      objectRollbackPlan(choice, options, report),
    );
    return {
      plan,
      again: commandText(['rollback', scopeLabel(scope), objectNameText(object), ...optionWords(flags)]),
      against: `what the ${object.kind} was before the run of ${momentText(new Date(at).toISOString())}`,
      afterwards:
        'The files were not changed. If they say something else, the next apply undoes the rollback: change them, or revert them in Git.',
    };
  });
}

/** A rollback to a given version. */
interface VersionRollback {
  readonly context: CliContext;
  readonly flags: RollbackFlags;
  readonly to: number;
}

function planAndGoBack(
  { context, flags, to }: VersionRollback,
  ...[scope, ruleset]: RulesetArguments
): Promise<ExitCode> {
  const { wholeRuleset = false } = flags;
  return goBack(context, flags, async ({ guards, options }) => {
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
    const words = ['rollback', scopeLabel(scope), rulesetNameText(ruleset), '--to', String(to)];
    return {
      plan,
      again: commandText([...words, ...(wholeRuleset ? ['--whole-ruleset'] : []), ...optionWords(flags)]),
      former,
      against: againstText(plan, to),
      ...afterwards(laterState(plan, guards), { scope, flags }),
    };
  });
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

/** `rulewright rollback`. */
export const rollbackCommand = command({
  run: runRollback,
  text: `Plans how to get from what is live back to a version of the ruleset, shows the
plan, asks, and carries it out like apply. Rules that still exist keep their
ids. Rules that are not yours (ownership, ignore) stay as they are;
--whole-ruleset brings back everything in the version.

A list or a setting has no versions: list:NAME and setting:NAME undo what the
last run in the journal did to it. What others changed since is left alone.

${allowText(['scopes', 'irreversible', 'settings', 'incomplete', 'newly-blocked', 'not-replayed', 'not-ended'])}`,
  examples: [
    ['rulewright rollback shop.example http_ratelimit --to 3', 'ask, then write'],
    ['rulewright rollback account:Shop ddos_l7 --to 3 --dry-run', 'show, write nothing'],
    ['rulewright rollback account:Shop list:office', 'undo the last change of a list'],
  ],
  flags: ROLLBACK_FLAGS,
  positional: ROLLBACK_ARGUMENTS,
});
