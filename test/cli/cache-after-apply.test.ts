import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countedService } from './counted-service.ts';
import { rulewright } from './in-process.ts';

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\n';

const LIST = '/rulesets?per_page=50';

/**
 * A live entry point, one that is not live yet, and a custom ruleset. A rule executes the custom ruleset, so that each plan reads the
 * list of rulesets.
 */
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

/** A project with its own service; `run` returns the reads of rulesets that a command sends, without look-ups of names. */
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
  test('spares the next plan all reads of written rulesets, and holds what a read would return', async () => {
    const { root, run } = await world();
    await run('apply --yes --allow all');
    expect(await run('plan --exit-code')).toEqual([LIST]);
    // A plan from the cache has the same ids, refs and versions as a plan from live.
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

  test('spares drift these reads on six days of a week; on the seventh drift reads the zone in full', async () => {
    const { clock, run } = await world();
    await run('apply --yes --allow all');
    const sent: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      sent.push((await run('drift')).length);
      clock.advance(24 * 60 * 60 * 1000);
    }
    expect(sent.sort((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 1, 4]);
  });

  test('holds a ruleset that was written rule by rule', async () => {
    const { run } = await world();
    await run('apply --yes --allow all --writes rules');
    expect(await run('plan --exit-code')).toEqual([LIST]);
  });

  test('holds what a saved plan wrote', async () => {
    const { run } = await world();
    await run('plan --out plan.json');
    await run('apply plan.json --yes --allow all');
    expect(await run('plan --exit-code')).toEqual([LIST]);
  });

  test('gets nothing with --no-cache, or in a project with a sensitive value', async () => {
    const plain = await world();
    await plain.run('apply --yes --allow all --no-cache');
    expect(await plain.run('plan --exit-code')).toHaveLength(4);
    const discreet = await world(`${PROJECT}env: { secret: { from: ORIGIN_SECRET, sensitive: true } }\n`);
    await discreet.run('apply --yes --allow all');
    expect((await discreet.run('plan --exit-code')).length).toBeGreaterThan(1);
  });
});

describe('a version cache with wrong content, as after an answer with missing members', () => {
  // The preflight fails because the service refuses a second rule with the same ref. Without a preflight, the first write finds that
  // its base is stale.
  test.each([
    ['off', 3],
    ['auto', 1],
  ])('is dropped by the apply that fails on it (preflight %s)', async (preflight, code) => {
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
