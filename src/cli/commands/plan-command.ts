import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import type { AllowableKind, Plan, Preflight, ReplayDocument } from '../../model/index.ts';
import { changesAnything, NO_PREFLIGHT, refusedKinds } from '../../model/index.ts';
import {
  preflightPlan,
  replayPlan,
  requireLogs,
  removeOutput,
  writeOutput,
  addReplay,
  requireDigests,
  reversePlan,
  usage,
} from '../../app/index.ts';
import { checkedPlanJson, jsonPieces, countFailed, isIncomplete } from '../../report/index.ts';
import { counted } from '../../text/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { planRenderings } from '../renderings.ts';
import { tell, writeResult } from '../result.ts';
import { selectionOf, serviceOf } from '../service-choice.ts';
import { carryOutCommand } from '../run/rerun-command.ts';
import { planFiles } from '../run/plan-files.ts';
import type { SelectionFlags, ServiceFlags, FormatFlags, PartFlags } from '../flags.ts';
import type { FlagsOf } from '../flag.ts';
import { fileFlag, inputFlag, listFlag, nonEmpty, switchFlag } from '../flag.ts';
import { BOUND_FLAGS, GUARD_FLAGS, RUN_FLAGS } from '../flags.ts';
import type { EndedEarly } from '../run/report-findings.ts';
import type { PlannedWithSafety } from '../run/plan-files.ts';
import { startGuarded } from '../run/guarded.ts';
import { TRAFFIC_FLAGS, trafficChoice } from '../run/traffic-flags.ts';
import { readSavedPlan } from '../run/saved-plan.ts';

/** Plans the reversal of a saved plan that was carried out. */
async function planReverse(
  context: CliContext,
  flags: FormatFlags & SelectionFlags & ServiceFlags & PartFlags,
  { file, paths }: { readonly file: string; readonly paths: readonly string[] },
): Promise<PlannedWithSafety | EndedEarly> {
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
  const { safety, trafficExamples } = guards;
  return { kind: 'planned', plan, safety, trafficExamples };
}

