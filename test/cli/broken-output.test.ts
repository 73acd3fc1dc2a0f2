import { expect, it } from 'vitest';
import { exitWithoutOutput, lostOutput } from '../../src/cli/broken-output.ts';

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

it('says that output was lost, but not to a reader that went away', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(lostOutput(full)).toContain('stdout cannot be written: ENOSPC: no space left on device');
  expect(lostOutput(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBeNull();
});
