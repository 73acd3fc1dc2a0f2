import { describe, expect, test } from 'vitest';
import { isGone } from '../../src/api/ended-interfaces.ts';
import { isNotFound } from '../../src/api/service-error.ts';
import {
  editWafPackage,
  getWafGroup,
  getWafPackage,
  getWafRule,
  listWafGroups,
  listWafPackages,
  listWafRules,
  setWafGroupMode,
  setWafRuleMode,
} from '../../src/api/waf-packages.ts';
import { id } from './builders.ts';
import { rulewrightError, serviceError } from './caught.ts';
import { sendJson, startLoopback, success } from './loopback.ts';
import { openReader } from './open.ts';
import { startOldZone } from './waf-zone.ts';

async function start() {
  const { client, zoneId } = await startOldZone();
  const [traditional, anomaly] = await listWafPackages(client, zoneId);
  const at = (packageId: string | undefined) => ({ zoneId, packageId: packageId ?? '' });
  return { client, zoneId, traditional: at(traditional?.id), anomaly: at(anomaly?.id) };
}

describe('the old WAF on the embedded service (specification 9, api.md 9.4)', () => {
  test('packages: list, one, edit', async () => {
    const { client, traditional, anomaly } = await start();
    expect(await getWafPackage(client, traditional)).toMatchObject({
      name: 'CloudFlare',
      detectionMode: 'traditional',
      sensitivity: null,
      actionMode: null,
    });
    const change = { sensitivity: 'low', actionMode: 'simulate' } as const;
    expect(await editWafPackage(client, anomaly, change)).toMatchObject(change);
    expect(await editWafPackage(client, anomaly, { sensitivity: 'off' })).toMatchObject({
      sensitivity: 'off',
      actionMode: 'simulate',
    });
    expect(await getWafPackage(client, anomaly)).toMatchObject({ sensitivity: 'off' });
  });

  test('groups: list, one, switch', async () => {
    const { client, traditional } = await start();
    const groups = await listWafGroups(client, traditional);
    expect(groups.map((group) => group.packageId)).toEqual(groups.map(() => traditional.packageId));
    const [first] = groups;
    const groupId = first?.id ?? '';
    expect(await getWafGroup(client, traditional, groupId)).toEqual(first);
    expect(await setWafGroupMode(client, traditional, groupId, 'off')).toEqual({ ...first, mode: 'off' });
  });

  test('rules: list, one, mode', async () => {
    const { client, traditional } = await start();
    const rules = await listWafRules(client, traditional);
    const rule = rules.find((each) => each.id === '100203');
    expect(rule).toMatchObject({
      mode: 'default',
      defaultMode: 'block',
      groupName: 'Cloudflare Specials',
      priority: '4',
    });
    expect(await getWafRule(client, traditional, '100203')).toEqual(rule);
    expect(await setWafRuleMode(client, traditional, '100203', 'simulate')).toEqual({
      ...rule,
      mode: 'simulate',
    });
    expect((await getWafRule(client, traditional, '100001')).defaultMode).toBeNull();
  });

  test('what is not there, and what has come to its end, can be told apart', async () => {
    const { client, zoneId } = await start();
    expect(isNotFound(await serviceError(getWafPackage(client, { zoneId, packageId: id(9) })))).toBe(true);
    const migrated = await startOldZone({ waf_migration: { state: 'complete' } });
    expect(isGone(await serviceError(listWafPackages(migrated.client, migrated.zoneId)))).toBe(true);
  });
});

test.each([['x/y'], [''], ['..'], ['a b']])('a rule id such as %j is never sent', async (ruleId) => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success({})));
  const { client } = openReader(server.baseUrl);
  const error = await rulewrightError(getWafRule(client, { zoneId: id(1), packageId: id(2) }, ruleId));
  expect(error.code).toBe('api/bad-path');
  expect(server.seen).toEqual([]);
});

test.each([
  [{ id: id(2), name: 'x' }, '/detection_mode'],
  [{ id: id(2), name: 'x', detection_mode: 'anomaly', sensitivity: 3 }, '/sensitivity'],
  ['x', 'the result'],
])('an answer %j is refused with its place', async (result, place) => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
  const { client } = openReader(server.baseUrl);
  const error = await serviceError(getWafPackage(client, { zoneId: id(1), packageId: id(2) }));
  expect(error.code).toBe('api/unexpected-answer');
  expect(error.message).toContain(place);
});

test('all pages are read where only an item count is said', async () => {
  const item = (number: number) => ({ id: id(number), name: String(number), detection_mode: 'traditional' });
  const server = await startLoopback(({ url }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'));
    const info = { page, per_page: 100, count: 1, total_count: 201 };
    sendJson(response, 200, success([item(page)], { result_info: info }));
  });
  const { client } = openReader(server.baseUrl);
  expect((await listWafPackages(client, id(1))).map(({ name }) => name)).toEqual(['1', '2', '3']);
});
