import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { description, lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import type { ImportFlags } from './import.ts';
import { IMPORT_FLAGS } from './import.ts';

/** Flags of `init`: those of an import, which it is where something live is named. */
export type InitFlags = Omit<ImportFlags, 'config'>;

/** `rulewright init`. */
export const initCommand: Command<CommandContext> = buildCommand<InitFlags, readonly [], CommandContext>({
  func: lazily(async () => (await import('../run/init.ts')).runInit),
  parameters: { flags: { ...IMPORT_FLAGS, ...SERVICE_FLAGS, ...RESULT_FLAGS } },
  docs: {
    brief: 'Begin a project, from nothing or from live',
    fullDescription: description(
      'Writes a project that passes validate: a project file, files of zones, schemas for\neditors, a .gitignore. With a zone or an account named, from what is live there; asks\nfor one where somebody can answer. Overwrites nothing.',
      [
        ['rulewright init', 'asks, or begins with an example'],
        ['rulewright init --zone shop.example', 'from what is live in a zone'],
        ['rulewright init --all-zones --emulator', 'try it: from the embedded service'],
        ['rulewright init --out rules', 'in another folder'],
      ],
    ),
  },
});
