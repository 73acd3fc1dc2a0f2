import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { shopSeed, startEmulator } from '../../src/emulator/index.ts';
import { rulewright } from './in-process.ts';

const TOKEN = 'reader-reader-reader-reader-reader-reader';

let folder: string;
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({
    seed: { ...Object(shopSeed), tokens: { [TOKEN]: [{ permissions: ['*'], resources: ['*'] }] } },
  });
  folder = await mkdtemp(join(tmpdir(), 'rulewright-typos-'));
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await writeFile(
    join(folder, 'zones', 'shop.example.yaml'),
    'zone: shop.example\nentrypoints: { http_ratelimit: { rules: [] } }\n',
  );
  await writeFile(join(folder, 'plan.json'), '{}');
});
afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

const ZONE = 'shop.example';

test.each([
  ['plan --target shpo.example', ZONE],
  ['plan --target shop.example/http_ratelimits', `${ZONE}/http_ratelimit`],
  ['plan zones/shpo.example.yaml', 'zones/shop.example.yaml'],
  ['plan --config rulewrigt.yaml', 'rulewright.yaml'],
  ['validate zone', 'zones'],
  ['fmt zones/shop.exmaple.yaml', 'zones/shop.example.yaml'],
  ['apply pla.json', 'plan.json'],
  ['apply --expect plan.jso', 'plan.json'],
  ['merge plan.jsn', 'plan.json'],
  ['deprecations scan zone', 'zones'],
  ['github summary plan.jsn', 'plan.json'],
  ['import --zone shpo.example', ZONE],
  ['doctor --zone shpo.example', ZONE],
  ['versions shpo.example http_ratelimit', ZONE],
  ['versions shop.example http_ratelimits', 'http_ratelimit'],
  ['rollback shop.example http_ratelimits --to 1', 'http_ratelimit'],
  ['catalog cloudflare-manged-ruleset', 'cloudflare-managed-ruleset'],
  ['firewall list shpo.example', ZONE],
  ['ratelimits list shpo.example', ZONE],
  ['waf check shpo.example', ZONE],
  ['waf status shpo.example', ZONE],
  ['waf config shpo.example', ZONE],
  ['waf finish shpo.example', ZONE],
  ['schema zoen', 'zone'],
  ['plna', 'plan'],
  ['plan --taret x', '--target'],
])('rulewright %s suggests what is meant', async (line, meant) => {
  const argv = line.replaceAll('"', '').split(' ');
  const { code, stdout, stderr } = await rulewright(argv, {
    cwd: folder,
    env: { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: TOKEN },
  });
  expect(code).not.toBe(0);
  const text = `${stdout}${stderr}`.replaceAll(/\s+/gu, ' ');
  expect(text).toMatch(/did you mean|the nearest are/iu);
  expect(text.slice(text.search(/did you mean|the nearest are/iu))).toContain(meant);
});
