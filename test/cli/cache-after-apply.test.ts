import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countedService } from './counted-service.ts';
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

/** A project before a service of its own; `run` answers the reads of its rulesets that a command sends, without look-ups of names. */
async function world(project = PROJECT) {
  const { root, clock, run } = await countedService();
  await mkdir(join(root, 'zones'));
  await writeFile(join(root, 'rulewright.yaml'), project);
  await writeFile(join(root, 'zones/shop.yaml'), FILE);
  return {
    root,
    clock,
    run: async (argv: string): Promise<readonly string[]> =>
      (await run(argv)).flatMap(({ method, path }) =>
        method === 'GET' && /\/zones\/\w+\/rulesets/.test(path)
          ? [path.replace(/^.*\/rulesets/, '/rulesets')]
          : [],
      ),
  };
}

describe('the version cache after an apply', () => {
  test('spares the next run all that was written, as if it had been read', async () => {
    const { root, run } = await world();
    await run('apply --yes --allow all');
    expect(await run('plan --exit-code')).toEqual([LIST]);
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

  test('spares drift the same on all days of a week but the one on which it reads the zone in full', async () => {
    const { clock, run } = await world();
    await run('apply --yes --allow all');
    const sent: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      sent.push((await run('drift')).length);
      clock.advance(24 * 60 * 60 * 1000);
    }
    expect(sent.sort((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 1, 4]);
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

describe('a version cache that holds what is not so, as after an answer that left something out', () => {
  // The service refuses a second rule of a name in the preflight; without that, the first write looks at what it is made on.
  test.each([
    ['off', 3],
    ['auto', 1],
  ])('is forgotten by the apply that meets it (preflight %s)', async (preflight, code) => {
    const { root, emulator, env, run } = await countedService();
    await mkdir(join(root, 'zones'));
    await writeFile(join(root, 'rulewright.yaml'), PROJECT);
    await writeFile(join(root, 'zones/shop.yaml'), FILE);
    await run('apply --yes --allow all --no-cache');
    const faults = `${emulator.controlUrl}/faults`;
    const body = JSON.stringify({ method: 'GET', effect: { kind: 'missing', members: ['rules'] } });
    await fetch(faults, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await run('plan');
    await fetch(faults, { method: 'DELETE' });
    const apply = ['apply', '--yes', '--allow', 'all', '--preflight', preflight];
    expect((await rulewright(apply, { cwd: root, env })).code).toBe(code);
    await run('plan --exit-code');
  });
});
