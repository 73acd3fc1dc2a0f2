import type { BaseArgs, Command, RouteMap, TypedCommandParameters } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { relative, sep } from 'node:path';
import { projectFolder } from '../app/index.ts';
import type { ColumnPair } from './columns.ts';
import { twoColumns } from './columns.ts';
import type { CliContext, CommandContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { reportFailure } from './report-failure.ts';
import type { AnyFlags } from './flags.ts';
import type { FileParameters } from './named-files.ts';
import { requireFilesApart, namedFiles } from './named-files.ts';
import { prepareResultFiles } from './result.ts';

/**
 * What the output of a command is: all that it does, so that it fails if that cannot be written; the same without an end, so that it runs for as long
 * as somebody reads; or a report of what it writes elsewhere.
 */
export type CommandOutput = 'all' | 'endless' | 'report';

/** A command, or a group of commands, for the framework. */
export type CommandTarget = Command<CommandContext> | RouteMap<CommandContext>;

/** Builds a command, or a group, given the line that lists it in help. */
export type Listed<Target extends CommandTarget = CommandTarget> = (brief: string) => Target;

/** Commands and groups by their first word, as help lists them. The code of a command is loaded when it is called. */
export type CommandTable = Readonly<
  Record<
    string,
    {
      readonly brief: string;
      readonly output: CommandOutput;
      readonly load: () => Promise<Listed>;
    }
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

/** What `--help` says above the flags. */
interface Help {
  readonly text?: string;
  readonly examples?: readonly ColumnPair[];
}

/** What a command does, and which of its parameters are files. */
interface CommandToRun<Flags, Args extends BaseArgs> extends FileParameters<keyof Flags> {
  readonly run: CommandRun<Flags, Args>;
  /** The command's name in spans and metrics; undefined for a command that is never measured. */
  readonly observed?: string;
  /** Whether its text is about the files of the project, and names them as from the user's folder. */
  readonly ofProject?: true;
}

/** A command: its help, its parameters and its code. */
type Definition<Flags extends KnownFlags<Flags>, Args extends BaseArgs> = Help &
  CommandToRun<Flags, Args> &
  NoInfer<TypedCommandParameters<Flags, Args, CommandContext>>;

/** Defines a command. */
export function command<Flags extends KnownFlags<Flags>, Args extends BaseArgs>(
  definition: Definition<Flags, Args>,
): Listed<Command<CommandContext>> {
  return (brief) =>
    buildCommand<Flags, Args, CommandContext>({
      func: running(definition),
      parameters: definition,
      docs: docsOf(brief, definition),
    });
}

/** Defines a group of commands that share their first word. */
export function commandGroup({
  routes,
  ...help
}: Help & { readonly routes: Readonly<Record<string, Command<CommandContext>>> }): Listed {
  return (brief) => buildRouteMap({ routes, docs: docsOf(brief, help) });
}

/**
 * Returns what runs a command after checking that its result can be written where the flags want it. Errors are reported here and become an exit code.
 */
function running<Flags extends AnyFlags, Args extends BaseArgs>({
  run,
  observed,
  ofProject,
  ...parameters
}: CommandToRun<Flags, Args>): (this: CommandContext, flags: Flags, ...args: Args) => Promise<void> {
  return async function runReporting(this: CommandContext, flags: Flags, ...args: Args): Promise<void> {
    const failed = (error: unknown, where: AnyFlags): Promise<ExitCode> =>
      reportFailure(this.cli, where, error);
    const paths = args.filter((arg) => typeof arg === 'string');
    try {
      await requireFilesApart(
        { cwd: this.cli.cwd, config: flags.config, paths },
        namedFiles(parameters, flags, args),
      );
    } catch (error) {
      // Without the files for results: one of them may be the file that the user needs.
      this.exit(await failed(error, { ...flags, output: undefined, report: undefined }));
      return;
    }
    const runOn = async (context: CliContext): Promise<ExitCode> => {
      try {
        if (flags.output !== undefined || flags.report !== undefined) {
          await prepareResultFiles(context, flags);
        }
        return await run(
          {
            ...(await withSecrets(context, flags, parameters.positional?.file === 'read' ? paths : [])),
            ...(ofProject === true ? { way: await wayToProject(context.cwd, flags.config, paths) } : {}),
          },
          flags,
          ...args,
        );
      } catch (error) {
        return failed(error, flags);
      }
    };
    const { notify } = flags;
    const work = async (): Promise<ExitCode> => {
      if (notify === undefined) {
        return runOn(this.cli);
      }
      try {
        const { notifying } = await import('./notify.ts');
        return await notifying(this.cli, { ...flags, notify }, { name: observed ?? '', run: runOn });
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

/** Returns the context with the secrets of a project that flags allow to fetch; no command has them otherwise. */
async function withSecrets(
  context: CliContext,
  { config, secretFiles: folders = [], secretCommand: commands = [] }: AnyFlags,
  paths: readonly string[],
): Promise<CliContext> {
  if (folders.length + commands.length === 0) {
    return context;
  }
  const { withFetchedSecrets } = await import('../app/index.ts');
  const { cwd, env, signal, today, session } = context;
  const project = { cwd, config, paths, today, heads: session.projectHeads };
  return {
    ...context,
    env: await withFetchedSecrets(project, env, { access: { folders, commands }, signal }),
  };
}

/** Returns how the folder of the project is reached from the user's, as `../`; "" where it is the same. */
async function wayToProject(
  cwd: string,
  config: string | undefined,
  paths: readonly string[],
): Promise<string> {
  const way = relative(cwd, await projectFolder({ cwd, config, paths }));
  return way === '' ? '' : `${way}/`.replaceAll(sep, '/');
}

/** Returns the text of `--help` above the flags: what the command does, and examples of its use. */
function docsOf(
  brief: string,
  { text, examples = [] }: Help,
): {
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
