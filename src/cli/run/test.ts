import { testRules } from '../../app/test-rules.ts';
import { testResultsDocument } from '../../report/simulation-documents.ts';
import { testResultsJunit } from '../../report/test-results-junit.ts';
import { testResultsText } from '../../report/test-results-text.ts';
import type { TestFlags } from '../commands/test.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { ResultFlags } from '../flags.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { reportFindings, reportInvalidFiles } from './plan-files.ts';

/** Runs the rule tests. One that fails, or cannot run, fails the command. */
export async function runTest(
  context: CliContext,
  flags: TestFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const result = await testRules(selectionOf(context, flags, paths));
  const plain: ResultFlags = { ...flags, format: flags.format === 'json' ? 'json' : 'text' };
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, plain, result);
  }
  reportFindings(context, plain, result);
  const { report } = result;
  const failuresOnly = flags.quiet === true;
  await writeResult(context, plain, {
    text: (look) =>
      flags.format === 'junit' ? testResultsJunit(report) : testResultsText(report, look, { failuresOnly }),
    json: () => testResultsDocument(report),
  });
  return report.tests.every(({ passed }) => passed) ? EXIT.done : EXIT.failed;
}
