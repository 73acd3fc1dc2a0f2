import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { isJsonArray } from '../../src/model/json.ts';
import { rulewright } from './in-process.ts';

/** An empty folder before a service of its own; `run` answers the rulesets that a command reads. */
async function world() {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-after-import-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  const env = {
    CLOUDFLARE_BASE_URL: emulator.baseUrl,
    CLOUDFLARE_API_TOKEN: emulator.token,
    ORIGIN_SECRET: 'a-secret-of-4711',
  };
  const run = async (argv: string): Promise<readonly string[]> => {
    const ended = await rulewright(argv.split(' '), { cwd: root, env });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    return rulesetsReadSince(emulator);
  };
  return { root, run };
}

/** Rulesets that were read since the last call: not the lists. */
async function rulesetsReadSince({ controlUrl }: Emulator): Promise<readonly string[]> {
  const sent: unknown = await (await fetch(`${controlUrl}/requests`)).json();
  await fetch(`${controlUrl}/requests`, { method: 'DELETE' });
  return (isJsonArray(sent) ? sent : []).flatMap((request) => {
    const { path } = Object(request);
    return typeof path === 'string' && path.includes('/rulesets/') ? [path] : [];
  });
}

describe('the version cache after an import', () => {
  test('spares the first plan what was read, in the folder of the project', async () => {
    const { root, run } = await world();
    expect(await run('init --zone shop.example --out rules')).toHaveLength(4);
    expect(await run('plan rules --exit-code')).toEqual([]);
    expect(await readFile(join(root, 'rules/.rulewright/.gitignore'), 'utf8')).toContain('*');
    // An import reads everything itself.
    expect(await run('import --zone shop.example --out rules')).toHaveLength(4);
    expect(await run('plan rules --no-cache --exit-code')).toHaveLength(4);
  });

  test('holds nothing while the project has a sensitive value', async () => {
    const { root, run } = await world();
    await writeFile(
      join(root, 'rulewright.yaml'),
      'version: 1\nfiles: [zones/*.yaml]\nenv:\n  origin_secret: { from: ORIGIN_SECRET, sensitive: true }\n',
    );
    await run('import --zone shop.example');
    expect(await run('plan --exit-code')).toHaveLength(4);
  });
});
