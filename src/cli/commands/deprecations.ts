import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import type { Command, RouteMap } from '@stricli/core';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { ResultFlags } from '../flags.ts';
import { RESULT_FLAGS } from '../flags.ts';
import type { ScanFormat } from '../formats.ts';
import { SCAN_FORMATS } from '../formats.ts';
import { calendarDay } from '../calendar-day.ts';
import { PATHS } from '../paths.ts';
import { valueFlag } from '../flag.ts';

/** Flags of `deprecations list`. */
export interface ListFlags extends ResultFlags {
  readonly today?: string | undefined;
}

/** Flags of `deprecations scan`. */
export interface ScanFlags extends FormFlags<ScanFormat>, Pick<ListFlags, 'today'> {}

const TODAY = {
  today: valueFlag(calendarDay, 'DAY', 'Use this day as today, YYYY-MM-DD'),
} as const;

const list: Command<CommandContext> = buildCommand<ListFlags, [], CommandContext>({
  func: lazily(async () => (await import('../run/deprecations.ts')).runList),
  parameters: { flags: { ...TODAY, ...RESULT_FLAGS } },
  docs: {
    brief: 'Show what the service retires, by date',
    fullDescription: description(
      `Lists the deprecations that take effect within 90 days, later ones, and past
ones, with methods, paths, fields, and what to use instead. Needs no network.`,
      [
        ['rulewright deprecations list', 'all of it'],
        ['rulewright deprecations list --format json', 'as JSON'],
      ],
    ),
  },
});

const scan: Command<CommandContext> = buildCommand<ScanFlags, readonly string[], CommandContext>({
  func: lazily(async () => (await import('../run/deprecations.ts')).runScan),
  parameters: {
    flags: { ...TODAY, ...RESULT_FLAGS, ...formFlags(SCAN_FORMATS) },
    positional: {
      ...PATHS,
      parameter: { ...PATHS.parameter, brief: 'Files and folders (default: this folder)' },
    },
  },
  docs: {
    brief: 'Find where files use what the service retires',
    fullDescription: description(
      `Searches files and folders (this folder unless you name some): rules, Terraform,
OpenAPI and Postman files, recordings and access logs, scripts, source code.
Skips folders such as .git and node_modules, and binary files. Needs no network.
Exit code 2 if something is found, 1 if a file could not be read.`,
      [
        ['rulewright deprecations scan', 'this folder'],
        ['rulewright deprecations scan infra access.log', 'a folder and a file'],
        ['rulewright deprecations scan --format sarif', 'for code scanning'],
      ],
    ),
  },
});

/** `rulewright deprecations list|scan`. */
export const deprecationsCommands: RouteMap<CommandContext> = buildRouteMap({
  routes: { list, scan },
  docs: {
    brief: 'Show what the service retires, and where you use it',
    fullDescription: `Shows what the service retires, when, and what to use instead. Finds where your
files use it.

EXAMPLES
  rulewright deprecations list         what is due soon, what is past
  rulewright deprecations scan infra   where a folder uses it`,
  },
});
