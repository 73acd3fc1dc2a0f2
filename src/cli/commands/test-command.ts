import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import type { FileFindings } from '../../app/index.ts';
import { testRules } from '../../app/index.ts';
import {
  diagnosticsJunit,
  testResultsJunit,
  validationDocument,
  validationJson,
  testResultsDocument,
  testResultsJson,
} from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import { reportFindings, reportInvalidFiles } from '../run/report-findings.ts';
import type { FlagsOf } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { TEST_FORMATS, formatFlags } from '../formats.ts';

/** Flags of `test`. */
const TEST_FLAGS = {
  ...PROJECT_FLAGS,
  ...RESULT_FLAGS,
  ...formatFlags(TEST_FORMATS),
};

/** The values of `TEST_FLAGS`. */
type TestFlags = FlagsOf<typeof TEST_FLAGS>;

/** Runs the rule tests. A test that fails, or cannot run, fails the command. */
async function runTest(
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
    document: () => testResultsDocument(report, { failuresOnly }),
    junit: () => testResultsJunit(report),
    json: () => testResultsJson(report),
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
    document: () => validationDocument(findings),
    junit: () => diagnosticsJunit(findings),
    json: () => validationJson({ valid: false, diagnostics }),
  });
  return EXIT.failed;
}

/** `rulewright test`. */
export const testCommand = command({
  run: runTest,
  text: `Runs the rule tests of the project: requests, and what the rules of the files
are expected to do with them. Needs no network. Exit code 1 if a test fails.`,
  examples: [
    ['rulewright test', 'all tests/**/*.test.yaml'],
    ['rulewright test tests/admin.test.yaml', 'one of them'],
    ['rulewright test --format junit --output tests.xml', 'for a build service'],
  ],
  flags: TEST_FLAGS,
  positional: paths('PATH', 'Project folder, test files, or folders with them (default: tests/)'),
});
