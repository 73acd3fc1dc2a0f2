import { resolve } from 'node:path';
import type { BaseArgs, Command, RouteMap, TypedCommandParameters } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
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

/** What the framework asks of the type of flags. */
type Asked<Flags> = AnyFlags & Readonly<Partial<Record<keyof Flags, unknown>>>;

/** What `--help` says: a line for the list of commands, and what stands above the flags. */
interface Help {
  readonly brief: string;
  readonly text?: string;
  readonly examples?: readonly Row[];
}

/** A command: what it says, what it takes, and where its code is, which is loaded when it runs. */
type Definition<Flags extends Asked<Flags>, Args extends BaseArgs> = Help & {
  readonly run: () => Promise<Run<Flags, Args>>;
  /** The name to be observed by, of a command that is measured where somebody wants that. */
  readonly observed?: string;
} & NoInfer<TypedCommandParameters<Flags, Args, CommandContext>>;

/** A command as the framework knows it. */
export function command<Flags extends Asked<Flags>, Args extends BaseArgs>(
  definition: Definition<Flags, Args>,
): Command<CommandContext> {
  return buildCommand<Flags, Args, CommandContext>({
    func: lazily(definition.run, definition.observed),
    parameters: definition,
    docs: docsOf(definition),
  });
}

/** Commands that share their first word. */
export function commandGroup({
  routes,
  ...help
}: Help & { readonly routes: Readonly<Record<string, Command<CommandContext>>> }): RouteMap<CommandContext> {
  return buildRouteMap({ routes, docs: docsOf(help) });
}

/**
 * Loads the code of a command and runs it. Errors are reported here and become an exit code.
 */
function lazily<Flags extends AnyFlags, Args extends BaseArgs>(
  load: () => Promise<Run<Flags, Args>>,
  observed?: string,
): (this: CommandContext, flags: Flags, ...args: Args) => Promise<void> {
  return async function runLazily(this: CommandContext, flags: Flags, ...args: Args): Promise<void> {
    const work = async (): Promise<ExitCode> => {
      const safeFlags = withoutInputAsOutput(this.cli, flags, args);
      try {
        const run = await load();
        const code = await run(this.cli, flags, ...args);
        if (code === EXIT.interrupted) {
          await (await import('./result.ts')).removeResult(this.cli, safeFlags);
        }
        return code;
      } catch (error) {
        return (await import('./failure.ts')).reportFailure(this.cli, safeFlags, error);
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

/** The flags without `--output` where it names an input file: an error must not overwrite that. */
function withoutInputAsOutput({ cwd }: CliContext, flags: AnyFlags, args: readonly unknown[]): AnyFlags {
  const { output, ...others } = flags;
  const isRead = (file: string): boolean =>
    args.some((arg) => typeof arg === 'string' && resolve(cwd, arg) === resolve(cwd, file));
  return output !== undefined && isRead(output) ? others : flags;
}

/** The text of `--help` above the flags: what the command does, and examples of its use. */
function docsOf({ brief, text, examples = [] }: Help): {
  readonly brief: string;
  readonly fullDescription?: string;
} {
  return text === undefined
    ? { brief }
    : {
        brief,
        fullDescription: `${text}\n\nEXAMPLES\n${twoColumns(examples, MAX_EXAMPLE_LENGTH).trimEnd()}`,
      };
}

/** Columns of a command line that leave room for what it does. */
const MAX_EXAMPLE_LENGTH = 48;
