import type { FileFindings } from '../../app/index.ts';
import { testRules } from '../../app/index.ts';
import {
  diagnosticsJunit,
  testResultsJunit,
  validationDocument,
  testResultsDocument,
  testResultsText,
} from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { TestFlags } from '../flags/test.ts';
import { reportFindings, reportInvalidFiles } from './report-findings.ts';

/** Runs the rule tests. A test that fails, or cannot run, fails the command. */
export async function runTest(
  context: CliContext,
  flags: TestFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const result = await testRules(selectionOf(context, flags, paths));
  if (result.kind === 'invalid') {
    return wantsJunit(flags)
      ? endAsJunit(context, flags, result)
      : reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  const { report } = result;
  const failuresOnly = flags.quiet === true;
  await writeResult(context, flags, {
    text: (look) => testResultsText(report, look, { failuresOnly }),
    junit: () => testResultsJunit(report),
    json: () => testResultsDocument(report),
  });
  return report.errors.length === 0 && report.tests.every(({ passed }) => passed) ? EXIT.done : EXIT.failed;
}

function wantsJunit({ format, report = [] }: TestFlags): boolean {
  return format === 'junit' || report.some((extra) => extra.format === 'junit');
}

/** Ends the command when the project's files are invalid, so that no test can run; build services that show tests then show why. */
async function endAsJunit(context: CliContext, flags: TestFlags, findings: FileFindings): Promise<ExitCode> {
  reportFindings(context, flags, findings);
  const { diagnostics } = findings;
  await writeResult(context, flags, {
    text: () => '',
    junit: () => diagnosticsJunit(findings),
    json: () => validationDocument({ valid: false, diagnostics }),
  });
  return EXIT.failed;
}
