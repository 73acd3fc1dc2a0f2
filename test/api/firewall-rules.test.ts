import { describe, expect, onTestFinished, test } from 'vitest';
import { isGone, isMaintenanceMode } from '../../src/api/ended-interfaces.ts';
import {
  createFilters,
  deleteFilter,
  deleteFilters,
  getFilter,
  listFilters,
  updateFilter,
  updateFilters,
  validateExpression,
} from '../../src/api/filters.ts';
import {
  createFirewallRules,
  deleteFirewallRule,
  deleteFirewallRules,
  getFirewallRule,
  listFirewallRules,
  prioritiseFirewallRule,
  prioritiseFirewallRules,
  updateFirewallRule,
  updateFirewallRules,
} from '../../src/api/firewall-rules.ts';
import { hasServiceCode, isNotFound } from '../../src/api/service-error.ts';
import { type EmulatorOptions, scopeId, startEmulator } from '../../src/emulator/index.ts';
import { id } from './builders.ts';
import { serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openWriter } from './open.ts';

const zone = scopeId('zone', 'blog.example');

async function start(switches: NonNullable<EmulatorOptions['switches']> = {}) {
  const emulator = await startEmulator({ budget: 'off', switches });
  onTestFinished(() => emulator.close());
  const credentials = { kind: 'token', token: emulator.token } as const;
  return { emulator, ...openWriter(emulator.baseUrl, { credentials }) };
}

describe('specification 4.2: firewall rules and filters of the embedded service', () => {
  test.each([{}, { singleDeletes: 'object' }] as const)(
    'every operation on filters (%j)',
    async (switches) => {
      const { client } = await start(switches);
      const before = await listFilters(client, zone);
      const [a, b] = await createFilters(client, zone, [
        { expression: 'http.host eq "a"', description: 'A', ref: 'R' },
        { expression: 'http.host eq "b"', paused: true },
      ]);
      const [aId, bId] = [a?.id ?? '', b?.id ?? ''];
      expect(a).toEqual({
        id: aId,
        expression: 'http.host eq "a"',
        paused: false,
        description: 'A',
        ref: 'R',
      });
      expect(await getFilter(client, zone, bId)).toEqual(b);
      const changed = await updateFilter(client, zone, { id: aId, expression: 'http.host eq "c"' });
      expect(changed).toEqual({ ...a, expression: 'http.host eq "c"', description: '', ref: '' });
      const swapped = await updateFilters(client, zone, [{ id: bId, expression: 'http.host eq "d"' }]);
      expect(swapped).toEqual([{ ...b, expression: 'http.host eq "d"', paused: false }]);
      const twin = serviceError(createFilters(client, zone, [{ expression: 'http.host eq "d"' }]));
      expect(hasServiceCode(await twin, 10102)).toBe(true);
      await deleteFilter(client, zone, aId);
      expect(await deleteFilters(client, zone, [bId])).toEqual([bId]);
      expect(await listFilters(client, zone)).toEqual(before);
      expect(isNotFound(await serviceError(getFilter(client, zone, aId)))).toBe(true);
    },
  );

  test.each([{}, { singleDeletes: 'object' }] as const)('every operation on rules (%j)', async (switches) => {
    const { client } = await start(switches);
    const before = await listFirewallRules(client, zone);
    expect(before.map(({ action, priority }) => [action, priority])).toContainEqual(['bypass', 20]);
    const [filter] = await createFilters(client, zone, [{ expression: 'http.host eq "a"' }]);
    const filterId = filter?.id ?? '';
    const [one, two] = await createFirewallRules(client, zone, [
      { action: 'allow', filter: { id: filterId }, description: 'One', priority: 1, ref: 'r' },
      { action: 'bypass', products: ['bic'], filter: { expression: 'http.host eq "b"' }, paused: true },
    ]);
    const [oneId, twoId] = [one?.id ?? '', two?.id ?? ''];
    expect(one).toEqual({
      id: oneId,
      action: 'allow',
      products: [],
      priority: 1,
      paused: false,
      description: 'One',
      ref: 'r',
      filter: { kind: 'filter', ...filter },
    });
    expect(await getFirewallRule(client, zone, twoId)).toEqual(two);
    const whole = { id: oneId, action: 'block', filter: { id: filterId } };
    expect(await updateFirewallRule(client, zone, whole)).toMatchObject({ action: 'block', priority: null });
    expect(await updateFirewallRules(client, zone, [{ ...whole, priority: 5 }])).toMatchObject([
      { priority: 5 },
    ]);
    expect((await prioritiseFirewallRule(client, zone, { id: oneId, priority: null })).priority).toBeNull();
    const moved = await prioritiseFirewallRules(client, zone, [{ id: twoId, priority: 8 }]);
    expect(moved).toEqual([{ ...two, priority: 8 }]);
    await deleteFirewallRule(client, zone, twoId, 'delete-unused-filter');
    expect(await deleteFirewallRules(client, zone, [oneId, id(99)])).toEqual([oneId]);
    await deleteFilter(client, zone, filterId);
    expect(await listFirewallRules(client, zone)).toEqual(before);
  });

  test('lists are read over all their pages', async () => {
    const { client } = await start();
    const large = scopeId('zone', 'shop.example');
    const expressions = Array.from({ length: 120 }, (_, index) => ({
      expression: `http.host eq "h${index}"`,
    }));
    for (let from = 0; from < 120; from += 25) {
      await createFilters(client, large, expressions.slice(from, from + 25));
    }
    const filters = (await listFilters(client, large)).slice(-120);
    expect(filters.map(({ expression }) => ({ expression }))).toEqual(expressions);
  });

  test('specification 4.2 rule 3: a refusal over the quota may leave filters behind', async () => {
    const { client } = await start();
    const filters = (from: number) =>
      Array.from({ length: 10 }, (_, index) => ({
        action: 'block',
        filter: { expression: `http.host eq "q${from + index}"` },
      }));
    await createFirewallRules(client, zone, filters(0));
    const before = await listFilters(client, zone);
    const error = await serviceError(createFirewallRules(client, zone, filters(10)));
    expect(error).toMatchObject({ status: 400, effect: 'none' });
    expect(await listFilters(client, zone)).toHaveLength(before.length + 10);
  });

  test('an expression is checked by the service', async () => {
    const { client } = await start();
    expect(await validateExpression(client, 'ip.src eq 192.0.2.1')).toBeNull();
    expect(await validateExpression(client, 'ip.src==34')).toMatch(
      /^Filter parsing error:\n`ip\.src==34`\n/u,
    );
  });

  test('an interface that only reads, and one that is gone, are told apart', async () => {
    const reading = await start({ oldInterfaces: 'maintenance' });
    expect((await listFirewallRules(reading.client, zone)).length).toBeGreaterThan(0);
    const write = createFilters(reading.client, zone, [{ expression: 'ssl' }]);
    const refused = await serviceError(write);
    expect([isMaintenanceMode(refused), isGone(refused)]).toEqual([true, false]);
    const gone = await serviceError(listFirewallRules((await start({ oldInterfaces: 'gone' })).client, zone));
    expect([isMaintenanceMode(gone), isGone(gone)]).toEqual([false, true]);
  });
});

