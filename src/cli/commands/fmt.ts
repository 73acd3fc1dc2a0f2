import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { FMT_FLAGS } from '../flags/fmt.ts';

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
  flags: FMT_FLAGS,
  positional: PATHS,
});
