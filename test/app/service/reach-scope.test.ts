import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmulator } from '../../../src/emulator/index.ts';
import { rulewright } from '../../cli/in-process.ts';

const TOKEN = 'reader-reader-reader-reader-reader-reader';
const PHASE = 'http_request_firewall_custom';
const ZONE = 'b'.repeat(32);
let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-reach-'));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [scope.yaml]\n');
});
afterEach(() => rm(cwd, { recursive: true }));

describe('a scope that the command names differently from the files', () => {
  it.each([
    ['shop.example', 'id'],
    ['id', 'shop.example'],
    ['id', 'id'],
    ['shop.example', 'Shop.Example'],
  ])(
    'is read by every command with the token_env of its file: %s in the file, %s in the command',
    async (file, words) => {
      const emulator = await startEmulator({
        seed: {
          version: 1,
          accounts: [{ id: 'a'.repeat(32), name: 'Shop' }],
          zones: [
            {
              id: ZONE,
              name: 'shop.example',
              account: 'Shop',
              rulesets: [{ kind: 'zone', phase: PHASE, rules: [] }],
            },
          ],
          tokens: {
            [TOKEN]: [
              {
                permissions: ['*'],
                resources: ['*'],
              },
            ],
          },
        },
      });
      const named = (text: string) => (text === 'id' ? ZONE : text);
      await writeFile(
        join(cwd, 'scope.yaml'),
        `zone: ${named(file)}\ntoken_env: SHOP_TOKEN\nentrypoints: { ${PHASE}: { rules: [] } }\n`,
      );
      const run = (...args: readonly string[]) =>
        rulewright([...args, '--base-url', emulator.baseUrl, '--quiet'], {
          cwd,
          env: { SHOP_TOKEN: TOKEN },
        });
      try {
        const zone = named(words);
        const listed = await run('versions', `zone:${zone}`, PHASE);
        expect([listed.code, listed.stderr]).toEqual([0, '']);
        const checked = await run('doctor', '--zone', zone);
        expect([checked.code, checked.stderr]).toEqual([0, '']);
        expect(checked.stdout).toContain(`write ${PHASE}: may be written`);
        const explained = await run('explain', '--live', '--zone', zone, '/admin');
        expect([explained.code, explained.stderr]).toEqual([0, '']);
        for (const line of [
          ['explain', '--live', 'https://www.shop.example/admin'],
          ['waf', 'status', zone],
          ['firewall', 'list', zone],
          ['ratelimits', 'list', zone],
          ['catalog', '--zone', zone],
          ['import', '--zone', zone],
        ]) {
          const { code, stderr } = await run(...line);
          expect([line[0], code, stderr]).toEqual([line[0], 0, '']);
        }
      } finally {
        await emulator.close();
      }
    },
  );
});
