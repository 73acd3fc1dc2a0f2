import { expect, it } from 'vitest';
import { exitWithoutOutput, lostOutput } from '../../src/cli/start/broken-output.ts';

it.each(['plan', 'drift', 'validate', 'test', 'doctor', 'catalog', 'versions', '--help'])(
  '%s finds what it finds when nobody reads on, and fails when what it prints is lost',
  (command) => {
    expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(null);
    expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(1);
  },
);

it.each(['emulator', 'expression'])('%s, which has no end of its own, ends with its reader', (command) => {
  expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(0);
  expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(1);
});

it.each(['apply', 'rollback', 'import', 'merge'])('%s goes on without output, as it writes', (command) => {
  expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(null);
  expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(null);
});

it('says that output was lost, but not to a reader that went away', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(lostOutput(full)).toContain('stdout cannot be written: ENOSPC: no space left on device');
  expect(lostOutput(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBeNull();
});
