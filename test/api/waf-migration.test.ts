import { describe, expect, test } from 'vitest';
import { dryRunOf } from '../../src/api/client.ts';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import { isUncertain } from '../../src/api/service-error.ts';
import {
  checkWafMigration,
  getWafMigrationConfiguration,
  getWafMigrationStatus,
  migrateWaf,
  migrateWafRequest,
} from '../../src/api/waf-migration.ts';
import { wafOverrides } from '../../src/api/old-families.ts';
import { id } from './builders.ts';
import { rulewrightError, serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';
import { startOldZone } from './waf-zone.ts';

const PHASE = 'http_request_firewall_managed';

describe('on the embedded service (specification 4.3)', () => {
  test('rule 4: check, configuration, validation, finish, with the status between', async () => {
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

  test('overrides block it until they are deleted (specification 3.1 rule 4)', async () => {
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

  test('a missing permission is named: Firewall Services (api.md 11.3)', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ message: 'request is not authorized' })),
    );
    const { client } = openReader(server.baseUrl);
    expect((await serviceError(getWafMigrationStatus(client, id(1)))).hint).toContain(
      '"Firewall Services" Read',
    );
  });
});

describe('the PUT that migrates', () => {
  const request = { step: 'pending', configuration: { rules: [] } } as const;

  test('says its step and the phase of the roll-out', () => {
    expect(migrateWafRequest(id(1), request).query).toEqual({ waf_migration: 'pending', phase_two: 1 });
  });

  test.each([
    ['429', 429],
    ['500', 500],
    ['502', 502],
  ])('is sent once, whatever is answered: %s', async (_, status) => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, status, failure({ message: 'x' })),
    );
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(migrateWaf(client, id(1), request));
    expect(server.seen).toHaveLength(1);
    expect(error.attempts).toBe(1);
    expect(isUncertain(error)).toBe(status >= 500);
  });

  test('is sent once also when the connection breaks; what it did is unknown then', async () => {
    const server = await startLoopback((_seen, response) => response.destroy());
    const { client } = openWriter(server.baseUrl);
    expect(isUncertain(await serviceError(migrateWaf(client, id(1), request)))).toBe(true);
    expect(server.seen).toHaveLength(1);
  });

  test('is never a dry run', async () => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(null)));
    const { client } = openWriter(server.baseUrl);
    const error = await rulewrightError(dryRunOf(client).check(migrateWafRequest(id(1), request)));
    expect([error.code, error.fault]).toEqual(['api/misuse', 'bug']);
    expect(server.seen).toEqual([]);
  });
});

test('a status keeps words that nobody knows (api.md 10.1)', async () => {
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
] as const)('an answer of %s that is not one is refused with its place', async (operation, result, place) => {
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
