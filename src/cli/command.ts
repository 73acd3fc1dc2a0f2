import type { BaseArgs, Command, RouteMap, TypedCommandParameters } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import type { ColumnPair } from './columns.ts';
import { twoColumns } from './columns.ts';
import type { CliContext, CommandContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import type { AnyFlags } from './flags.ts';
import type { FileParameters } from './named-files.ts';
import { requireFilesApart, namedFiles } from './named-files.ts';

/**
 * What the output of a command is: all that it does, so that it fails if that cannot be written; the same without an end, so that it runs for as long
 * as somebody reads; or a report of what it writes elsewhere.
 */
export type CommandOutput = 'all' | 'endless' | 'report';

/** Commands and groups of commands, by their first word. */
export type CommandTable = Readonly<
  Record<
    string,
    { readonly target: Command<CommandContext> | RouteMap<CommandContext>; readonly output: CommandOutput }
  >
>;

/** Runs a command with its flags and arguments; returns the exit code. */
export type CommandRun<Flags, Args extends BaseArgs> = (
  context: CliContext,
  flags: Flags,
  ...args: Args
) => Promise<ExitCode>;

/** What the framework requires of the type of flags. */
type KnownFlags<Flags> = AnyFlags & Readonly<Partial<Record<keyof Flags, unknown>>>;

/** What `--help` says: a line for the list of commands, and the text above the flags. */
interface Help {
  readonly brief: string;
  readonly text?: string;
  readonly examples?: readonly ColumnPair[];
}

/** How to load the code of a command when it runs, and which of its parameters are files. */
interface LazyCommand<Flags, Args extends BaseArgs> extends FileParameters<keyof Flags> {
  readonly run: () => Promise<CommandRun<Flags, Args>>;
  /** The command's name in spans and metrics; undefined for a command that is never measured. */
  readonly observed?: string;
}

/** A command: its help, its parameters and its code. */
type Definition<Flags extends KnownFlags<Flags>, Args extends BaseArgs> = Help &
  LazyCommand<Flags, Args> &
  NoInfer<TypedCommandParameters<Flags, Args, CommandContext>>;

/** Builds a command for the framework. */
export function command<Flags extends KnownFlags<Flags>, Args extends BaseArgs>(
  definition: Definition<Flags, Args>,
): Command<CommandContext> {
  return buildCommand<Flags, Args, CommandContext>({
    func: lazily(definition),
    parameters: definition,
    docs: docsOf(definition),
  });
}

/** Builds a group of commands that share their first word. */
export function commandGroup({
  routes,
  ...help
}: Help & { readonly routes: Readonly<Record<string, Command<CommandContext>>> }): RouteMap<CommandContext> {
  return buildRouteMap({ routes, docs: docsOf(help) });
}

/**
 * Loads the code of a command and runs it, after checking that its result can be written where the flags want it. Errors are reported here and become
 * an exit code.
 */
function lazily<Flags extends AnyFlags, Args extends BaseArgs>({
  run: load,
  observed,
  ...parameters
}: LazyCommand<Flags, Args>): (this: CommandContext, flags: Flags, ...args: Args) => Promise<void> {
  return async function runLazily(this: CommandContext, flags: Flags, ...args: Args): Promise<void> {
    const failed = async (error: unknown, where: AnyFlags): Promise<ExitCode> =>
      (await import('./failure.ts')).reportFailure(this.cli, where, error);
    try {
      const paths = args.filter((arg) => typeof arg === 'string');
      await requireFilesApart(
        { cwd: this.cli.cwd, config: flags.config, paths },
        namedFiles(parameters, flags, args),
      );
    } catch (error) {
      // Without the files for results: one of them may be the file that the user needs.
      this.exit(await failed(error, { ...flags, output: undefined, report: undefined }));
      return;
    }
    const work = async (): Promise<ExitCode> => {
      try {
        if (flags.output !== undefined || flags.report !== undefined) {
          await (await import('./result.ts')).prepareResultFiles(this.cli, flags);
        }
        const run = await load();
        return await run(this.cli, flags, ...args);
      } catch (error) {
        return failed(error, flags);
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

/** Returns the text of `--help` above the flags: what the command does, and examples of its use. */
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

/** Width of an example's command line, in columns, that leaves room for its explanation. */
const MAX_EXAMPLE_LENGTH = 48;
