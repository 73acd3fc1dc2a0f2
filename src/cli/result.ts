import { checkOutput, writeOutput } from '../app/write-output.ts';
import { jsonText } from '../report/json-documents.ts';
import type { Look } from '../report/theme.ts';
import { widthOf, wantsColour } from './colour.ts';
import type { CliContext } from './context.ts';
import type { BasicFormat, Format } from './formats.ts';
import type { OutputFlags, ResultFlags, SelectionFlags } from './flags.ts';

/**
 * A result in all of its forms; only the one that is wanted is made. That of JSON is a value, the others are
 * texts; one whose code is large loads it then.
 */
export type Result<F extends Format = BasicFormat> = {
  readonly [Form in F]: (look: Look) => Form extends 'json' ? unknown : string | Promise<string>;
};

/** How text on stdout looks; in a file it has no colour. */
export function stdoutLook(context: CliContext, flags: OutputFlags & Partial<ResultFlags<Format>>): Look {
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
type FlagsOfResult<F extends Format = Format> = ResultFlags<F> & Pick<SelectionFlags, 'config'>;

/** Throws when the result could not go where `--output` says; asked before work that cannot be taken back. */
export async function checkResultFile({ cwd }: CliContext, flags: FlagsOfResult): Promise<void> {
  if (flags.output !== undefined) {
    await checkOutput({ cwd, path: flags.output, config: flags.config });
  }
}

/** Writes the result to stdout, or into the file that `--output` names. */
export async function writeResult<F extends Format>(
  context: CliContext,
  flags: FlagsOfResult<F>,
  result: Result<F>,
): Promise<void> {
  const made: unknown = result[flags.format](stdoutLook(context, flags));
  const value = await Promise.resolve(made);
  const text = flags.format !== 'json' && typeof value === 'string' ? value : jsonText(value);
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
