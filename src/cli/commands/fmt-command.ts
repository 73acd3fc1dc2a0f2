import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { formatFiles, formatOne, usage } from '../../app/index.ts';
import { diagnosticsDocument, formatDocument, formatJson } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, readingExit } from '../exit-code.ts';
import { detailOf, writeResult } from '../result.ts';
import { tellDocument } from '../tell-document.ts';
import { selectionOf } from '../service-choice.ts';
import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `fmt`. */
const FMT_FLAGS = {
  check: switchFlag('Write nothing; exit code 2 if a file would change'),
  diff: switchFlag('As --check, and show what would change'),
  stdin: switchFlag('Format stdin to stdout, for editors'),
  dropEnded: switchFlag('Also remove the rules that have ended'),
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
};

/** The values of `FMT_FLAGS`. */
type FmtFlags = FlagsOf<typeof FMT_FLAGS>;

/** Formats files in our style, or reports which are not in it. */
async function runFmt(context: CliContext, flags: FmtFlags, ...paths: readonly string[]): Promise<ExitCode> {
  if (flags.stdin === true) {
    return formatStdin(context, flags, paths);
  }
  const mode = flags.check === true || flags.diff === true ? 'check' : 'write';
  const result = await formatFiles(selectionOf(context, flags, paths), {
    mode,
    endedBefore: flags.dropEnded === true ? context.today : undefined,
  });
  const summary = { ...result, mode, diff: flags.diff === true } as const;
  if (flags.format === 'text') {
    tellDocument(context, flags, diagnosticsDocument(result, { detail: detailOf(flags) }));
  }
  await writeResult(context, flags, {
    document: () => formatDocument(summary),
    json: () => formatJson(summary),
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
  if (
    paths.length > 0 ||
    flags.check === true ||
    flags.diff === true ||
    flags.dropEnded === true ||
    flags.format !== 'text'
  ) {
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
  tellDocument(context, flags, diagnosticsDocument(made, { detail: detailOf(flags) }));
  return EXIT.failed;
}

/** `rulewright fmt`. */
export const fmtCommand = command({
  run: runFmt,
  text: `Puts keys in their order, removes quotes that are not needed, writes conditions
in canonical form and folds long ones. The meaning of the files stays, and so
does every comment. A file that cannot be read is left alone, and its findings
are printed.`,
  examples: [
    ['rulewright fmt', 'the files of the project'],
    ['rulewright fmt --diff', 'for CI: exit code 2 and the changes, nothing written'],
    ['rulewright fmt --drop-ended', 'without rules whose `active.until` has passed'],
    ['rulewright fmt --stdin < zones/shop.yaml', 'for editors'],
  ],
  flags: FMT_FLAGS,
  positional: PATHS,
});
