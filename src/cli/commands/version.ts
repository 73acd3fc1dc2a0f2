import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import type { OutputFlags } from '../flags.ts';
import { OUTPUT_FLAGS } from '../flags.ts';

/** `rulewright version`. */
export const versionCommand = command<OutputFlags, []>({
  run: () =>
    Promise.resolve((context) => {
      context.stdout.write(`${context.version()}\n`);
      return Promise.resolve(EXIT.done);
    }),
  brief: 'Print the version',
  flags: OUTPUT_FLAGS,
});
