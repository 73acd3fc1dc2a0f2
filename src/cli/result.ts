import { checkOutput, writeOutput } from '../app/write-output.ts';
import { jsonText } from '../report/json-documents.ts';
import type { Look } from '../report/theme.ts';
import { widthOf, wantsColour } from './colour.ts';
import type { CliContext } from './context.ts';
import type { OutputFlags, ResultFlags, SelectionFlags } from './flags.ts';

/** A result in both of its forms; only the one that is wanted is made. */
export interface Result {
  readonly text: (look: Look) => string;
  readonly json: () => unknown;
}

/** How text on stdout looks; in a file it has no colour. */
export function stdoutLook(context: CliContext, flags: OutputFlags & Partial<ResultFlags>): Look {
  return {
    width: widthOf(context.stdout),
    colour: flags.output === undefined && wantsColour(context.stdout, context, flags),
  };
}

/** How text on stderr looks. */
export function stderrLook(context: CliContext, flags: OutputFlags): Look {
  return { width: widthOf(context.stderr), colour: wantsColour(context.stderr, context, flags) };
}

/** Flags of a command with a result. */
type FlagsOfResult = ResultFlags & Pick<SelectionFlags, 'config'>;

/** Throws when the result could not go where `--output` says; asked before work that cannot be taken back. */
export async function checkResultFile({ cwd }: CliContext, flags: FlagsOfResult): Promise<void> {
  if (flags.output !== undefined) {
    await checkOutput({ cwd, path: flags.output, config: flags.config });
  }
}

/** Writes the result to stdout, or into the file that `--output` names. */
export async function writeResult(context: CliContext, flags: FlagsOfResult, result: Result): Promise<void> {
  const text = flags.format === 'json' ? jsonText(result.json()) : result.text(stdoutLook(context, flags));
  if (flags.output === undefined) {
    context.stdout.write(text);
    return;
  }
  await writeOutput({ cwd: context.cwd, path: flags.output, config: flags.config }, text);
  tell(context, flags, `wrote ${flags.output}`);
}

/** A line for people, on stderr; `--quiet` leaves it out. */
export function tell(context: CliContext, flags: OutputFlags, text: string): void {
  if (flags.quiet !== true) {
    context.stderr.write(`${text}\n`);
  }
}
