import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveEmulator } from '../../src/app/service/embedded.ts';
import { rulewright } from './in-process.ts';

const corpus = process.env['RULEWRIGHT_CORPUS'];
const SAMPLES = join(corpus ?? '', 'samples', 'terraform');
/** A value that the state marks as sensitive. */
const CANARY = 'hunter2-deploy-key';

// A project that OpenTofu and version 5 of the provider applied, and what was live then.
describe.skipIf(corpus === undefined)('the sample project of Terraform (RULEWRIGHT_CORPUS)', () => {
  let service: Awaited<ReturnType<typeof serveEmulator>>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rulewright-terraform-'));
    await copyFile(join(SAMPLES, 'emulator-state.json'), join(folder, 'live.json'));
    service = await serveEmulator({
      port: 0,
      stateFile: join(folder, 'live.json'),
      seedFile: null,
      unlimited: true,
      onRequest: () => {},
    });
  });

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
    rulewright(words, {
      cwd,
      env: { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token, ...env },
    });

  async function imported(file: string, ...more: readonly string[]) {
    const cwd = await mkdtemp(join(folder, 'project-'));
    const ended = await run(['import', '--from-terraform', join(SAMPLES, file), '--quiet', ...more], cwd);
    const names = (await readdir(cwd, { recursive: true })).filter((name) =>
      /\.(?:yaml|tf|csv)$/u.test(name),
    );
    const texts = await Promise.all(
      names.sort().map(async (name) => [name, await readFile(join(cwd, name), 'utf8')] as const),
    );
    return { cwd, ended, texts: new Map(texts) };
  }

  test('the state, and what show prints of it and of a plan, become the same files, with an empty plan', async () => {
    const [state, shown, planned] = await Promise.all([
      imported('terraform.tfstate'),
      imported('show.json'),
      imported('plan.json'),
    ]);
    expect(state.ended).toMatchObject({ code: 0, stderr: '' });
    expect(shown.texts).toEqual(state.texts);
    expect(planned.texts).toEqual(state.texts);
    const all = [...state.texts.values()].join('\n');
    expect(all).toContain('# cloudflare_ruleset.baseline["blog.example"]');
    expect(all).toContain('# module.redirects.cloudflare_ruleset.moved');
    expect(all).toContain('id: managed:cloudflare-managed-ruleset');
    expect(all).toContain('id: custom:known-bad-clients');
    const plan = await run(['plan', '--quiet'], state.cwd, { X_DEPLOY_KEY: CANARY });
    expect(plan.stdout).toMatch(/^No changes\. Live equals the files/u);
    const again = await run(
      ['import', '--from-terraform', join(SAMPLES, 'show.json'), '--quiet'],
      state.cwd,
      { X_DEPLOY_KEY: CANARY },
    );
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('0 files written');
  });

  test('no secret of the state reaches a file or the output, in any format', async () => {
    for (const more of [[], ['--format', 'json'], ['--dry-run'], ['--name-rules']]) {
      const { ended, texts } = await imported('terraform.tfstate', ...more);
      expect([ended.stdout, ended.stderr, ...texts.values()].join('\n')).not.toContain(CANARY);
      expect(ended.stdout).toContain('X_DEPLOY_KEY');
    }
  });

  test('readable refs leave a plan that does nothing but give them', async () => {
    const { cwd } = await imported('terraform.tfstate', '--name-rules');
    const plan = await run(['plan', '--format', 'json'], cwd, { X_DEPLOY_KEY: CANARY });
    expect([...plan.stdout.matchAll(/"adopts": ?"[0-9a-f]{32}"/gu)]).toHaveLength(2);
    expect(plan.stdout).not.toMatch(/"kind": ?"(?:add|delete|move)"/u);
  });
});
