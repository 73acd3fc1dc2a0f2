import { paths } from '../arguments.ts';
import { command } from '../command.ts';
import { TEST_FLAGS } from '../flags/test.ts';

/** `rulewright test`. */
export const testCommand = command({
  run: async () => (await import('../run/test.ts')).runTest,
  brief: 'Test rules with requests, without traffic',
  text: `Runs the rule tests of the project: requests, and what the rules of the files
are expected to do with them. Needs no network. Exit code 1 if a test fails.`,
  examples: [
    ['rulewright test', 'all tests/**/*.test.yaml'],
    ['rulewright test tests/admin.test.yaml', 'one of them'],
    ['rulewright test --format junit --output tests.xml', 'for a build service'],
  ],
  flags: TEST_FLAGS,
  positional: paths('PATH', 'Project folder, test files, or folders with them (default: tests/)'),
});
