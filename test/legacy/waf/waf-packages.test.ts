import { describe, expect, test } from 'vitest';
import { wafPackagePath } from '../../../src/api/paths.ts';
import { listWafGroups, listWafPackages, listWafRules } from '../../../src/legacy/waf/waf-requests.ts';
import { id } from '../../api/builders.ts';
import { serviceError } from '../../api/caught.ts';
import { sendJson, startLoopback, success } from '../../api/loopback.ts';
import { openReader } from '../../api/open.ts';
import { startOldZone } from './waf-zone.ts';

describe('the old WAF on the embedded service (specification 9, api.md 9.4)', () => {
  test('returns packages, groups and rules with the settings that were changed in them', async () => {
    const { client, zoneId } = await startOldZone();
    const [traditional, anomaly] = await listWafPackages(client, zoneId);
    expect(traditional).toMatchObject({
      name: 'CloudFlare',
      detectionMode: 'traditional',
      sensitivity: null,
      actionMode: null,
    });
    const edit = { method: 'PATCH', path: wafPackagePath(zoneId, anomaly?.id ?? '') } as const;
    await client.send({ ...edit, body: { sensitivity: 'low', action_mode: 'simulate' } });
    expect((await listWafPackages(client, zoneId))[1]).toEqual({
      ...anomaly,
      sensitivity: 'low',
      actionMode: 'simulate',
    });

    const at = { zoneId, packageId: traditional?.id ?? '' };
    const rules = wafPackagePath(zoneId, at.packageId) + '/rules';
    await client.send({ method: 'PATCH', path: `${rules}/100203`, body: { mode: 'simulate' } });
    const found = await listWafRules(client, at);
    expect(found.find((rule) => rule.id === '100203')).toEqual({
      id: '100203',
      mode: 'simulate',
      defaultMode: 'block',
    });
    expect(found.find((rule) => rule.id === '100001')?.defaultMode).toBeNull();
    expect((await listWafGroups(client, at)).filter((group) => group.modifiedRulesCount > 0)).toEqual([
      { name: 'Cloudflare Specials', mode: 'on', modifiedRulesCount: 1 },
    ]);
  });

  test('answers 410 for the packages of a zone that has migrated', async () => {
    const migrated = await startOldZone({ waf_migration: { state: 'complete' } });
    expect((await serviceError(listWafPackages(migrated.client, migrated.zoneId))).status).toBe(410);
  });
});

test.each([
  [{ id: id(2), name: 'x' }, '/detection_mode'],
  [{ id: id(2), name: 'x', detection_mode: 'anomaly', sensitivity: 3 }, '/sensitivity'],
  ['x', '/0 should be an object'],
])('listWafPackages refuses the package %j with the place of what is wrong', async (result, place) => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success([result])));
  const { client } = openReader(server.baseUrl);
  const error = await serviceError(listWafPackages(client, id(1)));
  expect(error.code).toBe('api/unexpected-answer');
  expect(error.message).toContain(place);
});

test('listWafPackages reads all pages if the service names only the number of items', async () => {
  const item = (number: number) => ({ id: id(number), name: String(number), detection_mode: 'traditional' });
  const server = await startLoopback(({ url }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'));
    const info = { page, per_page: 100, count: 1, total_count: 201 };
    sendJson(response, 200, success([item(page)], { result_info: info }));
  });
  const { client } = openReader(server.baseUrl);
  expect((await listWafPackages(client, id(1))).map(({ name }) => name)).toEqual(['1', '2', '3']);
});
