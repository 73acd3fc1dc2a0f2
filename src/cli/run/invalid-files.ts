import type { FileFindings } from '../../app/results.ts';
import { diagnosticsText } from '../../report/diagnostics-text.ts';
import { jsonText, validationDocument } from '../../report/json-documents.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { ResultFlags } from '../flags.ts';
import { stderrLook } from '../result.ts';

/**
 * Ends a command that needs valid files: the findings go to stderr, for they are not its result; with
 * `--format json` stdout still gets one value, the document of `validate`.
 */
export function reportInvalidFiles(
  context: CliContext,
  flags: ResultFlags,
  findings: FileFindings,
): ExitCode {
  if (flags.format === 'json') {
    const { diagnostics } = findings;
    context.stdout.write(jsonText(validationDocument({ valid: false, diagnostics })));
  }
  reportFindings(context, flags, findings);
  return EXIT.failed;
}

/** Findings about the files on stderr; warnings are left out with `--quiet`. */
export function reportFindings(context: CliContext, flags: ResultFlags, findings: FileFindings): void {
  const diagnostics = findings.diagnostics.filter(
    ({ severity }) => severity === 'error' || flags.quiet !== true,
  );
  context.stderr.write(diagnosticsText({ ...findings, diagnostics }, stderrLook(context, flags)));
}
