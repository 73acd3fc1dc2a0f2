import type { Command } from '@stricli/core';
import { buildCommand } from '@stricli/core';
import { lazily } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import type { OutputFlags } from '../flags.ts';
import { OUTPUT_FLAGS } from '../flags.ts';

/** `rulewright version`. */
export const versionCommand: Command<CommandContext> = buildCommand<OutputFlags, [], CommandContext>({
  func: lazily(() =>
    Promise.resolve((context) => {
      context.stdout.write(`${context.version()}\n`);
      return Promise.resolve(EXIT.done);
    }),
  ),
  parameters: { flags: OUTPUT_FLAGS },
  docs: { brief: 'Print the version' },
});
