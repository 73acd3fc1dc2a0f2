import { expect, test } from 'vitest';
import { isNotFound } from '../../src/api/service-error.ts';
import {
  createWafOverride,
  deleteWafOverride,
  getWafOverride,
  listWafOverrides,
  updateWafOverride,
} from '../../src/api/waf-overrides.ts';
import { id } from './builders.ts';
import { serviceError } from './caught.ts';
import { sendJson, startLoopback, success } from './loopback.ts';
import { openReader } from './open.ts';
import { startOldZone } from './waf-zone.ts';

test('URI-based overrides: make, read, replace, delete (api.md 9.5)', async () => {
  const { client, zoneId } = await startOldZone();
  const made = await createWafOverride(client, zoneId, {
    urls: ['old.example/*'],
    rules: { '100015': 'disable' },
    rewriteAction: { block: 'challenge' },
  });
  expect(made).toEqual({
    id: made.id,
    description: '',
    urls: ['old.example/*'],
    priority: 0,
    groups: {},
    rules: { '100015': 'disable' },
    rewriteAction: { block: 'challenge' },
    paused: false,
  });
  expect(await getWafOverride(client, zoneId, made.id)).toEqual(made);
  const content = { urls: ['old.example/up*'], groups: { [id(7)]: 'simulate' }, paused: true } as const;
  const changed = await updateWafOverride(client, zoneId, made.id, content);
  expect(changed).toMatchObject({ ...content, id: made.id, rules: {}, rewriteAction: {} });
  expect(await listWafOverrides(client, zoneId)).toEqual([changed]);
  await deleteWafOverride(client, zoneId, made.id);
  expect(isNotFound(await serviceError(getWafOverride(client, zoneId, made.id)))).toBe(true);
});

test('an override whose actions are no texts is refused with its place', async () => {
  const result = { id: id(1), urls: [], rules: { '1': 5 } };
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
  const { client } = openReader(server.baseUrl);
  const error = await serviceError(getWafOverride(client, id(1), id(2)));
  expect(error.message).toContain('/rules/1 should be text and is a number');
});