describe('what goes on the wire', () => {
  const rule = {
    id: id(1),
    action: 'block',
    paused: false,
    priority: null,
    filter: { id: id(2), expression: 'ssl', paused: false },
  };

  test('several ids are several parameters; without ids nothing is sent', async () => {
    const server = await startLoopback((_, response) => sendJson(response, 200, success([{ id: id(1) }])));
    const { client } = openWriter(server.baseUrl);
    expect(await deleteFirewallRules(client, zone, [])).toEqual([]);
    expect(await deleteFilters(client, zone, [])).toEqual([]);
    await deleteFirewallRules(client, zone, [id(1), id(2)]);
    expect(server.seen.map(({ method, url }) => [method, url])).toEqual([
      ['DELETE', `/client/v4/zones/${zone}/firewall/rules?id=${id(1)}&id=${id(2)}`],
    ]);
  });

  test.each([
    ['a list of one', [{ id: id(1) }]],
    ['an object', { id: id(1) }],
    ['an empty list', []],
    ['null', null],
  ])('the answer to a deletion may be %s', async (_, result) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openWriter(server.baseUrl);
    expect(await deleteFilters(client, zone, [id(1)])).toEqual([id(1)]);
    await expect(deleteFirewallRule(client, zone, id(1))).resolves.toBeUndefined();
  });

  test.each([
    ['a list of one', [rule]],
    ['an object', rule],
  ])('the answer to PATCH of one may be %s', async (_, result) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openWriter(server.baseUrl);
    expect(await prioritiseFirewallRule(client, zone, { id: id(1), priority: null })).toMatchObject({
      id: id(1),
    });
  });

  test('a filter that was deleted shows as deleted', async () => {
    const wire = { ...rule, filter: { id: id(2), deleted: true } };
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(wire)));
    const { client } = openWriter(server.baseUrl);
    expect((await getFirewallRule(client, zone, id(1))).filter).toEqual({ kind: 'deleted', id: id(2) });
  });

  test.each([
    ['two rules for one', [rule, rule], /list of 2/u],
    ['no rule', [], /list of 0/u],
    ['a rule without an action', { ...rule, action: undefined }, /\/action/u],
    ['a rule without a filter', { ...rule, filter: undefined }, /\/filter/u],
    ['a priority in text', { ...rule, priority: '1' }, /\/priority should be a number/u],
    ['a state in text', { ...rule, paused: 'no' }, /\/paused should be true or false/u],
    ['products that are numbers', { ...rule, products: [1] }, /\/products\/0 should be text/u],
    ['a filter without an expression', { ...rule, filter: { id: id(2) } }, /\/filter\/expression/u],
  ])('%s cannot be used', async (_, result, message) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(getFirewallRule(client, zone, id(1)));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toMatch(message);
  });

  test('a creation is sent again after 429 only, never after 500', async () => {
    const server = await startLoopback((_seen, response, index) =>
      index === 0
        ? sendJson(response, 429, failure({ code: 10100, message: 'slow' }), { 'retry-after': '1' })
        : sendJson(response, 500, failure({ message: 'trouble' })),
    );
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(createFilters(client, zone, [{ expression: 'ssl' }]));
    expect([error.status, error.attempts, error.effect]).toEqual([500, 2, 'unknown']);
    expect(server.seen).toHaveLength(2);
  });

  test.each(['', 'x', '../rulesets', id(0xab).toUpperCase()])('%j is no id of a path', async (wrong) => {
    const { client } = openWriter('http://127.0.0.1:9');
    await expect(getFilter(client, zone, wrong)).rejects.toMatchObject({ code: 'api/bad-path' });
    await expect(deleteFirewallRule(client, zone, wrong)).rejects.toMatchObject({ code: 'api/bad-path' });
  });

  test('a missing permission is named', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ message: 'request is not authorized' })),
    );
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(createFilters(client, zone, [{ expression: 'ssl' }]));
    expect(error.hint).toBe('The token needs the permission "Firewall Services" Write for this zone.');
  });

  test('an expression check that fails for another reason stays a failure', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ code: 10000, message: 'Authentication error' })),
    );
    const { client } = openWriter(server.baseUrl);
    expect((await serviceError(validateExpression(client, 'ssl'))).status).toBe(403);
  });
});
