import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { VALIDATE_FLAGS } from '../flags/validate.ts';

/** `rulewright validate`. */
export const validateCommand = command({
  run: async () => (await import('../run/validate.ts')).runValidate,
  brief: 'Check the files; no network',
  text: `Loads all files of the project and prints every finding with its place. Needs no
network. Exit code 1 if there is an error.`,
  examples: [
    ['rulewright validate', 'the project of this folder'],
    ['rulewright validate zones/shop.yaml', 'one file of it'],
    ['rulewright validate --fix', 'fix what is safe to fix'],
    ['rulewright validate --expand', 'with packs and variables filled in'],
    ['rulewright validate --expand --format json', 'the same for policy engines'],
    ['rulewright validate --format json', 'as JSON'],
    ['rulewright validate --format sarif', 'for code scanning'],
  ],
  flags: VALIDATE_FLAGS,
  positional: PATHS,
});
