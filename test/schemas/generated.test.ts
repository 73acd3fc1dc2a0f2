import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test('generated files are up to date', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/generate.mjs', '--check']).catch(
    (error: { readonly stderr: string }) => ({ stdout: error.stderr }),
  );
  expect(stdout).toBe('');
});
