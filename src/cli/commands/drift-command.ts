import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { changesAnything } from '../../model/index.ts';
import { driftOf, endingRules, journalPath, usage } from '../../app/index.ts';
import type { AuditChoice } from '../../app/index.ts';
import { readTime, secondsOf } from '../../text/index.ts';
import { isIncomplete } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import type { ComparingWords } from '../progress.ts';
import { driftResult } from '../renderings.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { planFiles } from '../run/plan-files.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag, valueFlag, valueFlagOr } from '../flag.ts';
import { BOUND_FLAGS, between, NOTIFY_FLAGS, RUN_FLAGS } from '../flags.ts';

/** Flags of `drift`. */
const DRIFT_FLAGS = {
  sweep: valueFlagOr(between(1, 365), '7', {
    placeholder: 'DAYS',
    brief: 'Read each scope in full every N days',
  }),
  unmanaged: switchFlag('Also show what no file declares'),
  since: valueFlag(sinceWhen, 'WHEN', 'Read the audit log from then on: 30d, 2026-11-01'),
  noAudit: switchFlag('Do not ask who made the changes'),
  showActors: switchFlag('Show mail addresses whole'),
  ...BOUND_FLAGS,
  ...NOTIFY_FLAGS,
  ...RUN_FLAGS,
};

/** The values of `DRIFT_FLAGS`. */
type DriftFlags = FlagsOf<typeof DRIFT_FLAGS>;

const WORDS: ComparingWords = {
  work: 'drift',
  doing: 'comparing',
  done: 'compared',
  failed: 'could not compare',
};

/** A moment in the past: so long ago, or an instant in milliseconds since 1970. */
type SinceWhen =
  | { readonly kind: 'ago'; readonly milliseconds: number }
  | { readonly kind: 'at'; readonly moment: number };

function sinceWhen(text: string): SinceWhen {
  const ago = secondsOf(text);
  if (!Number.isNaN(ago)) {
    return { kind: 'ago', milliseconds: ago * 1000 };
  }
  const read = readTime(text, 'UTC');
  if (read?.kind !== 'one') {
    throw new Error('expected how long ago, such as 30d or 12h, or a day or time in UTC, such as 2026-11-01');
  }
  return { kind: 'at', moment: read.seconds * 1000 };
}

/** Returns whether and how the service is asked who made the changes. */
function auditOf({ cwd, clock }: CliContext, { noAudit, since, showActors }: DriftFlags): AuditChoice {
  if (noAudit !== true) {
    const from =
      since === undefined ? undefined : since.kind === 'at' ? since.moment : clock.now() - since.milliseconds;
    if (from !== undefined && from > clock.now()) {
      throw usage(
        '--since is in the future, where no change can be',
        'give how long ago, such as 30d, or a day that is over',
      );
    }
    const journal = journalPath({ journal: null, cwd });
    return { kind: 'on', since: from, showActors: showActors === true, journal };
  }
  if (since !== undefined || showActors === true) {
    throw usage('--no-audit asks for no authors', 'leave out --since and --show-actors, or --no-audit');
  }
  return { kind: 'off' };
}

/** Shows how live differs from the files: the plan, read the other way. */
async function runDrift(
  context: CliContext,
  flags: DriftFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const planned = await planFiles(context, flags, {
    paths,
    purpose: { kind: 'drift', unmanaged: flags.unmanaged === true, audit: auditOf(context, flags) },
    words: WORDS,
    warnings: 'count',
  });
  if (planned.kind === 'ended') {
    return planned.code;
  }
  const { plan, diagnostics, authors } = planned;
  const drift = driftOf(plan, { ends: endingRules(diagnostics), authors, now: context.clock.now() });
  await writeResult(context, flags, driftResult(drift, selectionOf(context, flags, paths), context));
  return readingExit({ failed: isIncomplete(plan), different: changesAnything(plan) });
}

/** `rulewright drift`. */
export const driftCommand = command({
  run: runDrift,
  observed: 'drift',
  ofProject: true,
  text: `Shows where live differs from the files. Never writes to the service. Exit code
2 if there is drift, 1 if a scope could not be read.`,
  examples: [
    ['rulewright drift', 'the whole project'],
    ['rulewright drift --unmanaged', 'also what no file declares, and rules of others'],
    ['rulewright drift --since 90d', 'also who made changes of the last 90 days'],
    ['rulewright drift --shard 1/8', 'an eighth of the scopes'],
    ['rulewright drift --target zone:shop.example', 'one zone'],
    ['rulewright drift --max-requests 600', 'the scopes that have gone unread longest'],
    ['rulewright drift --format json --output drift.json', 'as JSON'],
  ],
  flags: DRIFT_FLAGS,
  positional: PATHS,
});
