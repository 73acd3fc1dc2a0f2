import { resolve } from 'node:path';
import type { Application } from '@stricli/core';
import { proposeCompletions, run } from '@stricli/core';
import type { CliContext, CommandContext, OutputStream, ExitCode, AnyFlags } from '../cli/index.ts';
import { EXIT, flagWord, frameworkExit } from '../cli/index.ts';
import { usage } from '../app/index.ts';
import type { RulewrightError } from '../model/index.ts';
import { buildCommandLine, loadCommands } from './application.ts';
import { singleDash } from './habits.ts';
import { wrongUsage } from './usage-text.ts';

/**
 * Returns where the result goes according to a command line that the framework could not parse. It goes to stdout if a second word names the output
 * file, which the run may have been meant to read.
 */
function unparsedFlags(argv: readonly string[], cwd: string): Pick<AnyFlags, 'format' | 'output' | 'config'> {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const output = valueOf(words, '--output');
  const naming = argv.filter(
    (word) =>
      output !== undefined && resolve(cwd, word.slice(word.lastIndexOf('=') + 1)) === resolve(cwd, output),
  );
  return {
    format: valueOf(words, '--format'),
    output: naming.length > 1 ? undefined : output,
    config: valueOf(words, '--config'),
  };
}

/** Returns the first value of a flag; undefined if it is empty, or another flag stands in its place. */
function valueOf(words: readonly string[], flag: string): string | undefined {
  const index = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const [word = flag, next = ''] = index === -1 ? [] : words.slice(index);
  const value = word === flag ? next : word.slice(flag.length + 1);
  return value === '' || value.startsWith('-') ? undefined : value;
}

/** The command that completion scripts call; help does not list it. */
const COMPLETE = '__complete';

/** The command that people type before they know `--help`. */
const HELP = 'help';

/** Splits `--flag=` into a flag and an empty value; the framework would take it for an argument. */
function withEmptyValues(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, index) =>
    index < end && /^--[a-z][a-z-]*=$/u.test(word) ? [word.slice(0, -1), ''] : [word],
  );
}

/** Runs one command line, without the program's name, and returns the exit code. Never throws. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const misread: string[] = [];
  const [command, ...words] = argv;
  const name = command === COMPLETE ? words[0] : command;
  const loaded = await loadCommands(name === undefined ? [] : [name]);
  const application = buildCommandLine(context.version(), loaded, (message) => misread.push(message));
  if (command === COMPLETE) {
    return complete(application, words, context);
  }
  if (command === undefined) {
    await start(application, ['--help'], { ...context, stdout: context.stderr });
    return EXIT.usage;
  }
  if (command === HELP) {
    return runCli([...words, '--help'], context);
  }
  const called = commandOf(application.root, argv);
  const foreign = singleDash(argv, called.flags);
  if (foreign !== undefined) {
    misread.push(foreign);
    context.stderr.write(`${wrongUsage(foreign)}\n`);
  }
  const code = foreign === undefined ? await start(application, withEmptyValues(argv), context) : EXIT.usage;
  if (code === EXIT.usage) {
    const hint = `see ${['rulewright', ...called.words, '--help'].join(' ')}`;
    context.stderr.write(`  ${hint}\n`);
    if (misread.length > 0) {
      await writeUsageErrorJson(context, argv, usage(misread.join('; '), hint));
    }
  }
  return code;
}

/** Writes a usage error as JSON too when the command line asks for JSON. */
async function writeUsageErrorJson(
  context: CliContext,
  argv: readonly string[],
  error: RulewrightError,
): Promise<void> {
  const flags = unparsedFlags(argv, context.cwd);
  if (flags.format === 'json') {
    const { writeErrorJson } = await import('../cli/index.ts');
    await writeErrorJson(context, flags, error);
  }
}

interface FrameworkProcess {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  exitCode?: number | string | null;
}

async function start(
  application: Application<CommandContext>,
  argv: readonly string[],
  context: CliContext,
): Promise<ExitCode> {
  let ended: ExitCode | undefined;
  const process: FrameworkProcess = { stdout: context.stdout, stderr: context.stderr };
  await run(application, argv, {
    process,
    cli: context,
    exit: (code) => {
      ended = code;
    },
  });
  return ended ?? frameworkExit(process.exitCode);
}

/** The command that a command line calls: its words, and its flags as they are typed. */
interface CalledCommand {
  readonly words: readonly string[];
  readonly flags: ReadonlySet<string>;
}

/** Returns the command that the first words of a command line name, or the group of commands that they reach. */
function commandOf(target: Application<CommandContext>['root'], argv: readonly string[]): CalledCommand {
  if ('parameters' in target) {
    return { words: [], flags: new Set(Object.keys(target.parameters.flags ?? {}).map(flagWord)) };
  }
  const [word, ...rest] = argv;
  if (word === undefined || !/^[a-z-]+$/u.test(word)) {
    return { words: [], flags: new Set() };
  }
  const camelCase = word.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
  const inner = target.getRoutingTargetForInput(word) ?? target.getRoutingTargetForInput(camelCase);
  if (inner === undefined) {
    return { words: [], flags: new Set() };
  }
  const called = commandOf(inner, rest);
  return { ...called, words: [word, ...called.words] };
}

/**
 * Prints completions of the last word, one a line: flags if the word begins as a flag, else only values. Where there are none, the shell completes
 * files. PowerShell spells an empty word `""`.
 */
async function complete(
  application: Application<CommandContext>,
  words: readonly string[],
  context: CliContext,
): Promise<ExitCode> {
  const inputs = words.map((word) => (word === '""' ? '' : word));
  const typesFlag = inputs.at(-1)?.startsWith('-') === true;
  const proposals = await proposeCompletions(application, inputs, {
    process: { stdout: context.stdout, stderr: context.stderr },
    cli: context,
    exit: () => undefined,
  });
  const fitting = proposals.filter(
    ({ kind, completion }) => (kind === 'argument:flag') === typesFlag && completion !== '--',
  );
  context.stdout.write(fitting.map(({ completion }) => `${completion}\n`).join(''));
  return EXIT.done;
}
