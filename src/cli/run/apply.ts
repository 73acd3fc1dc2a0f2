import { resolve } from 'node:path';
import { apply, refusalsOf } from '../../app/apply.ts';
import { plan as makePlan } from '../../app/plan.ts';
import { projectFolder } from '../../app/project-folder.ts';
import type { ApplyResult, FileFindings } from '../../app/results.ts';
import type { Selection } from '../../app/selection.ts';
import type { ServiceOptions } from '../../app/service-options.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { GuardFinding, Plan } from '../../model/plan.ts';
import { outcomesDocument } from '../../report/json-documents.ts';
import { outcomesText } from '../../report/outcomes-text.ts';
import { planText } from '../../report/plan-text.ts';
import { changesAnything, failedScopes } from '../../report/summary.ts';
import type { ApplyFlags } from '../commands/apply.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { APPLY_EXIT, EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { stdoutLook, tell, writeResult } from '../result.ts';
import { selectionOf, serviceOptions, usage } from '../service-choice.ts';
import { againCommand } from './again-command.ts';
import { reportFindings, reportInvalidFiles } from './invalid-files.ts';

/** One run of apply: what was typed, and where it acts. */
interface ApplyRun {
  readonly context: CliContext;
  readonly flags: ApplyFlags;
  readonly paths: readonly string[];
  readonly selection: Selection;
  readonly options: ServiceOptions;
}

/** Plans, or reads a saved plan; shows it; asks; carries it out; tells what happened. */
export async function runApply(
  context: CliContext,
  flags: ApplyFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const saved = savedPlan(paths);
  const selection = selectionOf(context, flags, saved === null ? paths : []);
  const options = await serviceOptions(context, flags, selection);
  const run: ApplyRun = { context, flags, paths, selection, options };
  const got = saved === null ? await planAfresh(run) : await readSaved(run, saved);
  if (got.kind === 'invalid') {
    return reportInvalidFiles(context, flags, got);
  }
  const { plan } = got;
  if (flags.format === 'text') {
    const look = { ...stdoutLook(context, { ...flags, output: undefined }), allowed: flags.allow ?? [] };
    context.stdout.write(planText(plan, look));
  }
  if (!changesAnything(plan)) {
    const kind = failedScopes(plan) > 0 ? 'failed' : 'nothing-to-do';
    return finish(run, plan, { kind, outcomes: [], requests: 0 });
  }
  const refusals = refusalsOf(plan, flags.allow ?? []);
  if (refusals.length > 0) {
    return refuse(run, plan, refusals);
  }
  const answer = await confirm(run);
  if (answer === null) {
    return carryOut(run, plan);
  }
  await writeRefusal(run, plan, []);
  return answer;
}

/** The plan file among the arguments, which is one that ends in `.json`; it stands alone. */
function savedPlan(paths: readonly string[]): string | null {
  const saved = paths.find((path) => path.endsWith('.json'));
  if (saved !== undefined && paths.length > 1) {
    throw usage('a saved plan stands alone', `rulewright apply ${saved}`);
  }
  return saved ?? null;
}

type GotPlan =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | ({ readonly kind: 'invalid' } & FileFindings);

async function planAfresh({ context, flags, selection, options }: ApplyRun): Promise<GotPlan> {
  const result = await startProgress(context, flags, (report) => makePlan(selection, options, report));
  if (result.kind === 'planned') {
    reportFindings(context, flags, result);
  }
  return result;
}

async function readSaved({ context, flags }: ApplyRun, path: string): Promise<GotPlan> {
  if (flags.target !== undefined && flags.target.length > 0) {
    throw usage('a saved plan is carried out whole', 'leave --target out, or plan again with it');
  }
  // Its schema is large and rarely needed.
  const { readPlanFile } = await import('../../app/read-plan.ts');
  const read = await readPlanFile(resolve(context.cwd, path));
  return read.kind === 'read'
    ? { kind: 'planned', plan: read.plan }
    : { kind: 'invalid', diagnostics: read.diagnostics.map((found) => as(found, path)), sources: new Map() };
}

/** A finding under the path that was typed, not the one that it was read by. */
function as(finding: Diagnostic, file: string): Diagnostic {
  return finding.where === undefined ? finding : { ...finding, where: { ...finding.where, file } };
}

/** Asks before anything is written; the answer is null to go on, else how the command ends. */
async function confirm({ context, flags }: ApplyRun): Promise<ExitCode | null> {
  if (flags.dryRun === true || flags.yes === true) {
    return null;
  }
  if (context.confirm === null) {
    context.stderr.write(
      'Not confirmed: there is no terminal to ask on. Nothing was written. To apply without a question: --yes\n',
    );
    return EXIT.refused;
  }
  if (await context.confirm('Apply this plan? Only "yes" does it: ')) {
    return null;
  }
  if (context.signal.aborted) {
    tell(context, flags, 'Interrupted. Nothing was written.');
    return EXIT.interrupted;
  }
  tell(context, flags, 'Not confirmed. Nothing was written.');
  return EXIT.refused;
}

async function refuse(run: ApplyRun, plan: Plan, refusals: readonly GuardFinding[]): Promise<ExitCode> {
  const { context } = run;
  const kinds = [...new Set(refusals.map((finding) => finding.kind))];
  const allow = kinds.map((kind) => `--allow ${kind}`).join(' ');
  context.stderr.write(
    `Refused by ${kinds.join(', ')} (see above). Nothing was written. To allow it for this run: ${allow}\n`,
  );
  await writeRefusal(run, plan, refusals);
  return failedScopes(plan) > 0 ? EXIT.failed : EXIT.refused;
}

/** The document of an apply that did not begin; as text everything is said already. */
async function writeRefusal(run: ApplyRun, plan: Plan, refusals: readonly GuardFinding[]): Promise<void> {
  const { context, flags } = run;
  if (flags.format === 'json') {
    await writeResult(context, flags, {
      text: () => '',
      json: () => outcomesDocument(plan, { ...resultOf(run), result: 'refused', outcomes: [], refusals }),
    });
  }
}

async function carryOut(run: ApplyRun, plan: Plan): Promise<ExitCode> {
  const { context, flags, options, selection } = run;
  const result = await startProgress(context, flags, async (report) =>
    apply(
      {
        plan,
        service: options,
        writes: flags.writes,
        dryRun: flags.dryRun === true,
        allow: flags.allow ?? [],
        journal: flags.journal === undefined ? null : resolve(context.cwd, flags.journal),
        cwd: await projectFolder(selection),
      },
      report,
    ),
  );
  return finish(run, plan, result);
}

async function finish(run: ApplyRun, plan: Plan, result: ApplyResult): Promise<ExitCode> {
  const { context, flags, paths } = run;
  const unfinished = result.kind !== 'done' && result.kind !== 'nothing-to-do';
  const next = unfinished && result.outcomes.length > 0 ? againCommand(flags, paths) : null;
  const { outcomes } = result;
  await writeResult(context, flags, {
    text: (look) =>
      outcomes.length === 0
        ? ''
        : `\n${outcomesText({ outcomes, dryRun: flags.dryRun === true, next }, look)}`,
    json: () => outcomesDocument(plan, { ...resultOf(run), result: result.kind, outcomes, refusals: [] }),
  });
  const nothingWritten = result.kind !== 'partial' && result.kind !== 'done';
  return context.signal.aborted && unfinished && nothingWritten ? EXIT.interrupted : APPLY_EXIT[result.kind];
}

function resultOf({ flags }: ApplyRun): { readonly dryRun: boolean } {
  return { dryRun: flags.dryRun === true };
}
