import { describe, expect, test } from 'vitest';

import { refusalOf } from './bench.ts';
import { startFirewall } from './firewall-bench.ts';

interface LimitView {
  readonly id: string;
  readonly [member: string]: unknown;
}

const limit = (members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  match: { request: { methods: ['POST'], schemes: ['HTTPS'], url: 'z.example/login*' } },
  threshold: 5,
  period: 60,
  action: { mode: 'ban', timeout: 60 },
  ...members,
});

async function start(options: Parameters<typeof startFirewall>[0] = {}) {
  const bench = await startFirewall(options);
  return { ...bench, path: `${bench.zone}/rate_limits` };
}

describe('api.md 9.6: old rate limits', () => {
  test('are created, listed, read, replaced and deleted', async () => {
    const bench = await start();
    const made = await bench.ok<LimitView>('POST', bench.path, limit({ description: 'Logins' }));
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/u),
      disabled: false,
      description: 'Logins',
      match: {
        request: { methods: ['POST'], schemes: ['HTTPS'], url: 'z.example/login*' },
        response: { origin_traffic: true },
      },
      login_protect: false,
      threshold: 5,
      period: 60,
      action: { mode: 'ban', timeout: 60 },
    });
    const path = `${bench.path}/${made.id}`;
    expect(await bench.ok('GET', path)).toEqual(made);
    const put = await bench.ok('PUT', path, { ...made, disabled: true, description: '' });
    expect(put).toEqual({ ...made, disabled: true, description: undefined });
    const list = await bench.call<readonly LimitView[]>('GET', bench.path);
    expect(list.body.result).toEqual([put]);
    expect(list.body.result_info).toEqual({
      page: 1,
      per_page: 20,
      count: 1,
      total_count: 1,
      total_pages: 1,
    });
    expect(await bench.ok('DELETE', path)).toEqual({ id: made.id });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await bench.call(method, path, method === 'PUT' ? limit() : undefined)).status).toBe(404);
    }
  });

  test('answer a deletion with nulls when the switch rateLimitDeletes is null', async () => {
    const bench = await start({ switches: { rateLimitDeletes: 'null' } });
    const made = await bench.ok<LimitView>('POST', bench.path, limit());
    const reply = await bench.call('DELETE', `${bench.path}/${made.id}`);
    expect(reply.body).toEqual({ result: null, success: true, errors: null, messages: null });
  });

  test('get default values for a match that is left empty', async () => {
    const bench = await start();
    const made = await bench.ok<LimitView>('POST', bench.path, limit({ match: {} }));
    expect(made['match']).toEqual({
      request: { methods: ['_ALL_'], schemes: ['_ALL_'], url: '*' },
      response: { origin_traffic: true },
    });
  });

  test.each([
    ['business', true],
    ['enterprise', false],
  ])('origin_traffic false on %s is stored as %s', async (plan, stored) => {
    const bench = await start({ plan });
    const match = { response: { status: [401], origin_traffic: false } };
    const made = await bench.ok<LimitView>('POST', bench.path, limit({ match }));
    expect(made['match']).toMatchObject({ response: { status: [401], origin_traffic: stored } });
  });

  test('accept every documented member', async () => {
    const bench = await start();
    const body = limit({
      match: {
        request: { methods: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'], schemes: ['HTTP', 'HTTPS'] },
        response: { status: [401, 403], headers: [{ name: 'Cf-Cache-Status', op: 'ne', value: 'HIT' }] },
        headers: [{ name: 'X-A', op: 'eq', value: 'b' }],
      },
      bypass: [{ name: 'url', value: 'z.example/ok' }],
      action: { mode: 'simulate', timeout: 86_400, response: { content_type: 'text/xml', body: '<no/>' } },
      correlate: { by: 'nat' },
    });
    const made = await bench.ok<LimitView>('POST', bench.path, body);
    expect(made).toMatchObject({ bypass: body['bypass'], action: body['action'], correlate: { by: 'nat' } });
  });

  const low = 'threshold is too low and must be at least 2';
  test.each([
    [{ threshold: 1 }, low],
    [{ threshold: undefined }, low],
    [{ period: 0 }, 'sample_rate is too low and must be at least 1 second'],
    [{ period: 9 }, 'sample_rate is too low and must be at least 10 seconds'],
    [{ period: 86_401, action: { mode: 'challenge' } }, 'sample_rate is too high'],
    [{ threshold: 0, period: 0 }, `${low},sample_rate is too low and must be at least 1 second`],
    [{ description: 'x'.repeat(1025) }, 'description is too long'],
    [{ match: undefined }, 'match is required'],
    [{ match: { request: { methods: ['GRAB'] } } }, 'match.request.methods'],
    [{ match: { request: { schemes: ['FTP'] } } }, 'match.request.schemes'],
    [{ match: { request: { url: 'x'.repeat(1025) } } }, 'match.request.url'],
    [{ match: { response: { status: [7] } } }, 'match.response.status'],
    [{ match: { response: { headers: [{ name: 'a', op: 'gt', value: '1' }] } } }, 'header operators'],
    [{ bypass: [{ name: 'ip', value: 'x' }] }, 'bypass names'],
    [{ action: undefined }, 'action.mode'],
    [{ action: { mode: 'explode' } }, 'action.mode'],
    [{ action: { mode: 'ban' } }, 'action.timeout must be from 1'],
    [{ action: { mode: 'simulate', timeout: 86_401 } }, 'action.timeout must be from 1 to 86400'],
    [{ action: { mode: 'ban', timeout: 59 } }, 'action.timeout is too low and must be at least the period'],
    [{ action: { mode: 'challenge', timeout: 60 } }, 'action.timeout cannot be given'],
    [
      { action: { mode: 'ban', timeout: 60, response: { content_type: 'text/html', body: '' } } },
      'action.response.content_type',
    ],
    [
      {
        action: {
          mode: 'ban',
          timeout: 60,
          response: { content_type: 'text/plain', body: 'x'.repeat(10_241) },
        },
      },
      'action.response.body',
    ],
    [{ correlate: { by: 'asn' } }, 'correlate.by'],
  ])('%j is refused with one message and no code', async (members, problem) => {
    const bench = await start();
    const reply = await bench.call('POST', bench.path, limit(members));
    expect([reply.status, reply.body.errors.length, reply.body.messages]).toEqual([400, 1, null]);
    expect(Object.keys(reply.body.errors[0] ?? {})).toEqual(['message']);
    expect(reply.body.errors[0]?.message).toContain(`ratelimit.api.validation_error:${problem}`);
    expect(await bench.ok('GET', bench.path)).toEqual([]);
  });

  test.each([
    [{ colour: 1 }, /unknown field "colour"/u],
    [{ threshold: '5' }, /field "threshold" of type integer/u],
    [{ match: { request: { verbs: [] } } }, /unknown field "verbs"/u],
  ])('%j is refused when the body is decoded', async (members, message) => {
    const bench = await start();
    expect(refusalOf(await bench.call('POST', bench.path, limit(members))).message).toMatch(message);
  });

  test.each([
    ['free', 1],
    ['pro', 10],
    ['business', 15],
    ['enterprise', 100],
  ])('on a %s zone number at most %i, but can be replaced at that number', async (plan, max) => {
    const bench = await start({ plan });
    for (let count = 0; count < max; count += 1) {
      await bench.ok('POST', bench.path, limit());
    }
    expect(refusalOf(await bench.call('POST', bench.path, limit()))).toEqual({
      status: 403,
      code: 10021,
      message: 'ratelimit.api.not_entitled.account',
      pointer: undefined,
    });
    const [first] = await bench.ok<readonly LimitView[]>('GET', bench.path);
    expect((await bench.call('PUT', `${bench.path}/${first?.id}`, limit())).status).toBe(200);
  });

  test('can be deleted but not changed while there are more than the plan allows', async () => {
    const bench = await start({ plan: 'free', more: { rate_limits: [limit(), limit()] } });
    const [first] = await bench.ok<readonly LimitView[]>('GET', bench.path);
    const path = `${bench.path}/${first?.id}`;
    expect(refusalOf(await bench.call('PUT', path, limit())).code).toBe(10021);
    await bench.ok('DELETE', path);
    expect(await bench.ok('GET', bench.path)).toHaveLength(1);
  });

  test('api.md 1.3: pages hold 1 to 1000', async () => {
    const bench = await start({ more: { rate_limits: [limit(), limit(), limit()] } });
    const reply = await bench.call<readonly unknown[]>('GET', `${bench.path}?per_page=2&page=2`);
    expect(reply.body.result_info).toMatchObject({ page: 2, count: 1, total_pages: 2 });
    expect((await bench.call('GET', `${bench.path}?per_page=0`)).status).toBe(400);
    expect((await bench.call('GET', `${bench.path}?per_page=1001`)).status).toBe(400);
  });
});
