import type { FileFindings } from '../../app/index.ts';
import { counted, someNames } from '../../text/index.ts';
import { diagnosticsDocument, validationJson } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { OutputFlags, FormatFlags } from '../flags.ts';
import { detailOf, tell, writeJson } from '../result.ts';
import { tellDocument } from '../tell-document.ts';

/**
 * Ends a command that needs valid files. The findings go to stderr, since they are not its result; with `--format json`, stdout still gets one value:
 * the document of `validate`.
 */
export async function reportInvalidFiles(
  context: CliContext,
  flags: FormatFlags,
  findings: FileFindings,
): Promise<ExitCode> {
  const { diagnostics } = findings;
  await writeJson(context, flags, validationJson({ valid: false, diagnostics }));
  reportFindings(context, flags, findings);
  return EXIT.failed;
}

/** Writes errors and warnings about the files to stderr, with `--quiet` only errors; notes are left to `validate`. */
export function reportFindings(context: CliContext, flags: OutputFlags, findings: FileFindings): void {
  const diagnostics = findings.diagnostics.filter(
    ({ severity }) => severity === 'error' || (severity === 'warning' && flags.quiet !== true),
  );
  tellDocument(
    context,
    flags,
    diagnosticsDocument({ ...findings, diagnostics }, { detail: detailOf(flags) }),
  );
}

/** Maximum number of codes that a message names. */
const MOST_CODES = 3;

/** Reports how many warnings there are about the files, in a command that follows one which showed them; `--verbose` shows them again. */
export function countWarnings(
  context: CliContext,
  flags: OutputFlags,
  findings: FileFindings & { readonly ends: 'tell' | 'named-elsewhere' },
): void {
  const { ends: telling } = findings;
  if (flags.verbose === true) {
    reportFindings(context, flags, findings);
    return;
  }
  const all = findings.diagnostics.filter(({ severity }) => severity === 'warning');
  const ended = all.filter(({ ends }) => ends !== undefined);
  const warnings = all.filter(({ ends }) => ends === undefined);
  if (ended.length > 0 && telling === 'tell') {
    const rules = counted(ended.length, 'rule of the files has', 'rules of the files have');
    tell(
      context,
      flags,
      `${rules} ended: rulewright validate names them, rulewright fmt --drop-ended removes them.`,
    );
  }
  if (warnings.length > 0) {
    const codes = [...new Set(warnings.map(({ code }) => code))];
    const count = counted(warnings.length, 'warning');
    tell(context, flags, `${count} about the files (${someNames(codes, MOST_CODES)}): see --verbose.`);
  }
}

/** A command that has ended early, and has reported why. */
export interface EndedEarly {
  readonly kind: 'ended';
  readonly code: ExitCode;
}
