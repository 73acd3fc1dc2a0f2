import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withFetchedSecrets } from '../../../src/app/project/fetch-secrets.ts';

const before = vi.hoisted((): { open: (() => Promise<void>) | undefined } => ({ open: undefined }));

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof fs>();
  return {
    ...actual,
    open: async (...args: Parameters<typeof fs.open>) => {
      if (String(args[0]).endsWith('origin')) {
        await before.open?.();
      }
      return actual.open(...args);
    },
  };
});

test.runIf(process.platform === 'linux')(
  'a folder that becomes a link at the last moment is not followed',
  async () => {
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
