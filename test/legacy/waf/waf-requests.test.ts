import { describe, expect, test } from 'vitest';
import { dryRunOf } from '../../../src/api/client.ts';
import { getEntrypoint } from '../../../src/api/rulesets.ts';
import { isUncertain } from '../../../src/api/service-error.ts';
import {
  checkWafMigration,
  getWafMigrationConfiguration,
  getWafMigrationStatus,
  migrateWaf,
  migrateWafRequest,
} from '../../../src/legacy/waf/waf-requests.ts';
import { wafOverrides } from '../../../src/legacy/legacy-objects.ts';
import { id } from '../../api/builders.ts';
import { rulewrightError, serviceError } from '../../api/caught.ts';
import { failure, sendJson, startLoopback, success } from '../../api/loopback.ts';
import { openReader, openWriter } from '../../api/open.ts';
import { startOldZone } from './waf-zone.ts';

const PHASE = 'http_request_firewall_managed';

describe('the WAF migration on the embedded service (specification 4.3)', () => {
  test('goes through check, configuration, validation and finish, with the status after each step (rule 4)', async () => {
    const { client, zoneId } = await startOldZone();
    expect(await checkWafMigration(client, zoneId)).toEqual({ compatible: true, state: 'start' });
    const configuration = await getWafMigrationConfiguration(client, zoneId);
    expect(configuration).toMatchObject({
      name: 'default',
      rules: [{ action: 'execute', id: '', ref: '' }, {}],
    });

    const live = await migrateWaf(client, zoneId, { step: 'validation', configuration });
    expect(live).toMatchObject({ kind: 'zone', phase: PHASE, version: '1' });
    expect(await getWafMigrationStatus(client, zoneId)).toMatchObject({
      oldWaf: 'enabled',
      newWaf: 'enabled',
      state: 'validation',
    });
    await migrateWaf(client, zoneId, { step: 'pending', configuration });
    expect(await getWafMigrationStatus(client, zoneId)).toMatchObject({
      oldWaf: 'disabled',
      newWaf: 'enabled',
      state: 'complete',
    });
    expect(await checkWafMigration(client, zoneId)).toEqual({ compatible: false, state: null });
    const after = await getEntrypoint(client, { kind: 'zone', id: zoneId }, PHASE);
    expect(after?.rules).toHaveLength(2);
  });

  test('is refused as long as the zone has overrides (specification 3.1 rule 4)', async () => {
    const overrides = [{ urls: ['x'], rules: { 100015: 'block' } }];
    const { client, zoneId } = await startOldZone({ waf: { overrides } });
    expect(await checkWafMigration(client, zoneId)).toEqual({ compatible: false, state: null });
    const error = await serviceError(
      migrateWaf(client, zoneId, { step: 'pending', configuration: { rules: [] } }),
    );
    expect([error.status, error.effect]).toEqual([400, 'none']);
    for (const override of await wafOverrides.list(client, zoneId)) {
      await wafOverrides.remove(client, zoneId, override.id);
    }
    expect((await checkWafMigration(client, zoneId)).compatible).toBe(true);
  });

  test('names the permission "Firewall Services" if it is missing (api.md 11.3)', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ message: 'request is not authorized' })),
    );
    const { client } = openReader(server.baseUrl);
    expect((await serviceError(getWafMigrationStatus(client, id(1)))).hint).toContain(
      '"Firewall Services" Read',
    );
  });
});

describe('the request that migrates the WAF', () => {
  const request = { step: 'pending', configuration: { rules: [] } } as const;

  test('has its step and the phase of the roll-out in its query', () => {
    expect(migrateWafRequest(id(1), request).query).toEqual({ waf_migration: 'pending', phase_two: 1 });
  });

  test.each([
    ['429', 429],
    ['500', 500],
    ['502', 502],
  ])('is sent only once, also when it is answered with %s', async (_, status) => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, status, failure({ message: 'x' })),
    );
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(migrateWaf(client, id(1), request));
    expect(server.seen).toHaveLength(1);
    expect(error.attempts).toBe(1);
    expect(isUncertain(error)).toBe(status >= 500);
  });

  test('is sent only once if the connection breaks, and its effect is then unknown', async () => {
    const server = await startLoopback((_seen, response) => response.destroy());
    const { client } = openWriter(server.baseUrl);
    expect(isUncertain(await serviceError(migrateWaf(client, id(1), request)))).toBe(true);
    expect(server.seen).toHaveLength(1);
  });

  test('is refused as a dry run', async () => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(null)));
    const { client } = openWriter(server.baseUrl);
    const error = await rulewrightError(dryRunOf(client).check(migrateWafRequest(id(1), request)));
    expect([error.code, error.fault]).toEqual(['api/misuse', 'bug']);
    expect(server.seen).toEqual([]);
  });
});

test('getWafMigrationStatus returns unknown states as they are (api.md 10.1)', async () => {
  const status = { old_waf_status: 'paused', new_waf_status: 'warming', migration_state: 'queued' };
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(status)));
  const { client } = openReader(server.baseUrl);
  expect(await getWafMigrationStatus(client, id(1))).toEqual({
    oldWaf: 'paused',
    newWaf: 'warming',
    state: 'queued',
  });
});

test.each([
  ['check', {}, '/compatible'],
  ['config', { name: 'default', rules: ['x'] }, '/rules/0'],
  ['status', { old_waf_status: 'enabled' }, '/new_waf_status'],
] as const)('a malformed answer of "%s" is refused with its place', async (operation, result, place) => {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
  const { client } = openReader(server.baseUrl);
  const read = {
    check: checkWafMigration,
    config: getWafMigrationConfiguration,
    status: getWafMigrationStatus,
  }[operation];
  const error = await serviceError(read(client, id(1)));
  expect(error.code).toBe('api/unexpected-answer');
  expect(error.message).toContain(place);
});