/** Flags of `plan`. */
const PLAN_FLAGS = {
  out: fileFlag('FILE', 'Save the plan as JSON, for apply'),
  exitCode: switchFlag('Exit code 2 if there are changes'),
  preflight: switchFlag('Have the service check the writes, make none'),
  reverse: inputFlag('PLAN.json', 'Take back what this plan did'),
  replay: listFlag(nonEmpty, 'FILE', 'Show what it would have done to recorded requests (repeatable)'),
  ...TRAFFIC_FLAGS,
  ...GUARD_FLAGS,
  ...BOUND_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `PLAN_FLAGS`. */
type PlanFlags = FlagsOf<typeof PLAN_FLAGS>;

/** Shows the plan, and saves it to the file that `--out` names. */
export async function runPlan(
  context: CliContext,
  flags: PlanFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const { cwd } = context;
  const out = flags.out === undefined ? null : { cwd, path: flags.out, config: flags.config };
  if (out !== null) {
    await removeOutput(out);
  }
  await requireLogs({ ...context, logs: flags.replay ?? [] });
  const planned =
    flags.reverse === undefined
      ? await planFiles(context, flags, { paths, purpose: { kind: out === null ? 'plan' : 'save' } })
      : await planReverse(context, flags, { file: flags.reverse, paths });
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const replay = await replayed(context, flags, { plan: planned.plan, paths });
  const plan =
    replay === null ? planned.plan : addReplay(planned.plan, replay, { ...planned, today: context.today });
  if (out !== null) {
    requireDigests(plan.scopes);
    await writeOutput(out, jsonPieces(plan));
  }
  // A reversal is carried out from its saved plan: `apply --expect` plans from the files.
  const [moment, against] =
    flags.reverse === undefined
      ? (['review', {}] as const)
      : (['run', { against: 'what it was before the plan', allowed: { kinds: [] } }] as const);
  const preflight = flags.preflight === true ? await checkWrites(context, flags, { plan, paths }) : null;
  if (preflight?.steps.some(({ kind }) => kind === 'wrote') !== true) {
    context.signal.throwIfAborted();
  }
  await writeResult(context, flags, {
    json: () =>
      preflight === null && replay === null ? plan : checkedPlanJson(plan, preflight ?? NO_PREFLIGHT, replay),
    ...planRenderings(plan, selectionOf(context, flags, paths), {
      env: context.env,
      preflight,
      moment,
      ...against,
    }),
  });
  if (out !== null) {
    tell(
      context,
      flags,
      savedText(plan, (allow) => carryOutCommand({ ...flags, allow }, out.path)),
    );
  }
  const different = flags.exitCode === true && changesAnything(plan);
  const refused = preflight?.steps.some(({ kind }) => kind !== 'passed' && kind !== 'not-checked') === true;
  return readingExit({ failed: isIncomplete(plan) || refused, different });
}

/** Says how a saved plan is carried out; with what guards refuse until somebody allows it, which the run would say only then. */
function savedText(plan: Plan, carryOut: (allow: readonly AllowableKind[]) => string): string {
  const lacking = countFailed(plan);
  const refused = refusedKinds(plan);
  if (lacking > 0 && lacking === plan.scopes.length) {
    return 'saved a plan that lacks all of its scopes; apply refuses it';
  }
  if (lacking > 0) {
    const kinds = [...new Set<AllowableKind>(['incomplete', ...refused])];
    return `saved a plan that lacks ${lacking} of ${counted(plan.scopes.length, 'scope')}; apply refuses it. To carry out the others: ${carryOut(kinds)}`;
  }
  return refused.length === 0
    ? `saved the plan; to carry it out: ${carryOut([])}`
    : `saved the plan; apply refuses what its guards found until it is allowed: ${carryOut(refused)}`;
}

/** Sends recorded requests through the plan; null when none are named. */
async function replayed(
  context: CliContext,
  flags: PlanFlags,
  { plan, paths }: PlanWithPaths,
): Promise<ReplayDocument | null> {
  const { replay: logs = [] } = flags;
  if (logs.length === 0) {
    return null;
  }
  const service = await serviceOf(context, flags, paths);
  const traffic = trafficChoice(context, flags, logs);
  return startProgress(context, flags, (report) => replayPlan(plan, traffic, { service, report }));
}

interface PlanWithPaths {
  readonly plan: Plan;
  readonly paths: readonly string[];
}

/** Has the service check the writes of a plan; null when there are none. */
async function checkWrites(
  context: CliContext,
  flags: PlanFlags,
  { plan, paths }: PlanWithPaths,
): Promise<Preflight | null> {
  if (!changesAnything(plan)) {
    return null;
  }
  const service = await serviceOf(context, flags, paths);
  return startProgress(context, flags, (report) => preflightPlan({ plan, service, writes: 'auto' }, report));
}

/** `rulewright plan`. */
export const planCommand = command({
  run: runPlan,
  observed: 'plan',
  ofProject: true,
  text: `Compares the files with live state and shows the steps that make live equal to
the files. Writes nothing to the service.`,
  examples: [
    ['rulewright plan', 'the whole project'],
    ['rulewright plan --target shop.example', 'one zone or account'],
    ['rulewright plan --out plan.json', 'save it for review and apply'],
    ['rulewright plan --reverse plan.json', 'the way back from an applied plan'],
    ['rulewright plan --changed-since origin/main', 'what a branch changes'],
    ['rulewright plan --shard 1/8 --out 1.json', 'an eighth of the scopes'],
    ['rulewright plan --exit-code', '2 when there are changes'],
    ['rulewright plan --emulator', 'against the embedded service'],
  ],
  flags: PLAN_FLAGS,
  positional: PATHS,
});
