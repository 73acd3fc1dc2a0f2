import { resolve } from 'node:path';
import type { BaseArgs } from '@stricli/core';
import type { Row } from './columns.ts';
import { twoColumns } from './columns.ts';
import type { CliContext, CommandContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { AnyFlags } from './flags.ts';

/** What a command does: flags and arguments in, exit code out. */
export type Run<Flags, Args extends BaseArgs> = (
  context: CliContext,
  flags: Flags,
  ...args: Args
) => Promise<ExitCode>;

/**
 * The framework's function for a command whose code is loaded when the command runs. Errors end here: they
 * are reported and become an exit code. A command with a name to be observed by is measured where somebody wants that.
 */
export function lazily<Flags extends AnyFlags, Args extends BaseArgs>(
  load: () => Promise<Run<Flags, Args>>,
  observed?: string,
): (this: CommandContext, flags: Flags, ...args: Args) => Promise<void> {
  return async function runLazily(this: CommandContext, flags: Flags, ...args: Args): Promise<void> {
    const work = async (): Promise<ExitCode> => {
      const ended = sparing(this.cli, flags, args);
      try {
        const run = await load();
        const code = await run(this.cli, flags, ...args);
        if (code === EXIT.interrupted) {
          await (await import('./result.ts')).removeResult(this.cli, ended);
        }
        return code;
      } catch (error) {
        return (await import('./failure.ts')).reportFailure(this.cli, ended, error);
      }
    };
    if (observed === undefined) {
      this.exit(await work());
    } else {
      const { runObserved } = await import('./telemetry.ts');
      this.exit(await runObserved(this.cli, { command: observed, flags, work }));
    }
  };
}

/** The flags without a file for the result that the command was to read: why it failed does not replace that. */
function sparing({ cwd }: CliContext, flags: AnyFlags, args: readonly unknown[]): AnyFlags {
  const { output, ...others } = flags;
  const isRead = (file: string): boolean =>
    args.some((arg) => typeof arg === 'string' && resolve(cwd, arg) === resolve(cwd, file));
  return output !== undefined && isRead(output) ? others : flags;
}

/** The text of `--help` above the flags: what the command does, and examples of its use. */
export function description(text: string, examples: readonly Row[]): string {
  return `${text}\n\nEXAMPLES\n${twoColumns(examples, LONGEST_EXAMPLE).trimEnd()}`;
}

/** Columns of a command line that leave room for what it does. */
const LONGEST_EXAMPLE = 48;
