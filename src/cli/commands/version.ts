import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import type { FlagsOf } from '../flag.ts';
import { RESULT_FLAGS } from '../flags.ts';

/** `rulewright version`. */
export const versionCommand = command<FlagsOf<typeof RESULT_FLAGS>, []>({
  run: async () => {
    const { writeResult } = await import('../result.ts');
    return async (context, flags) => {
      const version = context.version();
      await writeResult(context, flags, {
        text: () => `${version}\n`,
        json: () => ({ kind: 'program', formatVersion: 1, version }),
      });
      return EXIT.done;
    };
  },
  brief: 'Print the version',
  flags: RESULT_FLAGS,
});
