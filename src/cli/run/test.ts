import { testRules } from '../../app/test-rules.ts';
import { testResultsJunit } from '../../report/documents/junit.ts';
import { testResultsDocument, testResultsText } from '../../report/text/test-results.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { ProjectFlags, FormFlags } from '../flags.ts';
import type { TestFormat } from '../formats.ts';
import { reportFindings, reportInvalidFiles } from './report-findings.ts';

/** Flags of `test`. */
export type TestFlags = ProjectFlags & FormFlags<TestFormat>;

/** Runs the rule tests. One that fails, or cannot run, fails the command. */
export async function runTest(
  context: CliContext,
  flags: TestFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const result = await testRules(selectionOf(context, flags, paths));
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  const { report } = result;
  const failuresOnly = flags.quiet === true;
  await writeResult(context, flags, {
    text: (look) => testResultsText(report, look, { failuresOnly }),
    junit: () => testResultsJunit(report),
    json: () => testResultsDocument(report),
  });
  return report.tests.every(({ passed }) => passed) ? EXIT.done : EXIT.failed;
}
