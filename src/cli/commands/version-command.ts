import { command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import type { FlagsOf } from '../flag.ts';
import { RESULT_FLAGS } from '../flags.ts';
import { writeResult } from '../result.ts';

/** `rulewright version`. */
export const versionCommand = command<FlagsOf<typeof RESULT_FLAGS>, []>({
  run: async (context, flags) => {
    const version = context.version();
    const build = context.build();
    const { node } = context;
    await writeResult(context, flags, {
      document: () => ({
        title: 'Rulewright version',
        summary: [
          [`rulewright ${version}, ${build === null ? 'build unknown' : `build ${build}`}, Node ${node}`],
        ],
        body: [],
      }),
      json: () => ({ kind: 'program', formatVersion: 1, version, ...(build !== null && { build }), node }),
    });
    return EXIT.done;
  },
  flags: RESULT_FLAGS,
});
