import { formatFiles, formatOne, usage } from '../../app/index.ts';
import { diagnosticsText, formatDocument, formatSummaryText } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, readingExit } from '../exit-code.ts';
import { stderrLook, writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { FmtFlags } from '../flags/fmt.ts';

/** Formats files in our style, or reports which are not in it. */
export async function runFmt(
  context: CliContext,
  flags: FmtFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  if (flags.stdin === true) {
    return formatStdin(context, flags, paths);
  }
  const mode = flags.check === true || flags.diff === true ? 'check' : 'write';
  const result = await formatFiles(selectionOf(context, flags, paths), mode);
  const summary = { ...result, mode, diff: flags.diff === true } as const;
  if (flags.format === 'text') {
    context.stderr.write(diagnosticsText(result, stderrLook(context, flags)));
  }
  await writeResult(context, flags, {
    text: (look) => (result.files > 0 ? formatSummaryText(summary, look) : ''),
    json: () => formatDocument(summary),
  });
  return readingExit({
    failed: result.diagnostics.some(({ severity }) => severity === 'error'),
    different: mode === 'check' && result.changed.length > 0,
  });
}

async function formatStdin(
  context: CliContext,
  flags: FmtFlags,
  paths: readonly string[],
): Promise<ExitCode> {
  if (paths.length > 0 || flags.check === true || flags.diff === true || flags.format !== 'text') {
    throw usage('--stdin takes one text from stdin, and no paths, other modes or formats');
  }
  const lines: string[] = [];
  for await (const line of context.lines()) {
    lines.push(line);
  }
  const made = formatOne(lines.map((line) => `${line}\n`).join(''));
  if (made.kind === 'formatted') {
    context.stdout.write(made.text);
    return EXIT.done;
  }
  context.stderr.write(diagnosticsText(made, stderrLook(context, flags)));
  return EXIT.failed;
}
