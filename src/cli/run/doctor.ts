import { doctor } from '../../app/index.ts';
import { doctorDocument, doctorText, isHealthy } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { startProgress } from '../progress.ts';
import { writeResult } from '../result.ts';
import { namedScope } from '../scope-flags.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { DoctorFlags } from '../flags/doctor.ts';

/** Shows what would prevent a run, and what to do about it. */
export async function runDoctor(context: CliContext, flags: DoctorFlags): Promise<ExitCode> {
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
    text: (look) => doctorText(found, look),
    json: () => doctorDocument(found),
  });
  return isHealthy(found) ? EXIT.done : EXIT.failed;
}
