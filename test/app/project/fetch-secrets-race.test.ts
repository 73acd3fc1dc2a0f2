import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const before: { open?: () => Promise<void> } = {};

beforeAll(() => {
  // Other tests of this worker may have loaded the module already.
  vi.resetModules();
  vi.doMock('node:fs/promises', () => ({
    ...fs,
    open: async (...args: Parameters<typeof fs.open>) => {
      if (String(args[0]).endsWith('origin')) {
        await before.open?.();
      }
      return fs.open(...args);
    },
  }));
});

afterAll(() => {
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});

test.runIf(process.platform === 'linux')(
  'a folder that becomes a link at the last moment is not followed',
  async () => {
    const { withFetchedSecrets } = await import('../../../src/app/project/fetch-secrets.ts');
    const folder = await fs.mkdtemp(join(await fs.realpath(tmpdir()), 'rulewright-race-'));
    try {
      const [deep, other] = [join(folder, 'kept', 'deep'), join(folder, 'other')];
      await fs.mkdir(deep, { recursive: true });
      await fs.mkdir(other);
      await fs.writeFile(join(deep, 'origin'), 'the-right-one');
      await fs.writeFile(join(other, 'origin'), 'not-for-this-run');
      await fs.writeFile(
        join(folder, 'rulewright.yaml'),
        JSON.stringify({
          version: 1,
          files: ['*.yml'],
          env: { origin: { from: 'ORIGIN', file: 'deep/origin' } },
        }),
      );
      const access = { folders: [join(folder, 'kept')], commands: [] };
      const fetched = () => withFetchedSecrets({ cwd: folder }, {}, { access });
      await expect(fetched()).resolves.toMatchObject({ ORIGIN: 'the-right-one' });
      before.open = async () => {
        await fs.rename(deep, join(folder, 'kept', 'gone'));
        await fs.symlink(other, deep);
      };
      await expect(fetched()).rejects.toMatchObject({
        code: 'sensitive/not-read',
        message: expect.stringContaining('behind a symbolic link'),
      });
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  },
);
