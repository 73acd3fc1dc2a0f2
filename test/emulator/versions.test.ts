import { describe, expect, test } from 'vitest';

import { account, api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { Bench, RulesetView } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';

async function withVersions(bench: Bench): Promise<RulesetView> {
  await bench.ok('PUT', entryPoint(shop, 'http_request_origin'), { rules: [] });
  const made = await bench.ok('POST', `${shop}/rulesets`, { name: 'Mine', kind: 'custom', phase: CUSTOM });
  await bench.ok('PUT', `${shop}/rulesets/${made.id}`, { rules: [blockRule({ ref: 'a' })] });
  return bench.ok('PUT', `${shop}/rulesets/${made.id}`, { description: 'third' });
}

describe('versions', () => {
  test('are listed ascending, without rules', async () => {
    const bench = await startBench();
    const { id } = await withVersions(bench);
    const list = await bench.ok<readonly RulesetView[]>('GET', `${shop}/rulesets/${id}/versions`);
    expect(list.map(({ version, description }) => [version, description])).toEqual([
      ['1', ''],
      ['2', ''],
      ['3', 'third'],
    ]);
    expect(list.filter((version) => 'rules' in version)).toEqual([]);
    expect(new Set(list.map(({ last_updated: time }) => time)).size).toBe(3);
  });

  test('keep their rules', async () => {
    const bench = await startBench();
    const latest = await withVersions(bench);
    const path = `${shop}/rulesets/${latest.id}/versions`;
    expect(await bench.ok('GET', `${path}/1`)).not.toHaveProperty('rules');
    expect(await bench.ok('GET', `${path}/2`)).toMatchObject({ version: '2', rules: latest.rules });
    expect(await bench.ok('GET', `${path}/3`)).toEqual(latest);
    expect((await bench.call('GET', `${path}/4`)).status).toBe(404);
  });

  test('can be read by phase, too', async () => {
    const bench = await startBench();
    const path = entryPoint(api, CUSTOM);
    const first = await bench.ok('GET', path);
    await bench.ok('PUT', path, { rules: [] });
    const list = await bench.ok<readonly RulesetView[]>('GET', `${path}/versions`);
    expect(list.map(({ version }) => version)).toEqual(['9', '10']);
    expect(await bench.ok('GET', `${path}/versions/9`)).toEqual(first);
    const missing = entryPoint(api, 'http_request_origin');
    expect(await bench.ok('GET', `${missing}/versions`)).toEqual([]);
    expect(refusalOf(await bench.call('GET', `${missing}/versions/1`))).toMatchObject({
      status: 404,
      code: 10003,
    });
  });

  test('can be deleted, and a deleted version number is not used again', async () => {
    const bench = await startBench();
    const { id } = await withVersions(bench);
    const path = `${shop}/rulesets/${id}`;
    const deleted = await bench.call('DELETE', `${path}/versions/3`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(await bench.ok('GET', path)).toMatchObject({ version: '2' });
    expect(await bench.ok('PUT', path, { rules: [] })).toMatchObject({ version: '4' });
    expect((await bench.call('GET', `${path}/versions/3`)).status).toBe(404);
    expect((await bench.call('DELETE', `${path}/versions/3`)).status).toBe(404);
  });

  test('the latest version cannot be deleted while an execute rule deploys the ruleset', async () => {
    const bench = await startBench();
    const { id } = await withVersions(bench);
    await bench.ok('PUT', entryPoint(shop, CUSTOM), {
      rules: [{ action: 'execute', expression: 'true', action_parameters: { id } }],
    });
    expect((await bench.call('DELETE', `${shop}/rulesets/${id}/versions/3`)).status).toBe(400);
    expect((await bench.call('DELETE', `${shop}/rulesets/${id}/versions/2`)).status).toBe(204);
  });

  test('the only version cannot be deleted, nor the latest of an entry point', async () => {
    const bench = await startBench();
    const { id } = await bench.ok('GET', entryPoint(api, CUSTOM));
    expect((await bench.call('DELETE', `${api}/rulesets/${id}/versions/9`)).status).toBe(400);
    await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
    expect((await bench.call('DELETE', `${api}/rulesets/${id}/versions/10`)).status).toBe(400);
    expect((await bench.call('DELETE', `${api}/rulesets/${id}/versions/9`)).status).toBe(204);
  });
});

describe('rules by tag', () => {
  const path = `${account}/rulesets/${MANAGED}/versions/243/by_tag`;

  test('shows only the rules with the tag', async () => {
    const bench = await startBench();
    const ruleset = await bench.ok('GET', `${path}/wordpress`);
    expect(ruleset).toMatchObject({ id: MANAGED, version: '243' });
    expect(ruleset.rules?.length).toBeGreaterThan(1);
    expect(ruleset.rules?.every((rule) => rule.categories?.includes('wordpress'))).toBe(true);
  });

  test('shows no rules for an unknown tag', async () => {
    const bench = await startBench();
    expect(await bench.ok('GET', `${path}/no-such-tag`)).not.toHaveProperty('rules');
    expect(await bench.ok('GET', `${path}/100%25`)).not.toHaveProperty('rules');
  });

  test('exists at accounts only, and only for versions that exist', async () => {
    const bench = await startBench();
    const zone = await bench.call('GET', `${shop}/rulesets/${MANAGED}/versions/243/by_tag/wordpress`);
    expect(refusalOf(zone).code).toBe(7003);
    const version = await bench.call('GET', `${account}/rulesets/${MANAGED}/versions/1/by_tag/wordpress`);
    expect(version.status).toBe(404);
  });
});
