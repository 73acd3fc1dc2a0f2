import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLock } from '../../src/app/managed/lock-on-disk.ts';
import { LOCK_FILE } from '../../src/model/managed-rulesets.ts';

it.skipIf(process.platform === 'win32')(
  'readLock refuses a lock file that is a named pipe, instead of waiting for it',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rulewright-lock-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(await readLock(folder)).toBeNull();
    execFileSync('mkfifo', [join(folder, LOCK_FILE)]);
    await expect(readLock(folder)).rejects.toMatchObject({
      code: 'lock/unreadable',
      message: expect.stringContaining(`${LOCK_FILE} is not a regular file`),
    });
  },
);
