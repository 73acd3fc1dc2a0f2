import { resolve } from 'node:path';
import type { Report } from '../../app/events.ts';
import { projectFolder } from '../../app/project-folder.ts';
import type { RetirementResult } from '../../app/retire.ts';
import { retire, retireRefusals } from '../../app/retire.ts';
import type { ServiceOptions } from '../../app/service-options.ts';
import type { ZoneChoice } from '../../app/zone-choice.ts';
import type { GuardFinding } from '../../model/plan.ts';
import type { RetirementPlan } from '../../model/retirement.ts';
import { escapeText } from '../../report/escape.ts';
import { retiredText, retirementDocument, retirementText } from '../../report/retirement-text.ts';
import type { RetirementDocument } from '../../report/retirement-text.ts';
import type { RetireFlags } from '../commands/retire.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { APPLY_EXIT, EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { stderrLook, stdoutLook, tell, writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { quoted } from './again-command.ts';
import { interrupted } from './plan-files.ts';
import { beginZone } from './zone-run.ts';

/** What is retired: the words of the command, and how the plan is made. */
export interface Retirement {
  readonly command: 'firewall' | 'ratelimits';
  readonly plan: (choice: ZoneChoice, options: ServiceOptions, report: Report) => Promise<RetirementResult>;
}

interface Run {
  readonly context: CliContext;
  readonly flags: RetireFlags;
  readonly plan: RetirementPlan;
}

/** Plans which old things can go; shows it; asks; deletes them one by one; tells what happened. */
export async function runRetirement(
  {
    context,
    flags,
    zone,
  }: { readonly context: CliContext; readonly flags: RetireFlags; readonly zone: string },
  retirement: Retirement,
): Promise<ExitCode> {
  const begun = await beginZone(context, flags, zone);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { choice, options } = begun;
  const made = await startProgress(context, flags, (report) => retirement.plan(choice, options, report));
  if (made.kind === 'refused') {
    context.stderr.write(
      `Refused: ${escapeText(made.message)}. Nothing was deleted.\n  hint: ${escapeText(made.hint)}\n`,
    );
    if (flags.format === 'json') {
      await writeResult(context, flags, { text: () => '', json: () => ({ formatVersion: 1, ...made }) });
    }
    return EXIT.refused;
  }
  const run: Run = { context, flags, plan: made.plan };
  const allowed = { kinds: flags.allow ?? [] };
  if (flags.format === 'text') {
    context.stdout.write(
      retirementText(made.plan, { ...stdoutLook(context, { ...flags, output: undefined }), allowed }),
    );
  }
  const refusals = retireRefusals(made.plan, allowed.kinds);
  if (refusals.length > 0) {
    const kinds = [...new Set(refusals.map(({ kind }) => `--allow ${kind}`))].join(' ');
    context.stderr.write(`Refused (see above). Nothing was deleted. To allow it for this run: ${kinds}\n`);
    return end(run, { result: 'refused', outcomes: [], refusals });
  }
  if (made.plan.steps.length === 0) {
    return end(run, { result: 'nothing-to-do', outcomes: [], refusals });
  }
  const answer = await confirm(run);
  if (answer !== null) {
    await end(run, { result: 'refused', outcomes: [], refusals });
    return answer;
  }
  const cwd = await projectFolder(selectionOf(context, flags, []));
  const result = await startProgress(context, flags, (report) =>
    retire(
      {
        plan: made.plan,
        service: options,
        dryRun: flags.dryRun === true,
        allow: allowed.kinds,
        journal: flags.journal === undefined ? null : resolve(context.cwd, flags.journal),
        cwd,
      },
      report,
    ),
  );
  const again = `rulewright ${retirement.command} retire ${quoted(zone)}${againFlags(flags)}`;
  return end(run, { result: result.kind, outcomes: result.outcomes, refusals: [] }, again);
}

function againFlags({ allow = [], emulator, baseUrl }: RetireFlags): string {
  return [
    ...allow.map((kind) => ` --allow ${kind}`),
    ...(emulator === true ? [' --emulator'] : []),
    ...(baseUrl === undefined ? [] : [` --base-url ${quoted(baseUrl)}`]),
  ].join('');
}

/** Asks before anything is deleted; the answer is null to go on, else how the command ends. */
async function confirm({ context, flags, plan }: Run): Promise<ExitCode | null> {
  if (flags.dryRun === true || flags.yes === true) {
    return null;
  }
  if (context.confirm === null) {
    context.stderr.write(
      'Not confirmed: there is no terminal to ask on. Nothing was deleted. To delete without a question: --yes\n',
    );
    return EXIT.refused;
  }
  if (flags.format === 'json') {
    // Nobody can say yes to what was not shown.
    const allowed = { kinds: flags.allow ?? [] };
    context.stderr.write(retirementText(plan, { ...stderrLook(context, flags), allowed }));
  }
  const question = `Delete ${plan.steps.length} old objects of ${escapeText(plan.scope.name)} for good? Only "yes" does it: `;
  if (await context.confirm(question)) {
    return null;
  }
  if (context.signal.aborted) {
    return interrupted(context, flags);
  }
  tell(context, flags, 'Not confirmed. Nothing was deleted.');
  return EXIT.refused;
}

async function end(
  { context, flags, plan }: Run,
  ended: Pick<RetirementDocument, 'result' | 'outcomes'> & { readonly refusals: readonly GuardFinding[] },
  again?: string,
): Promise<ExitCode> {
  const { result, outcomes } = ended;
  const dryRun = flags.dryRun === true;
  const whole = result === 'done' || result === 'nothing-to-do';
  await writeResult(context, flags, {
    text: (look) =>
      outcomes.length === 0
        ? ''
        : `\n${retiredText(plan, { outcomes, dryRun, next: whole ? null : (again ?? null) }, look)}`,
    json: () => retirementDocument(plan, { dryRun, ...ended }),
  });
  return context.signal.aborted && !whole && result !== 'partial' ? EXIT.interrupted : APPLY_EXIT[result];
}
