import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import { changesAnything, RulewrightError } from '../../model/index.ts';
import { driftOf, merge, requireNamedProject, checkOutput, writeOutput, usage } from '../../app/index.ts';
import type { MergeResult } from '../../app/index.ts';
import { assertNever } from '../../data/index.ts';
import { counted } from '../../text/index.ts';
import { escapeText, jsonPieces, isIncomplete, replayDocument } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import { driftResult, planRenderings } from '../renderings.ts';
import type { Result } from '../result.ts';
import { tell, writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { BasicFormat, PlanFormat } from '../formats.ts';
import { reportInvalidFiles } from '../run/report-findings.ts';
import { replayExit } from '../run/traffic-flags.ts';
import type { FlagsOf } from '../flag.ts';
import { keptFlag, switchFlag } from '../flag.ts';
import { EACH_SCOPE, PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { PLAN_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `merge`. */
const MERGE_FLAGS = {
  // What is merged may be journals, for the next run to read.
  out: keptFlag('journal', 'FILE', 'Save the plan, or the journal, of the whole run'),
  partial: switchFlag('Allow missing and failed shards; exit code 1 if there are any'),
  exitCode: switchFlag('Exit code 2 if there are changes'),
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
  ...formatFlags(PLAN_FORMATS),
  ...EACH_SCOPE,
};

/** The values of `MERGE_FLAGS`. */
type MergeFlags = FlagsOf<typeof MERGE_FLAGS>;

/** Merges what shards wrote, and shows it as the whole run would have. */
async function runMerge(
  context: CliContext,
  flags: MergeFlags,
  ...files: readonly string[]
): Promise<ExitCode> {
  const { cwd } = context;
  await requireNamedProject(selectionOf(context, flags, []));
  if (flags.out !== undefined) {
    await checkOutput({ cwd, path: flags.out, config: flags.config });
  }
  const result = await merge(files, { cwd, partial: flags.partial === true, today: context.today });
  switch (result.kind) {
    case 'invalid':
      return reportInvalidFiles(context, flags, { diagnostics: result.diagnostics, sources: new Map() });
    case 'refused':
      throw new RulewrightError(result.problems.map((problem) => escapeText(problem)).join('\n'), {
        code: 'merge/refused',
        fault: 'user',
        hint: 'merge what all shards of one run wrote, each once; with --partial some may be missing',
      });
    case 'merged':
      context.stderr.write(result.failed.map((said) => `${escapeText(said)}\n`).join(''));
      return result.of === 'journal'
        ? saveJournal(context, flags, result)
        : result.of === 'replay'
          ? showReplay(context, flags, result)
          : show(context, flags, result);
    default:
      return assertNever(result);
  }
}

async function showReplay(
  context: CliContext,
  flags: MergeFlags,
  { replay }: Merged<'replay'>,
): Promise<ExitCode> {
  const { format } = flags;
  if (flags.out !== undefined || flags.report !== undefined || format === 'github') {
    throw usage(
      'the parts of a replay become its answer, which is no plan',
      'use --output FILE, with --format json for data',
    );
  }
  const { report: _, ...own } = { ...flags, format };
  await writeResult<BasicFormat>(context, own, {
    document: () => replayDocument(replay),
    json: () => replay,
  });
  return replayExit(replay);
}

type Merged<Of> = Extract<MergeResult, { readonly kind: 'merged' }> & { readonly of: Of };

async function saveJournal(
  context: CliContext,
  flags: MergeFlags,
  { text, runs, unfinished, unbegun, failed }: Merged<'journal'>,
): Promise<ExitCode> {
  if (flags.out === undefined || flags.format !== 'text' || flags.report !== undefined) {
    throw usage('the journals of shards become one journal', 'say where: --out FILE');
  }
  await writeOutput({ cwd: context.cwd, path: flags.out, config: flags.config }, text);
  const ends = unfinished === 0 ? 'all finished' : `${unfinished} did not finish`;
  tell(context, flags, `wrote ${flags.out}: ${counted(runs, 'run')}, ${ends}`);
  for (const file of unbegun) {
    tell(context, flags, `left out ${file}: its run stopped before it began, and wrote nothing`);
  }
  return readingExit({ failed: failed.length > 0, different: false });
}

async function show(
  context: CliContext,
  flags: MergeFlags,
  { of, plan, ends, authors, missing, failed }: Merged<'plan' | 'drift'>,
): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
  const result: Result<PlanFormat> =
    of === 'drift'
      ? driftResult(driftOf(plan, { ends, authors, now: context.clock.now() }), selection, context)
      : {
          json: () => plan,
          ...planRenderings(plan, selection, { env: context.env }),
        };
  await writeResult(context, flags, result);
  if (flags.out !== undefined) {
    await writeOutput({ cwd: context.cwd, path: flags.out, config: flags.config }, jsonPieces(plan));
    tell(context, flags, `saved the plan of the whole run: ${flags.out}`);
  }
  if (missing.length > 0) {
    context.stderr.write(
      `Not the whole run: ${counted(missing.length, 'shard')} missing: ${missing.join(', ')}\n`,
    );
  }
  const wanted = of === 'drift' || flags.exitCode === true;
  return readingExit({
    failed: isIncomplete(plan) || failed.length > 0,
    different: wanted && changesAnything(plan),
  });
}

/** `rulewright merge`. */
export const mergeCommand = command({
  run: runMerge,
  text: `Combines what the shards of a run wrote into what one machine would have
written, and checks the guards for the whole run. Refuses shards that do not
belong together, two of the same part, and missing ones.`,
  examples: [
    ['rulewright merge plan-*.json --out plan.json', 'the plan of all shards'],
    ['rulewright merge drift-*.json', 'exit code 2 if there is drift'],
    ['rulewright merge journal-*.jsonl --out all.jsonl', 'one journal'],
    ['rulewright merge replay-*.json', 'the answer of a replay'],
  ],
  flags: MERGE_FLAGS,
  positional: { ...paths('FILE', 'Plans, drift reports, journals or replays of the shards'), minimum: 1 },
});
