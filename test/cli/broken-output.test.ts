import { expect, it } from 'vitest';
import { exitWithoutOutput, lostOutput } from '../../src/start/broken-output.ts';

it.each(['plan', 'drift', 'validate', 'test', 'doctor', 'catalog', 'versions', '--help'])(
  '%s keeps its exit code when the reader of stdout is gone, and fails when stdout cannot be written',
  (command) => {
    expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(null);
    expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(1);
  },
);

it.each(['emulator', 'expression'])(
  '%s, which runs until stopped, exits with 0 when its reader is gone, and fails when stdout cannot be written',
  (command) => {
    expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(0);
    expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(1);
  },
);

it.each(['apply', 'rollback', 'import', 'merge'])('%s, which writes, continues without stdout', (command) => {
  expect(exitWithoutOutput(command, { code: 'EPIPE' })).toBe(null);
  expect(exitWithoutOutput(command, { code: 'ENOSPC' })).toBe(null);
});

it('lostOutput reports that stdout cannot be written, but nothing when the reader is gone', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(lostOutput(full)).toContain('stdout cannot be written: ENOSPC: no space left on device');
  expect(lostOutput(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBeNull();
});
