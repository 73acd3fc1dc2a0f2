import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import { rulewright } from './in-process.ts';

// Runs OpenTofu and the vendor's provider against the embedded service, where the environment names both binaries (RULEWRIGHT_TOFU,
// RULEWRIGHT_TOFU_PROVIDER) and the folder with the sample project (RULEWRIGHT_CORPUS). Neither is downloaded.
const { RULEWRIGHT_TOFU: tofu, RULEWRIGHT_TOFU_PROVIDER: provider, RULEWRIGHT_CORPUS: corpus } = process.env;
const isThere = tofu !== undefined && provider !== undefined && corpus !== undefined;
const run = promisify(execFile);

const CANARY = 'hunter2-deploy-key';

describe.skipIf(!isThere)(
  'OpenTofu forgets what was imported (RULEWRIGHT_TOFU, RULEWRIGHT_TOFU_PROVIDER)',
  () => {
    let service: Awaited<ReturnType<typeof serveEmulator>>;
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rulewright-tofu-'));
      const samples = join(corpus ?? '', 'samples', 'terraform');
      await cp(samples, join(folder, 'tf'), {
        recursive: true,
        filter: (path) => !/\.(?:tfstate|json|md)$/u.test(path),
      });
      service = await serveEmulator({
        port: 0,
        stateFile: null,
        seedFile: join(samples, 'seed.json'),
        unlimited: true,
        onRequest: () => {},
      });
      // Files of the binary alone, found in a mirror, so that nothing asks a registry.
      const arch = process.arch === 'x64' ? 'amd64' : process.arch;
      const place = join(
        folder,
        'mirror/registry.opentofu.org/cloudflare/cloudflare/5.22.0',
        `${process.platform}_${arch}`,
      );
      await mkdir(place, { recursive: true });
      await symlink(provider ?? '', join(place, 'terraform-provider-cloudflare_v5.22.0'));
      await writeFile(
        join(folder, 'tofurc'),
        `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, 'mirror')}"\n  }\n}\n`,
      );
    });

    afterAll(async () => {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    });

    const ask = async (...words: readonly string[]): Promise<string> => {
      const { stdout } = await run(tofu ?? '', [`-chdir=${join(folder, 'tf')}`, ...words], {
        env: {
          PATH: process.env['PATH'],
          TF_CLI_CONFIG_FILE: join(folder, 'tofurc'),
          CLOUDFLARE_BASE_URL: service.baseUrl,
          CLOUDFLARE_API_TOKEN: service.token,
        },
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout;
    };

    const ours = (words: readonly string[], cwd: string) =>
      rulewright(words, {
        cwd,
        env: {
          CLOUDFLARE_BASE_URL: service.baseUrl,
          CLOUDFLARE_API_TOKEN: service.token,
          X_DEPLOY_KEY: CANARY,
        },
      });

    test('apply, import, an empty plan, removed blocks, "0 to destroy", and nothing changed in the service', async () => {
      await ask('init', '-input=false', '-no-color');
      await ask('apply', '-auto-approve', '-input=false', '-no-color');
      await writeFile(join(folder, 'state.json'), await ask('state', 'pull'));

      const cwd = await mkdtemp(join(folder, 'project-'));
      expect(
        (await ours(['import', '--from-terraform', join(folder, 'state.json'), '--quiet'], cwd)).code,
      ).toBe(0);
      expect((await ours(['plan', '--quiet'], cwd)).stdout).toMatch(/^No changes\./u);

      const main = await readFile(join(folder, 'tf', 'main.tf'), 'utf8');
      const [head = ''] = main.split('# What every zone has');
      await writeFile(join(folder, 'tf', 'main.tf'), head);
      await cp(join(cwd, 'removed.tf'), join(folder, 'tf', 'removed.tf'));
      expect(await ask('plan', '-input=false', '-no-color')).toContain('0 to add, 0 to change, 0 to destroy');
      await ask('apply', '-auto-approve', '-input=false', '-no-color');
      expect((await ask('state', 'list')).trim()).toBe('');
      expect((await ours(['plan', '--quiet'], cwd)).stdout).toMatch(/^No changes\./u);
    });
  },
);
