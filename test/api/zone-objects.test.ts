import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createPageRule,
  deletePageRule,
  editPageRule,
  getPageRule,
  listPageRules,
  updatePageRule,
} from '../../src/api/page-rules.ts';
import {
  createRateLimit,
  deleteRateLimit,
  getRateLimit,
  listRateLimits,
  updateRateLimit,
} from '../../src/api/rate-limits.ts';
import { isNotFound } from '../../src/api/service-error.ts';
import {
  createZoneLockdown,
  deleteZoneLockdown,
  getZoneLockdown,
  listZoneLockdowns,
  updateZoneLockdown,
} from '../../src/api/zone-lockdowns.ts';
import { type EmulatorOptions, scopeId, startEmulator } from '../../src/emulator/index.ts';
import { id } from './builders.ts';
import { serviceError } from './caught.ts';
import { sendJson, startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const zone = scopeId('zone', 'blog.example');

async function start(switches: NonNullable<EmulatorOptions['switches']> = {}) {
  const emulator = await startEmulator({ budget: 'off', switches });
  onTestFinished(() => emulator.close());
  return openWriter(emulator.baseUrl, { credentials: { kind: 'token', token: emulator.token } }).client;
}

describe('api.md 9.6: old rate limits of the embedded service', () => {
  test('are read with everything in its place', async () => {
    const client = await start();
    const [logins, search] = await listRateLimits(client, zone);
    expect(logins).toMatchObject({
      disabled: false,
      description: 'Logins',
      threshold: 5,
      period: 60,
      request: { methods: ['POST'], schemes: ['_ALL_'], url: 'blog.example/login' },
      response: { statuses: [401, 403], originTraffic: true, headers: [] },
      bypassUrls: ['blog.example/login/status'],
      action: {
        mode: 'ban',
        timeout: 600,
        response: { contentType: 'application/json', body: '{"error":"too many logins"}' },
      },
      correlateBy: null,
    });
    expect(search).toMatchObject({
      disabled: true,
      request: { methods: ['_ALL_'], schemes: ['_ALL_'] },
      action: { mode: 'challenge', timeout: null, response: null },
      correlateBy: 'nat',
    });
    expect(logins?.wire['id']).toBe(logins?.id);
    expect(await getRateLimit(client, zone, logins?.id ?? '')).toEqual(logins);
  });

  test.each([{}, { rateLimitDeletes: 'null' }] as const)(
    'are made, replaced and deleted (%j)',
    async (switches) => {
      const client = await start(switches);
      const body = { match: {}, threshold: 2, period: 60, action: { mode: 'simulate', timeout: 60 } };
      const made = await createRateLimit(client, zone, body);
      expect((await updateRateLimit(client, zone, made.id, { ...body, threshold: 9 })).threshold).toBe(9);
      // What was read can be written back as it is.
      expect((await updateRateLimit(client, zone, made.id, made.wire)).wire).toEqual(made.wire);
      await deleteRateLimit(client, zone, made.id);
      expect(isNotFound(await serviceError(getRateLimit(client, zone, made.id)))).toBe(true);
    },
  );

  test('headers are read from both places that schemas had for them', async () => {
    const header = (name: string) => ({ name, op: 'eq', value: 'x' });
    const wire = {
      id: id(1),
      threshold: 2,
      period: 60,
      match: { response: { headers: [header('Old')] }, headers: [header('New')] },
      action: { mode: 'challenge' },
    };
    const server = await startLoopback((_, response) => sendJson(response, 200, success(wire)));
    const limit = await getRateLimit(openReader(server.baseUrl).client, zone, id(1));
    expect(limit.response.headers).toEqual([header('Old'), header('New')]);
    expect(limit.request).toEqual({ methods: [], schemes: [], url: '' });
  });

  test.each([
    [{ threshold: '2' }, /\/threshold should be a number/u],
    [{ period: null }, /\/period should be a number/u],
    [{ action: null }, /\/action should be an object/u],
    [{ match: { response: { status: ['401'] } } }, /\/match\/response\/status\/0 should be a number/u],
  ])('%j cannot be used', async (members, message) => {
    const wire = { id: id(1), threshold: 2, period: 60, action: { mode: 'ban' }, ...members };
    const server = await startLoopback((_, response) => sendJson(response, 200, success([wire])));
    const error = await serviceError(listRateLimits(openReader(server.baseUrl).client, zone));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toMatch(message);
  });
});

describe('api.md 9.7: page rules of the embedded service', () => {
  test('are listed, made, replaced, edited and deleted', async () => {
    const client = await start();
    const before = await listPageRules(client, zone);
    expect(before.map(({ urls, actions, active }) => [urls, actions, active])).toEqual([
      [['blog.example/status*'], [{ id: 'disable_security' }], true],
      [['blog.example/editor/*'], [{ id: 'waf', value: 'off' }], true],
    ]);
    const made = await createPageRule(client, zone, {
      url: 'blog.example/x',
      actions: [{ id: 'ssl', value: 'full' }],
      priority: 7,
    });
    expect(made).toMatchObject({ urls: ['blog.example/x'], priority: 7, active: false });
    expect(await getPageRule(client, zone, made.id)).toEqual(made);
    expect(await editPageRule(client, zone, made.id, { active: true })).toEqual({ ...made, active: true });
    const replaced = { url: 'blog.example/y', actions: [{ id: 'disable_security' }], active: true };
    expect(await updatePageRule(client, zone, made.id, replaced)).toMatchObject({
      priority: 1,
      active: true,
    });
    await deletePageRule(client, zone, made.id);
    expect(await listPageRules(client, zone)).toEqual(before);
  });
});

describe('api.md 9.7: zone lockdowns of the embedded service', () => {
  test('are listed, made, replaced and deleted', async () => {
    const client = await start();
    const before = await listZoneLockdowns(client, zone);
    expect(before).toMatchObject([
      { description: 'The editor is for the office', urls: ['blog.example/editor/*'], paused: false },
    ]);
    const body = { urls: ['blog.example/z'], configurations: [{ target: 'ip', value: '192.0.2.1' }] };
    const made = await createZoneLockdown(client, zone, body);
    expect(made).toEqual({ id: made.id, paused: false, description: '', ...body });
    expect(await getZoneLockdown(client, zone, made.id)).toEqual(made);
    const paused = await updateZoneLockdown(client, zone, made.id, { ...body, paused: true });
    expect(paused).toEqual({ ...made, paused: true });
    await deleteZoneLockdown(client, zone, made.id);
    expect(await listZoneLockdowns(client, zone)).toEqual(before);
  });
});
