import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import {
  addReplay,
  checkOutput,
  replayPlan,
  replayPlanShard,
  requireLogs,
  usage,
  writeOutput,
} from '../../app/index.ts';
import { jsonPieces, replayDocument } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { FlagsOf } from '../flag.ts';
import { listFlag, nonEmpty, valueFlag } from '../flag.ts';
import { CACHE_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS, shard } from '../flags.ts';
import { startProgress } from '../progress.ts';
import { tell, writeResult } from '../result.ts';
import { planFiles } from '../run/plan-files.ts';
import type { Planned } from '../run/plan-files.ts';
import type { EndedEarly } from '../run/report-findings.ts';
import { replayExit, TRAFFIC_FLAGS, trafficChoice } from '../run/traffic-flags.ts';
import { readGuardedPlan, readSavedPlan, savedPlanPath } from '../run/saved-plan.ts';
import { serviceOf } from '../service-choice.ts';

/** Flags of `replay`. */
const REPLAY_FLAGS = {
  log: listFlag(nonEmpty, 'FILE', 'Recorded requests: a file, a pattern, or - (repeatable)'),
  shard: valueFlag(shard, 'I/N', 'Count only part I of N of the requests, for merge'),
  out: valueFlag(nonEmpty, 'FILE', 'Save the saved plan with the answer in it, for apply'),
  ...TRAFFIC_FLAGS,
  ...SELECTION_FLAGS,
  ...CACHE_FLAGS,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** The values of `REPLAY_FLAGS`. */
type ReplayFlags = FlagsOf<typeof REPLAY_FLAGS>;

/** Replays recorded requests through a plan: that of the files, or a saved one. */
async function runReplay(
  context: CliContext,
  flags: ReplayFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const { log = [], shard: part } = flags;
  // The plan is that of all scopes, whichever requests are counted.
  const whole = { ...flags, shard: undefined };
  if (log.length === 0) {
    throw usage('no log is named', 'name one with --log, such as --log http_requests.json.gz');
  }
  await requireLogs({ ...context, logs: log });
  const saved = await savedPlanPath(context, paths);
  const out = await planToSave(context, flags, saved);
  const guarded = saved === null || out === null ? null : await readGuardedPlan(context, whole, saved);
  const planned: Planned | EndedEarly =
    guarded ??
    (saved === null
      ? await planFiles(context, whole, { paths, purpose: { kind: 'plan' }, warnings: 'count' })
      : await readSavedPlan(context, whole, saved));
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const service = await serviceOf(context, flags, saved === null ? paths : []);
  const traffic = trafficChoice(context, flags, log);
  if (part !== undefined) {
    const counted = await startProgress(context, flags, (report) =>
      replayPlanShard(planned.plan, traffic, { service, report, shard: part }),
    );
    await writeResult(context, flags, {
      document: () => ({
        title: 'Rulewright replay',
        body: [
          {
            kind: 'paragraph',
            text: [`Counted shard ${part.index} of ${part.count}. With --format json, what merge adds up.`],
          },
        ],
      }),
      json: () => counted,
    });
    return EXIT.done;
  }
  const result = await startProgress(context, flags, (report) =>
    replayPlan(planned.plan, traffic, { service, report }),
  );
  if (out !== null && guarded?.kind === 'planned' && result.records > 0) {
    const plan = addReplay(guarded.plan, result, { ...guarded, today: context.today });
    await writeOutput(out, jsonPieces(plan));
    tell(context, flags, `saved ${out.path}: the plan with this answer`);
  }
  await writeResult(context, flags, { document: () => replayDocument(result), json: () => result });
  return replayExit(result);
}

/** Returns where the plan is saved with the answer; null for nowhere. Throws for a plan that is not saved yet, and for a part of an answer. */
async function planToSave(
  { cwd }: CliContext,
  { out, shard: part, config }: ReplayFlags,
  saved: string | null,
): Promise<{ readonly cwd: string; readonly path: string; readonly config: string | undefined } | null> {
  if (out === undefined) {
    return null;
  }
  if (saved === null) {
    throw usage(
      '--out saves a saved plan with the answer in it',
      'rulewright plan --replay FILE --out plan.json',
    );
  }
  if (part !== undefined) {
    throw usage('a shard counts a part, which no plan can be judged by', 'leave out --out or --shard');
  }
  const target = { cwd, path: out, config };
  await checkOutput(target);
  return target;
}

/** `rulewright replay`. */
export const replayCommand = command({
  run: runReplay,
  text: `Sends recorded requests through the rules as they are live, and as the files
want them: how many would have been newly blocked, challenged or let through,
by which rule, and whose they were. What a record does not say is not guessed:
its outcome is unknown then. Reads logs of Logpush, access logs (combined,
Caddy, nginx), HTTP archives and JSON lines, plain or compressed. Writes nothing.`,
  examples: [
    ['rulewright replay --log http_requests.json.gz', 'the whole project'],
    ['rulewright replay plan.json --log "logs/*.gz"', 'a saved plan'],
    ['zstd -dc log.zst | rulewright replay --log -', 'from another program'],
    ['... plan.json --log log.gz --out plan.json', 'save the answer in the plan, for apply'],
    ['... --shard 1/8 --format json --output 1.json', 'an eighth, for merge'],
    ['... --known office=203.0.113.0/24', 'count the requests of a network'],
    ['... --format json --output replay.json', 'as JSON'],
  ],
  flags: REPLAY_FLAGS,
  positional: paths('PATH', 'A saved plan, or the project folder or files of it to limit the run to'),
});
