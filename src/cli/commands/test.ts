import type { FormFlags } from '../form-flags.ts';
import { formFlags } from '../form-flags.ts';
import { command } from '../command.ts';
import { TEST_FORMATS } from '../formats.ts';
import type { TestFormat } from '../formats.ts';
import type { ProjectFlags } from '../flags.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';
import { nonEmpty } from '../flag.ts';

/** Flags of `test`. */
export interface TestFlags extends FormFlags<TestFormat>, ProjectFlags {}

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
  flags: {
    ...PROJECT_FLAGS,
    ...RESULT_FLAGS,
    ...formFlags(TEST_FORMATS),
  },
  positional: {
    kind: 'array',
    parameter: {
      parse: nonEmpty,
      placeholder: 'PATH',
      brief: 'Project folder, test files, or folders with them (default: tests/)',
    },
  },
});
