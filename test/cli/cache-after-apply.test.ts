import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { isJsonArray } from '../../src/model/json.ts';
import { rulewright } from './in-process.ts';

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';

const LIST = '/rulesets?per_page=50';

/** Three places: one that is there, one that is not yet, and a custom ruleset; a rule names that, so the list is always read. */
const FILE = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: login, action: execute, expression: "true", action_parameters: { id: "custom:login" } }
      - { ref: block-admin, action: block, expression: http.request.uri.path eq "/admin" }
      - { ref: block-old, action: block, expression: http.request.uri.path eq "/old" }
  http_request_cache_settings:
    rules:
      - { ref: api, action: set_cache_settings, expression: http.host eq "api.example", action_parameters: { cache: false } }
rulesets:
  - name: login
    phase: http_request_firewall_custom
    rules:
      - { ref: block-bots, action: block, expression: cf.client.bot }
`;

/** A project before a service of its own, and the reads of rulesets that a command sends. */
async function world(project = PROJECT) {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-after-apply-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  await mkdir(join(root, 'zones'));
  await writeFile(join(root, 'rulewright.yaml'), project);
  await writeFile(join(root, 'zones/shop.yaml'), FILE);
  const env = {
    CLOUDFLARE_BASE_URL: emulator.baseUrl,
    CLOUDFLARE_API_TOKEN: emulator.token,
    ORIGIN_SECRET: 'a-secret-of-4711',
  };
  const run = async (argv: string): Promise<readonly string[]> => {
    const ended = await rulewright(argv.split(' '), { cwd: root, env });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    return readsSince(emulator);
  };
  return { root, run };
}

/** Reads of the scope since the last call, look-ups of names left out. */
async function readsSince({ controlUrl }: Emulator): Promise<readonly string[]> {
  const sent: unknown = await (await fetch(`${controlUrl}/requests`)).json();
  await fetch(`${controlUrl}/requests`, { method: 'DELETE' });
  return (isJsonArray(sent) ? sent : []).flatMap((request) => {
    const { method, path } = Object(request);
    return method === 'GET' && /\/zones\/\w+\/rulesets/.test(path)
      ? [path.replace(/^.*\/rulesets/, '/rulesets')]
      : [];
  });
}

describe('the version cache after an apply', () => {
  test('spares the next run all that was written, as if it had been read', async () => {
    const { root, run } = await world();
    await run('apply --yes --allow all');
    expect(await run('plan --exit-code')).toEqual([LIST]);
    expect(await run('drift')).toEqual([LIST]);
    // Ids, refs and versions of what was kept are those of a reading.
    await writeFile(
      join(root, 'zones/shop.yaml'),
      FILE.replace('"/old"', '"/older"').replace('.bot', '.bot and ssl'),
    );
    expect(await run('plan --out kept.json')).toEqual([LIST]);
    expect(await run('plan --out read.json --no-cache')).toHaveLength(4);
    expect(await readFile(join(root, 'kept.json'), 'utf8')).toBe(
      await readFile(join(root, 'read.json'), 'utf8'),
    );
  });

  test('knows what several writes to one ruleset made of it', async () => {
    const { run } = await world();
    await run('apply --yes --allow all --writes rules');
    expect(await run('plan --exit-code')).toEqual([LIST]);
  });

  test('knows what a saved plan wrote', async () => {
    const { run } = await world();
    await run('plan --out plan.json');
    await run('apply plan.json --yes --allow all');
    expect(await run('plan --exit-code')).toEqual([LIST]);
  });

  test('is left alone by --no-cache, and in a project of sensitive values', async () => {
    const plain = await world();
    await plain.run('apply --yes --allow all --no-cache');
    expect(await plain.run('plan --exit-code')).toHaveLength(4);
    const discreet = await world(`${PROJECT}env: { secret: { from: ORIGIN_SECRET, sensitive: true } }\n`);
    await discreet.run('apply --yes --allow all');
    expect((await discreet.run('plan --exit-code')).length).toBeGreaterThan(1);
  });
});
