import { describe, expect, onTestFinished, test } from 'vitest';
import type { WriteClient } from '../../src/api/client.ts';
import {
  filters,
  firewallRules,
  rateLimits,
  wafOverrides,
  WITH_UNUSED_FILTER,
} from '../../src/legacy/legacy-objects.ts';
import { listPageRules } from '../../src/legacy/page-rules/page-rule.ts';
import { zoneFamilyPath } from '../../src/api/paths.ts';
import type { ZoneFamily } from '../../src/api/paths.ts';
import { isMaintenanceMode, isNotFound } from '../../src/api/service-error.ts';
import { scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { EmulatorOptions } from '../../src/emulator/index.ts';
import { id } from '../api/builders.ts';
import { serviceError } from '../api/caught.ts';
import { failure, sendJson, startLoopback, success } from '../api/loopback.ts';
import { openReader, openWriter } from '../api/open.ts';
import { startOldZone } from './waf/waf-zone.ts';

const zone = scopeId('zone', 'blog.example');

async function start(switches: NonNullable<EmulatorOptions['switches']> = {}) {
  const emulator = await startEmulator({ budget: 'off', switches });
  onTestFinished(() => emulator.close());
  return openWriter(emulator.baseUrl, { credentials: { kind: 'token', token: emulator.token } }).client;
}

/** Creates objects of an old interface, for which the client has no function of its own. */
const make = (client: WriteClient, family: ZoneFamily, body: unknown, zoneId = zone) =>
  client.send({ method: 'POST', path: zoneFamilyPath(zoneId, family), body });

/** Starts a service that answers every request with this result. */
async function answering(result: unknown) {
  const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
  return { server, ...openWriter(server.baseUrl) };
}

describe('specification 4.2: firewall rules and filters of the embedded service', () => {
  test.each([{}, { singleDeletes: 'object' }] as const)(
    'filters are read and deleted (%j)',
    async (switches) => {
      const client = await start(switches);
      const before = await filters.list(client, zone);
      await make(client, 'filters', [
        { expression: 'http.host eq "a"', description: 'A', ref: 'R' },
        { expression: 'http.host eq "b"', paused: true },
      ]);
      const made = (await filters.list(client, zone)).slice(before.length);
      const [aId, bId] = made.map((filter) => filter.id);
      expect(made).toEqual([
        { id: aId, expression: 'http.host eq "a"', paused: false, description: 'A', ref: 'R' },
        { id: bId, expression: 'http.host eq "b"', paused: true, description: '', ref: '' },
      ]);
      expect(await filters.get(client, zone, aId ?? '')).toEqual(made[0]);
      for (const { id: filterId } of made) {
        await filters.remove(client, zone, filterId);
        expect(isNotFound(await serviceError(filters.get(client, zone, filterId)))).toBe(true);
      }
      expect(await filters.list(client, zone)).toEqual(before);
    },
  );

  test.each([{}, { singleDeletes: 'object' }] as const)(
    'firewall rules are read and deleted (%j)',
    async (switches) => {
      const client = await start(switches);
      const before = await firewallRules.list(client, zone);
      expect(before.map(({ action, priority }) => [action, priority])).toContainEqual(['bypass', 20]);
      await make(client, 'filters', [{ expression: 'http.host eq "a"' }]);
      const filter = (await filters.list(client, zone)).at(-1);
      await make(client, 'firewall/rules', [
        { action: 'allow', filter: { id: filter?.id }, description: 'One', priority: 1, ref: 'r' },
        { action: 'bypass', products: ['bic'], filter: { id: filter?.id }, paused: true },
      ]);
      const made = (await firewallRules.list(client, zone)).filter(
        (rule) => !before.some(({ id: old }) => old === rule.id),
      );
      const one = made.find(({ action }) => action === 'allow');
      const two = made.find(({ action }) => action === 'bypass');
      expect(one).toEqual({
        id: one?.id,
        action: 'allow',
        products: [],
        priority: 1,
        paused: false,
        description: 'One',
        ref: 'r',
        filter: { kind: 'filter', ...filter },
      });
      expect(two).toMatchObject({ products: ['bic'], paused: true, priority: null });
      expect(await firewallRules.get(client, zone, two?.id ?? '')).toEqual(two);
      await firewallRules.remove(client, zone, two?.id ?? '', WITH_UNUSED_FILTER);
      expect(await filters.get(client, zone, filter?.id ?? '')).toEqual(filter);
      await firewallRules.remove(client, zone, one?.id ?? '', WITH_UNUSED_FILTER);
      expect(isNotFound(await serviceError(filters.get(client, zone, filter?.id ?? '')))).toBe(true);
      expect(await firewallRules.list(client, zone)).toEqual(before);
    },
  );

  test('a list is read over all its pages', async () => {
    const client = await start();
    const large = scopeId('zone', 'shop.example');
    const expressions = Array.from({ length: 120 }, (_, index) => ({
      expression: `http.host eq "h${index}"`,
    }));
    for (let from = 0; from < 120; from += 25) {
      await make(client, 'filters', expressions.slice(from, from + 25), large);
    }
    const made = (await filters.list(client, large)).slice(-120);
    expect(made.map(({ expression }) => ({ expression }))).toEqual(expressions);
  });

  test('an interface that is read-only is told apart from one that is gone', async () => {
    const reading = await start({ oldInterfaces: 'maintenance' });
    const [first] = await firewallRules.list(reading, zone);
    const refused = await serviceError(firewallRules.remove(reading, zone, first?.id ?? ''));
    expect(isMaintenanceMode(refused)).toBe(true);
    const gone = await serviceError(firewallRules.list(await start({ oldInterfaces: 'gone' }), zone));
    expect([isMaintenanceMode(gone), gone.status]).toEqual([false, 410]);
  });
});

describe('api.md 9.6: old rate limits of the embedded service', () => {
  test('are read with all their settings', async () => {
    const client = await start();
    const [logins, search] = await rateLimits.list(client, zone);
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
    expect(await rateLimits.get(client, zone, logins?.id ?? '')).toEqual(logins);
  });

  test.each([{}, { rateLimitDeletes: 'null' }] as const)('are deleted (%j)', async (switches) => {
    const client = await start(switches);
    const [first] = await rateLimits.list(client, zone);
    await rateLimits.remove(client, zone, first?.id ?? '');
    expect(isNotFound(await serviceError(rateLimits.get(client, zone, first?.id ?? '')))).toBe(true);
  });

  test('have the response headers of both places that schemas had for them', async () => {
    const header = (name: string) => ({ name, op: 'eq', value: 'x' });
    const { client } = await answering({
      id: id(1),
      threshold: 2,
      period: 60,
      match: { response: { headers: [header('Old')] }, headers: [header('New')] },
      action: { mode: 'challenge' },
    });
    const limit = await rateLimits.get(client, zone, id(1));
    expect(limit.response.headers).toEqual([header('Old'), header('New')]);
    expect(limit.request).toEqual({ methods: [], schemes: [], url: '' });
  });

  test.each([
    [{ threshold: '2' }, /\/threshold should be a number/u],
    [{ period: null }, /\/period should be a number/u],
    [{ action: null }, /\/action should be an object/u],
    [{ match: { response: { status: ['401'] } } }, /\/match\/response\/status\/0 should be a number/u],
  ])('are refused with the place of what is wrong: %j', async (members, message) => {
    const wire = { id: id(1), threshold: 2, period: 60, action: { mode: 'ban' }, ...members };
    const { client } = await answering([wire]);
    const error = await serviceError(rateLimits.list(client, zone));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toMatch(message);
  });
});

describe('api.md 9.5: URI-based overrides of the embedded service', () => {
  test('are read and deleted', async () => {
    const { client, zoneId } = await startOldZone();
    const override = {
      urls: ['old.example/*'],
      rules: { 100015: 'disable' },
      rewrite_action: { block: 'challenge' },
    };
    await make(client, 'firewall/waf/overrides', override, zoneId);
    const [made, ...others] = await wafOverrides.list(client, zoneId);
    const overrideId = made?.id ?? '';
    expect([made, others]).toEqual([
      {
        id: overrideId,
        description: '',
        urls: ['old.example/*'],
        priority: 0,
        groups: {},
        rules: { '100015': 'disable' },
        rewriteAction: { block: 'challenge' },
        paused: false,
      },
      [],
    ]);
    expect(await wafOverrides.get(client, zoneId, overrideId)).toEqual(made);
    await wafOverrides.remove(client, zoneId, overrideId);
    expect(isNotFound(await serviceError(wafOverrides.get(client, zoneId, overrideId)))).toBe(true);
  });

  test('are refused with the place of an action that is not a text', async () => {
    const { client } = await answering({ id: id(1), urls: [], rules: { '1': 5 } });
    const error = await serviceError(wafOverrides.get(client, id(1), id(2)));
    expect(error.message).toContain('/rules/1 should be text and is a number');
  });
});

test('api.md 9.7: page rules of the embedded service are read', async () => {
  const rules = await listPageRules(await start(), zone);
  expect(rules.map(({ urls, actions, active }) => [urls, actions, active])).toEqual([
    [['blog.example/status*'], [{ id: 'disable_security' }], true],
    [['blog.example/editor/*'], [{ id: 'waf', value: 'off' }], true],
  ]);
});

describe('requests and answers of firewall rules and filters', () => {
  const rule = {
    id: id(1),
    action: 'block',
    paused: false,
    priority: null,
    filter: { id: id(2), expression: 'ssl', paused: false },
  };

  test.each([[[{ id: id(1) }]], [{ id: id(1) }], [[]], [null]])(
    'the answer to a deletion may be %j',
    async (result) => {
      const { client, server } = await answering(result);
      await firewallRules.remove(client, zone, id(1));
      await firewallRules.remove(client, zone, id(1), WITH_UNUSED_FILTER);
      expect(server.seen).toMatchObject([
        { method: 'DELETE', url: `/client/v4/zones/${zone}/firewall/rules/${id(1)}`, body: '' },
        { method: 'DELETE', body: '{"delete_filter_if_unused":true}' },
      ]);
    },
  );

  test('a firewall rule shows that its filter was deleted', async () => {
    const { client } = await answering({ ...rule, filter: { id: id(2), deleted: true } });
    expect((await firewallRules.get(client, zone, id(1))).filter).toEqual({ kind: 'deleted', id: id(2) });
  });

  test.each([
    ['a list', [rule], /should be an object/u],
    ['a rule without an action', { ...rule, action: undefined }, /\/action/u],
    ['a rule without a filter', { ...rule, filter: undefined }, /\/filter/u],
    ['a priority in text', { ...rule, priority: '1' }, /\/priority should be a number/u],
    ['a state in text', { ...rule, paused: 'no' }, /\/paused should be true or false/u],
    ['products that are numbers', { ...rule, products: [1] }, /\/products\/0 should be text/u],
    ['a filter without an expression', { ...rule, filter: { id: id(2) } }, /\/filter\/expression/u],
  ])('%s is refused with the place of what is wrong', async (_, result, message) => {
    const { client } = await answering(result);
    const error = await serviceError(firewallRules.get(client, zone, id(1)));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toMatch(message);
  });

  test('a creation is sent again after 429 but not after 500', async () => {
    const server = await startLoopback((_seen, response, index) =>
      index === 0
        ? sendJson(response, 429, failure({ code: 10100, message: 'slow' }), { 'retry-after': '1' })
        : sendJson(response, 500, failure({ message: 'trouble' })),
    );
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(make(client, 'filters', [{ expression: 'ssl' }]));
    expect([error.status, error.attempts, error.effect]).toEqual([500, 2, 'unknown']);
    expect(server.seen).toHaveLength(2);
  });

  test.each(['', 'x', '../rulesets', id(0xab).toUpperCase()])('refuses %j as an id', async (wrong) => {
    const { client } = openWriter('http://127.0.0.1:9');
    await expect(filters.get(client, zone, wrong)).rejects.toMatchObject({ code: 'api/bad-path' });
    await expect(firewallRules.remove(client, zone, wrong)).rejects.toMatchObject({ code: 'api/bad-path' });
  });

  test('a 403 names the permission that is missing', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ message: 'request is not authorized' })),
    );
    const read = await serviceError(filters.list(openReader(server.baseUrl).client, zone));
    expect(read.hint).toBe('the token needs the permission "Firewall Services" Read for this zone');
    const write = await serviceError(filters.remove(openWriter(server.baseUrl).client, zone, id(1)));
    expect(write.hint).toBe('the token needs the permission "Firewall Services" Write for this zone');
  });
});
