import type { FileFindings } from '../../app/results.ts';
import { diagnosticsText } from '../../report/text/diagnostics.ts';
import { validationDocument } from '../../report/json-documents.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { OutputFlags, ResultFlags } from '../flags.ts';
import type { Format } from '../formats.ts';
import { stderrLook, writeJson } from '../result.ts';

/**
 * Ends a command that needs valid files: the findings go to stderr, for they are not its result; with
 * `--format json` stdout still gets one value, the document of `validate`.
 */
export async function reportInvalidFiles(
  context: CliContext,
  flags: ResultFlags<Format>,
  findings: FileFindings,
): Promise<ExitCode> {
  const { diagnostics } = findings;
  await writeJson(context, flags, validationDocument({ valid: false, diagnostics }));
  reportFindings(context, flags, findings);
  return EXIT.failed;
}

/** Errors and warnings about the files on stderr, with `--quiet` errors only; notes are for `validate`. */
export function reportFindings(context: CliContext, flags: OutputFlags, findings: FileFindings): void {
  const diagnostics = findings.diagnostics.filter(
    ({ severity }) => severity === 'error' || (severity === 'warning' && flags.quiet !== true),
  );
  context.stderr.write(diagnosticsText({ ...findings, diagnostics }, stderrLook(context, flags)));
}
