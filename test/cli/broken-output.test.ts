import { expect, it } from 'vitest';
import { exitWithoutOutput } from '../../src/cli/broken-output.ts';

it.each(['plan', 'doctor', 'versions', 'deprecations', '--help'])(
  '%s ends when nobody reads on',
  (command) => {
    expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(0);
    expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(1);
  },
);

it.each(['apply', 'rollback', 'import', 'merge'])('%s goes on without a reader, as it writes', (command) => {
  expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(null);
});
