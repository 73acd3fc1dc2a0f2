import type { Command, RouteMap, StricliIntegration } from '@stricli/core';
import { proseLines, twoColumns, flagWord } from '../cli/index.ts';
import type { ColumnPair, CommandContext } from '../cli/index.ts';

/** `--help` in our own layout: every line fits 80 columns. */
export const HELP: StricliIntegration<CommandContext> = {
  flag: {
    brief: 'Print help and exit',
    aliases: ['h'],
    global: true,
    defaultForRouteMap: true,
    run(_application, { result: { target, prefix } }) {
      this.process.stdout.write(helpText(prefix, target));
    },
  },
};

/** Returns the help of the command, or group of commands, that is called by these words. */
function helpText(
  words: readonly string[],
  target: RouteMap<CommandContext> | Command<CommandContext>,
): string {
  const name = words.join(' ');
  return 'parameters' in target ? commandHelp(name, target) : rootHelp(name, target);
}

/** Flags that every command understands without declaring them. */
const GLOBAL_FLAGS: readonly ColumnPair[] = [['-h, --help', 'Print this help and exit']];

/** Flags of the program itself. */
const PROGRAM_FLAGS: readonly ColumnPair[] = [['--version', 'Print the version and exit']];

/** Width of the left side, in columns; longer entries go to a line of their own. */
const LEFT = 26;

function rootHelp(name: string, root: RouteMap<CommandContext>): string {
  const commands = root
    .getAllEntries()
    .filter((entry) => !entry.hidden)
    .map((entry): ColumnPair => [entry.name['convert-camel-to-kebab'], entry.target.brief]);
  return [
    `${name} COMMAND [flags]\n`,
    section('COMMANDS', commands),
    `${proseLines(root.fullDescription ?? root.brief)}\n`,
    section('FLAGS', [...GLOBAL_FLAGS, ...(name.includes(' ') ? [] : PROGRAM_FLAGS)]),
  ].join('\n');
}

function commandHelp(name: string, command: Command<CommandContext>): string {
  const args = argumentsOf(command);
  const isRare = (flag: string): boolean =>
    RARE_FLAGS.has(flag) || (command.parameters.flags?.['replay'] !== undefined && OF_REPLAY.has(flag));
  const rare = flagsOf(command, isRare);
  const usage = [name, ...args.map(([placeholder]) => placeholder), '[flags]'].join(' ');
  return [
    `${usage}\n`,
    `${proseLines(command.fullDescription ?? command.brief)}\n`,
    ...(args.length === 0 ? [] : [section('ARGUMENTS', args)]),
    section('FLAGS', [...flagsOf(command, (flag) => !isRare(flag)), ...GLOBAL_FLAGS]),
    ...(rare.length === 0 ? [] : [section('FLAGS FOR PIPELINES AND MANY ZONES', rare)]),
  ].join('\n');
}

/** Flags that few people type: those of pipelines, of projects with many zones, and of other services. Help lists them last. */
const RARE_FLAGS: ReadonlySet<string> = new Set([
  'settingsFrom',
  'changedSince',
  'shard',
  'ownBudget',
  'maxRequests',
  'sweep',
  'concurrency',
  'budget',
  'cache',
  'noCache',
  'metrics',
  'report',
  'baseUrl',
  'emulatorState',
  'journal',
  'writes',
  'preflight',
  'expectDrift',
  'wave',
  'untilWave',
  'allowProbeHost',
  'secretFiles',
  'secretCommand',
  'notify',
]);

/** Flags about recorded requests, which are rare where these are only looked at beside something else. */
const OF_REPLAY: ReadonlySet<string> = new Set(['replay', 'logFormat', 'known', 'sampled', 'showAddresses']);

function argumentsOf({ parameters: { positional } }: Command<CommandContext>): readonly ColumnPair[] {
  if (positional === undefined) {
    return [];
  }
  if (positional.kind === 'array') {
    const { placeholder = 'ARG', brief } = positional.parameter;
    return [[`[${placeholder}...]`, brief]];
  }
  return positional.parameters.map(({ placeholder = 'ARG', brief, optional }): ColumnPair => [
    optional === true ? `[${placeholder}]` : placeholder,
    brief,
  ]);
}

function flagsOf(
  { parameters: { flags = {} } }: Command<CommandContext>,
  isListed: (name: string) => boolean,
): readonly ColumnPair[] {
  return Object.entries(flags)
    .filter(([name, flag]) => isListed(name) && (!('hidden' in flag) || !(flag.hidden ?? false)))
    .map(([name, flag]): ColumnPair => {
      const value =
        flag.kind === 'boolean' || flag.kind === 'counter'
          ? ''
          : ` ${flag.placeholder ?? (flag.kind === 'enum' ? flag.values.join('|') : 'VALUE')}`;
      const fallback =
        flag.kind !== 'boolean' && 'default' in flag && flag.default !== undefined
          ? ` (default: ${String(flag.default)})`
          : '';
      return [`${flagWord(name)}${value}`, `${flag.brief}${fallback}`];
    });
}

function section(title: string, rows: readonly ColumnPair[]): string {
  return `${title}\n${twoColumns(rows, LEFT)}`;
}
