import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import { rulewright } from './in-process.ts';

const corpus = process.env['RULEWRIGHT_CORPUS'];
/** The program itself, such as `venv/bin/octorules`, with its provider octorules-cloudflare. */
const program = process.env['RULEWRIGHT_OCTORULES'];
const CONFIG = `providers:
  cloudflare: { token: env/CLOUDFLARE_API_TOKEN }
  rules: { directory: ./rules }
zones:
  shop.example: { sources: [rules] }
  blog.example: { sources: [rules] }
`;
const SECRET = 'hunter2-deploy-key';

describe.skipIf(corpus === undefined || program === undefined)(
  'what octorules itself dumps (RULEWRIGHT_OCTORULES, RULEWRIGHT_CORPUS)',
  () => {
    let service: Awaited<ReturnType<typeof serveEmulator>>;
    let folder: string;
    let env: Record<string, string>;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rulewright-octorules-'));
      const state = join(folder, 'live.json');
      await copyFile(join(corpus ?? '', 'samples', 'terraform', 'emulator-state.json'), state);
      service = await serveEmulator({
        port: 0,
        stateFile: state,
        seedFile: null,
        unlimited: true,
        onRequest: () => {},
      });
      env = { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token };
      await mkdir(join(folder, 'octorules', 'rules'), { recursive: true });
      await writeFile(join(folder, 'octorules', 'config.yaml'), CONFIG);
    });

    afterAll(async () => {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    });

    const octorules = (command: string) =>
      // Throws unless it exits with 0.
      promisify(execFile)(program ?? '', [command], {
        cwd: join(folder, 'octorules'),
        env: { ...process.env, ...env },
      });

    test('becomes files with an empty plan, here and there', async () => {
      await octorules('dump');
      const run = (...words: readonly string[]) =>
        rulewright([...words, '--quiet'], { cwd: folder, env: { ...env, X_DEPLOY_KEY: SECRET } });
      const imported = await run('import', '--from-octorules', 'octorules/config.yaml');
      expect(imported).toMatchObject({ code: 0, stderr: '' });
      expect(imported.stdout).not.toContain(SECRET);
      expect(await readFile(join(folder, 'accounts', 'shop.yaml'), 'utf8')).toContain('name: office');
      expect(await readFile(join(folder, 'zones', 'shop.example.yaml'), 'utf8')).not.toContain(SECRET);
      expect((await run('plan')).stdout).toMatch(/^No changes\. Live equals the files/u);
      const { stdout, stderr } = await octorules('plan');
      expect(stdout + stderr).toContain('No changes detected');
    }, 60_000);
  },
);
