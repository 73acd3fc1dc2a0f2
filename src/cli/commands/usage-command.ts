import { ruleUsage } from '../../app/index.ts';
import { usageDocument } from '../../report/index.ts';
import { command } from '../command.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readingExit } from '../exit-code.ts';
import type { FlagsOf } from '../flag.ts';
import { textFlag, valueFlagOr } from '../flag.ts';
import { between, PROJECT_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { reportInvalidFiles } from '../run/report-findings.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';

const SECONDS_A_DAY = 86_400;

/** Flags of `usage`. */
const USAGE_FLAGS = {
  days: valueFlagOr(between(1, 90), '7', { placeholder: 'N', brief: 'How many days to look back' }),
  zone: textFlag('NAME', 'Only this zone, by name or id'),
  ...PROJECT_FLAGS,
  target: SELECTION_FLAGS.target,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

/** The values of `USAGE_FLAGS`. */
type UsageFlags = FlagsOf<typeof USAGE_FLAGS>;

/** Says which rules left security events. */
async function runUsage(context: CliContext, flags: UsageFlags): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
  const options = await serviceOptions(context, flags, selection);
  const zone = flags.zone === undefined ? undefined : ({ kind: 'zone', name: flags.zone } as const);
  const found = await startProgress(context, flags, (report) =>
    ruleUsage(selection, { seconds: flags.days * SECONDS_A_DAY, zone }, { options, report }),
  );
  if (found.kind === 'invalid') {
    return reportInvalidFiles(context, flags, found);
  }
  await writeResult(context, flags, { document: () => usageDocument(found), json: () => found });
  return readingExit({ failed: found.failed.length > 0, different: false });
}

/** `rulewright usage`. */
export const usageCommand = command({
  run: runUsage,
  text: `Asks the service's analytics which rules of the project's zones, and of their
accounts, left security events in the last days: matched; no event seen; or not
measurable, as where rules of the phase leave none. Events are a sample, and the
service keeps them for some days only: a rule without one is worth a look, no
more. Exit code 1 if a zone could not be asked. Writes nothing.`,
  examples: [
    ['rulewright usage', 'the last seven days, all zones'],
    ['rulewright usage --days 30 --zone shop.example', 'a month, one zone'],
    ['rulewright usage --format json', 'as JSON'],
  ],
  flags: USAGE_FLAGS,
});
