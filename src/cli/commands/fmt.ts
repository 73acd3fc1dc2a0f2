import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { switchFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** `rulewright fmt`. */
export const fmtCommand = command({
  run: async () => (await import('../run/fmt.ts')).runFmt,
  brief: 'Bring the files into one style',
  text: `Puts keys in their order, removes quotes that are not needed, writes conditions
in canonical form and folds long ones. The meaning of the files stays, and so
does every comment. A file that cannot be read is left alone, and its findings
are printed.`,
  examples: [
    ['rulewright fmt', 'the files of the project'],
    ['rulewright fmt --diff', 'for CI: exit code 2 and the changes, nothing written'],
    ['rulewright fmt --stdin < zones/shop.yaml', 'for editors'],
  ],
  flags: {
    check: switchFlag('Write nothing; exit code 2 if a file would change'),
    diff: switchFlag('As --check, and show what would change'),
    stdin: switchFlag('Format stdin to stdout, for editors'),
    config: PROJECT_FLAGS.config,
    ...RESULT_FLAGS,
  },
  positional: PATHS,
});
