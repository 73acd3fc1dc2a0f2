import { command } from '../command.ts';
import { doctor } from '../../app/index.ts';
import { doctorDocument, doctorJson, isHealthy } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { namedScope } from '../scope-flags.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag, textFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from '../flags.ts';

/** Flags of `doctor`. */
const DOCTOR_FLAGS = {
  zone: textFlag('NAME', 'Only this zone, by name or id'),
  account: textFlag('NAME', 'Only this account, by name or id'),
  ...PROJECT_FLAGS,
  target: SELECTION_FLAGS.target,
  readOnly: switchFlag('The token is for reading only: do not check writes'),
  all: switchFlag('Check every scope, not ten for each token'),
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
  verbose: switchFlag('Show each check and each request'),
};

/** The values of `DOCTOR_FLAGS`. */
type DoctorFlags = FlagsOf<typeof DOCTOR_FLAGS>;

/** Shows what would prevent a run, and what to do about it. */
async function runDoctor(context: CliContext, flags: DoctorFlags): Promise<ExitCode> {
  const selection = selectionOf(context, flags, []);
  const options = await serviceOptions(context, flags, selection);
  const query = {
    selection,
    scope: namedScope(flags),
    all: flags.all === true,
    readOnly: flags.readOnly === true,
  };
  const found = await startProgress(context, flags, (report) => doctor(query, options, report));
  await writeResult(context, flags, {
    document: (detail) => doctorDocument(found, detail),
    json: () => doctorJson(found),
  });
  return isHealthy(found) ? EXIT.done : EXIT.failed;
}

/** `rulewright doctor`. */
export const doctorCommand = command({
  run: runDoctor,
  text: `Checks the connection, the token, the clock, and what the token can read and
write in each scope and phase of the project. Changes nothing: its test writes
cannot take effect. If many scopes of one kind have the same token, it checks
ten and only looks up the others. Exit code 1 if there is a problem.`,
  examples: [
    ['rulewright doctor', 'the project'],
    ['rulewright doctor --all', 'every scope, however many'],
    ['rulewright doctor --read-only', 'a token that only plans'],
    ['rulewright doctor --zone shop.example', 'one zone'],
    ['rulewright doctor --format json', 'as JSON'],
  ],
  flags: DOCTOR_FLAGS,
});
