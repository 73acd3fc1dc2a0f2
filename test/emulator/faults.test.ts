import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changes, effects } from '../../src/emulator/faults/read-faults.ts';
import { account, api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { Bench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const path = entryPoint(api, CUSTOM);

interface Logged {
  readonly at: string;
  readonly fault: string;
  readonly kind: string;
  readonly match: number;
  readonly detail?: string;
}

async function logOf(bench: Bench): Promise<readonly Logged[]> {
  return (await bench.control('GET', '/faults/log')).json() as Promise<readonly Logged[]>;
}

const refsOf = async (bench: Bench) =>
  (await bench.ok('GET', path)).rules?.map(({ ref, description }) => description ?? ref);

describe('which requests a fault strikes (field-notes 5, design 7)', () => {
  const effect = { kind: 'error', status: 503 };
  const asked = [
    ['GET', '/zones'],
    ['GET', path],
    ['PUT', path],
    ['GET', entryPoint(shop, 'http_ratelimit')],
    ['GET', path],
    ['GET', path],
    ['GET', path],
  ] as const;

  test.each([
    ['every one when nothing is said', {}, [1, 2, 3, 4, 5, 6, 7]],
    ['by method', { method: 'PUT' }, [3]],
    ['by several methods', { method: ['PUT', 'POST'] }, [3]],
    ['by a path', { path: '/zones' }, [1]],
    ['by a pattern with one segment', { path: '/zones/*/rulesets/phases/*/entrypoint' }, [2, 3, 4, 5, 6, 7]],
    ['by a pattern with any number of segments', { path: '/zones/**' }, [1, 2, 3, 4, 5, 6, 7]],
    ['by phase', { phase: CUSTOM }, [2, 3, 5, 6, 7]],
    ['the nth', { method: 'GET', path, nth: 2 }, [5]],
    ['some by number', { path, nth: [1, 4] }, [2, 6]],
    ['every third', { every: 3 }, [3, 6]],
    ['at most so many', { path, times: 2 }, [2, 3]],
    ['by a query parameter', { query: { page: '2' } }, []],
  ])('%s', async (_, when, struck) => {
    const bench = await startBench({ faults: { ...when, effect } });
    const statuses = [];
    for (const [method, where] of asked) {
      const body = method === 'PUT' ? { rules: [] } : undefined;
      statuses.push((await bench.call(method, where, body)).status);
    }
    expect(statuses.flatMap((status, index) => (status === 503 ? [index + 1] : []))).toEqual(struck);
  });

  test('by a query parameter with a given value, or with any value', async () => {
    const faults = [
      { query: { page: '2' }, effect: { kind: 'error', status: 501 } },
      { query: { name: '*' }, effect: { kind: 'error', status: 502 } },
    ];
    const bench = await startBench({ faults });
    const statuses = [];
    for (const query of ['', '?page=1', '?page=2', '?name=a']) {
      statuses.push((await bench.call('GET', `/zones${query}`)).status);
    }
    expect(statuses).toEqual([200, 200, 501, 502]);
  });

  test('by phase, when the request names a ruleset by id or creates one', async () => {
    const bench = await startBench();
    const { id } = await bench.ok('GET', path);
    await bench.control('POST', '/faults', { phase: CUSTOM, effect });
    expect((await bench.call('GET', `${api}/rulesets/${id}`)).status).toBe(503);
    const body = { name: 'n', kind: 'custom', phase: CUSTOM };
    expect((await bench.call('POST', `${api}/rulesets`, body)).status).toBe(503);
    const other = { name: 'n', kind: 'zone', phase: 'http_request_origin' };
    expect((await bench.call('POST', `${api}/rulesets`, other)).status).toBe(200);
  });
});

describe('answers that go wrong', () => {
  test('an error status with a code and a message, and nothing is stored', async () => {
    const effect = { kind: 'error', status: 500, code: 7, message: 'broken', headers: { 'X-Why': 'test' } };
    const bench = await startBench({ faults: { method: 'PUT', effect } });
    const before = bench.service.store.content();
    const reply = await bench.call('PUT', path, { rules: [] });
    expect(refusalOf(reply)).toMatchObject({ status: 500, code: 7, message: 'broken' });
    expect(reply.headers.get('x-why')).toBe('test');
    expect(bench.service.store.content()).toEqual(before);
  });

  test('a status after the change was stored', async () => {
    const effect = { kind: 'error', status: 524, moment: 'after' };
    const bench = await startBench({ faults: { method: 'PUT', effect } });
    expect((await bench.call('PUT', path, { rules: [] })).status).toBe(524);
    expect((await bench.ok('GET', path)).rules).toBeUndefined();
  });

  test('success: false with status 200, and an empty list of errors', async () => {
    const effect = { kind: 'error', status: 200, errors: [] };
    const bench = await startBench({ faults: { effect } });
    const reply = await bench.call('GET', path);
    expect([reply.status, reply.body]).toEqual([
      200,
      { result: null, success: false, errors: [], messages: [] },
    ]);
  });

  test('a page of HTML before or after the change', async () => {
    const faults = [
      { method: 'GET', effect: { kind: 'html', status: 520, text: '<html>edge</html>' } },
      { method: 'PUT', effect: { kind: 'html', moment: 'after' } },
    ];
    const bench = await startBench({ faults });
    await expect(bench.call('GET', path)).rejects.toThrow(/JSON/u);
    await expect(bench.call('PUT', path, { rules: [] })).rejects.toThrow(/JSON/u);
    const statuses = bench.service.requests.map(({ status, wrote }) => [status, wrote]);
    expect(statuses).toEqual([
      [520, false],
      [502, true],
    ]);
  });

  test('a truncated body on a connection that is kept', async () => {
    const effect = { kind: 'truncate', connection: 'kept', bytes: 20 };
    const bench = await startBench({ faults: { nth: 1, effect } });
    await expect(bench.call('GET', path)).rejects.toThrow(/JSON/u);
    expect((await bench.call('GET', path)).status).toBe(200);
  });

  test('unknown members in rulesets, rules and zones', async () => {
    const bench = await startBench({ faults: { effect: { kind: 'unknown_fields', fields: { x_new: 1 } } } });
    const ruleset = await bench.ok('GET', path);
    expect(ruleset).toMatchObject({ x_new: 1, rules: [{ x_new: 1 }, { x_new: 1 }] });
    expect(await bench.ok('GET', '/zones')).toMatchObject([{ x_new: 1 }, { x_new: 1 }, { x_new: 1 }]);
  });

  test('a ruleset without its rules, or without the members that the fault names', async () => {
    const bench = await startBench({ faults: { effect: { kind: 'missing' } } });
    expect(await bench.ok('GET', path)).not.toHaveProperty('rules');
    const named = await startBench({ faults: { effect: { kind: 'missing', members: ['version'] } } });
    expect(await named.ok('GET', path)).not.toHaveProperty('version');
  });

  test('a ruleset that says that it has no rules', async () => {
    const bench = await startBench({ faults: { method: 'GET', nth: 1, effect: { kind: 'emptied' } } });
    expect(await bench.ok('GET', path)).toHaveProperty('rules', []);
    expect((await bench.ok('GET', path)).rules).not.toEqual([]);
  });

  test('a read of the version before the latest, alone or in a list, but not the answer to a write', async () => {
    const bench = await startBench();
    const old = await bench.ok('GET', path);
    await bench.ok('PUT', path, { rules: [] });
    await bench.control('POST', '/faults', { effect: { kind: 'stale' } });
    expect((await bench.ok('GET', path)).version).toBe(old.version);
    const list = await bench.ok<readonly (typeof old)[]>('GET', `${api}/rulesets`);
    expect(list.find(({ id }) => id === old.id)?.version).toBe(old.version);
    expect((await bench.ok('PUT', path, { rules: [] })).version).toBe('11');
  });

  test('a request that arrives twice', async () => {
    const bench = await startBench({ faults: { method: 'POST', effect: { kind: 'twice' } } });
    const { id } = await bench.ok('GET', path);
    const made = await bench.ok('POST', `${api}/rulesets/${id}/rules`, blockRule());
    expect([made.version, made.rules?.length]).toEqual(['11', 4]);
  });
});

describe('too many requests (api.md 1.7)', () => {
  test('one 429, with and without Retry-After', async () => {
    const faults = [
      { nth: 1, effect: { kind: 'limit', retry_after: 17 } },
      { nth: 2, effect: { kind: 'limit' } },
    ];
    const bench = await startBench({ faults });
    const replies = [];
    for (let count = 0; count < 3; count += 1) {
      replies.push(await bench.call('GET', '/zones'));
    }
    expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '17'],
      [429, null],
      [200, null],
    ]);
  });

  test('a limit for a time refuses every request until that time is over', async () => {
    const effect = { kind: 'limit', seconds: 300, retry_after: 300 };
    const bench = await startBench({ faults: { method: 'PUT', nth: 1, effect } });
    expect((await bench.call('GET', path)).status).toBe(200);
    expect((await bench.call('PUT', path, { rules: [] })).headers.get('retry-after')).toBe('300');
    bench.clock.advance(299_000);
    const late = await bench.call('GET', path);
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
    bench.clock.advance(1000);
    expect((await bench.call('PUT', path, { rules: [] })).status).toBe(200);
    expect((await logOf(bench)).map(({ match }) => match)).toEqual([1, 0]);
  });

  test('a limit for a time answers its own Retry-After, or the remaining time once that is shorter', async () => {
    const effect = { kind: 'limit', seconds: 60, retry_after: 5 };
    const bench = await startBench({ faults: { nth: 1, effect } });
    const waits = [];
    for (const seconds of [0, 54, 3]) {
      bench.clock.advance(seconds * 1000);
      waits.push((await bench.call('GET', '/zones')).headers.get('retry-after'));
    }
    expect(waits).toEqual(['5', '5', '3']);
  });

  test('a limit for a time without Retry-After answers none', async () => {
    const bench = await startBench({ faults: { nth: 1, effect: { kind: 'limit', seconds: 60 } } });
    for (let count = 0; count < 2; count += 1) {
      const { status, headers } = await bench.call('GET', '/zones');
      expect([status, headers.get('retry-after')]).toEqual([429, null]);
    }
  });
});

describe('time', () => {
  test('a delay advances the clock of the service without waiting', async () => {
    const bench = await startBench({ faults: { effect: { kind: 'delay', seconds: 3600 } } });
    await bench.call('GET', '/zones');
    expect(new Date(bench.clock.now()).toISOString()).toBe('2026-03-04T06:06:07.000Z');
  });

  test('a delay in real time leaves the clock of the service alone', async () => {
    const bench = await startBench({ faults: { effect: { kind: 'delay', milliseconds: 1, real: true } } });
    expect((await bench.call('GET', '/zones')).status).toBe(200);
    expect(new Date(bench.clock.now()).toISOString()).toBe('2026-03-04T05:06:07.000Z');
  });

  test('a delay logs that an injected clock cannot be set', async () => {
    const faults = { effect: { kind: 'delay', seconds: 1 } };
    const bench = await startBench({ faults, clock: { now: () => 0 } });
    await bench.call('GET', '/zones');
    expect(await logOf(bench)).toMatchObject([{ kind: 'delay', detail: 'this clock cannot be set' }]);
  });

  test('a token is refused until it has spread, counted from its first request', async () => {
    const bench = await startBench({ faults: { effect: { kind: 'spread', seconds: 5 } } });
    expect(refusalOf(await bench.call('GET', '/zones'))).toMatchObject({ status: 403, code: 10000 });
    bench.clock.advance(4999);
    expect((await bench.call('GET', '/zones')).status).toBe(403);
    bench.clock.advance(1);
    expect((await bench.call('GET', '/zones')).status).toBe(200);
    const other = { authorization: 'Bearer another-token' };
    expect(refusalOf(await bench.call('GET', '/zones', undefined, other)).code).toBe(10000);
  });
});

describe('an edit by somebody else', () => {
  const edited = (change: unknown, more: object = {}) => ({
    method: 'PUT',
    path,
    nth: 1,
    effect: { kind: 'edit', change, ...more },
  });

  test.each([
    [
      'adds a rule',
      { kind: 'add', rule: blockRule({ description: 'theirs' }), position: { before: '' } },
      ['theirs', 'Only JSON clients', 'Hosting networks'],
    ],
    [
      'changes a rule by description',
      { kind: 'patch', rule: 'Hosting networks', set: { description: 'Changed' } },
      ['Only JSON clients', 'Changed'],
    ],
    ['deletes a rule by place', { kind: 'delete', rule: '1' }, ['Hosting networks']],
    [
      'moves a rule by ref',
      { kind: 'move', rule: 'challenge-unknown-networks', position: { before: '' } },
      ['Hosting networks', 'Only JSON clients'],
    ],
  ])('%s before the request is processed', async (_, change, rules) => {
    const bench = await startBench({ faults: edited(change) });
    const put = await bench.ok('PUT', path, { description: 'Ours' });
    expect([put.version, put.description]).toEqual(['11', 'Ours']);
    expect(await refsOf(bench)).toEqual(rules);
    expect((await logOf(bench))[0]?.detail).toMatch(/: 200$/u);
  });

  test('happens after the request, so that the answer does not show it', async () => {
    const bench = await startBench({ faults: edited({ kind: 'delete', rule: '1' }, { moment: 'after' }) });
    const put = await bench.ok('PUT', path, { description: 'Ours' });
    expect([put.version, put.rules?.length]).toEqual(['10', 2]);
    expect(await refsOf(bench)).toEqual(['Hosting networks']);
    expect(await logOf(bench)).toMatchObject([{ kind: 'edit', match: 1 }]);
  });

  test('changes another ruleset, given by zone name and phase', async () => {
    const change = { kind: 'delete', rule: 'login-attempts' };
    const effect = { kind: 'edit', scope: 'shop.example', phase: 'http_ratelimit', change };
    const bench = await startBench({ faults: { path: '/zones', effect } });
    await bench.call('GET', '/zones');
    expect((await bench.ok('GET', entryPoint(shop, 'http_ratelimit'))).rules).toBeUndefined();
  });

  test('creates a ruleset between two pages of a list, or deletes one before the list is read', async () => {
    const list = `${api}/rulesets?per_page=5`;
    const first = await startBench();
    const { result, result_info } = (await first.call<readonly { id: string }[]>('GET', list)).body;
    await first.control('POST', '/faults', {
      query: { cursor: '*' },
      nth: 1,
      effect: {
        kind: 'edit',
        change: {
          kind: 'create_ruleset',
          ruleset: { name: 'Theirs', kind: 'zone', phase: 'http_request_origin' },
        },
      },
    });
    const names = [];
    let cursor = result_info?.['cursor'];
    while (typeof cursor === 'string') {
      const page = await first.call<readonly { id: string; phase: string }[]>(
        'GET',
        `${list}&cursor=${cursor}`,
      );
      names.push(...page.body.result.map(({ phase }) => phase));
      cursor = page.body.result_info?.['cursor'];
    }
    expect(result).toHaveLength(5);
    expect(names).toContain('http_request_origin');

    const effect = { kind: 'edit', change: { kind: 'delete_ruleset' }, phase: CUSTOM };
    await first.control('POST', '/faults', { path: `${api}/rulesets`, effect });
    const left = await first.ok<readonly { kind: string; phase: string }[]>('GET', `${api}/rulesets`);
    expect(left.some(({ kind, phase }) => kind === 'zone' && phase === CUSTOM)).toBe(false);
  });

  test('sends any request, which the request log does not show', async () => {
    const change = { kind: 'request', method: 'PUT', path: entryPoint(shop, CUSTOM), body: { rules: [] } };
    const bench = await startBench({ faults: { path: '/zones', nth: 1, effect: { kind: 'edit', change } } });
    await bench.call('GET', '/zones');
    expect((await bench.ok('GET', entryPoint(shop, CUSTOM))).rules).toBeUndefined();
    expect(bench.service.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('sends a list as body, as additions to a list take one', async () => {
    const bench = await startBench();
    const lists = `${account}/rules/lists`;
    const { id } = await bench.ok<{ id: string }>('POST', lists, { name: 'theirs', kind: 'asn' });
    const change = { kind: 'request', method: 'POST', path: `${lists}/${id}/items`, body: [{ asn: 64_496 }] };
    await bench.control('POST', '/faults', { path: '/zones', nth: 1, effect: { kind: 'edit', change } });
    await bench.call('GET', '/zones');
    expect((await logOf(bench))[0]?.detail).toMatch(/: 200$/u);
  });

  test.each([
    [{ kind: 'delete', rule: 'nobody' }, {}, 'there is no rule nobody'],
    [
      { kind: 'delete', rule: '1' },
      { scope: 'nowhere.example' },
      'there is no zone or account nowhere.example',
    ],
    [{ kind: 'delete', rule: '1' }, { phase: 'http_request_origin' }, 'there is no such ruleset'],
    [{ kind: 'add', rule: { action: 'block' } }, {}, /: 400 .*expression cannot be blank/u],
    [{ kind: 'request', method: 'GET', path: '/nowhere' }, {}, /: 400 .*No route/u],
  ])('changes nothing and logs why when it is not possible: %j %j', async (change, more, detail) => {
    const bench = await startBench({ faults: edited(change, more) });
    expect((await bench.ok('PUT', path, { description: 'Ours' })).version).toBe('10');
    expect((await logOf(bench))[0]?.detail).toMatch(detail);
  });
});

describe('several faults', () => {
  test('strike one request in order until one answers, and the log omits those after it', async () => {
    const faults = [
      { name: 'slow', effect: { kind: 'delay', seconds: 2 } },
      { name: 'down', nth: 1, effect: { kind: 'error', status: 503 } },
      { name: 'never', nth: 1, effect: { kind: 'error', status: 500 } },
    ];
    const bench = await startBench({ faults });
    expect((await bench.call('GET', '/zones')).status).toBe(503);
    expect(await logOf(bench)).toEqual([
      {
        at: '2026-03-04T05:06:09.000Z',
        fault: 'slow',
        kind: 'delay',
        method: 'GET',
        path: '/zones',
        match: 1,
      },
      {
        at: '2026-03-04T05:06:09.000Z',
        fault: 'down',
        kind: 'error',
        method: 'GET',
        path: '/zones',
        match: 1,
      },
    ]);
    expect(bench.service.requests).toMatchObject([{ status: 503, faults: ['slow', 'down'] }]);
  });

  test('that apply after the work of the service are logged only if that work was done', async () => {
    const faults = [
      { name: 'spoilt', effect: { kind: 'error', status: 500, moment: 'after' } },
      { name: 'cut short', effect: { kind: 'truncate', connection: 'kept' } },
      {
        name: 'colleague',
        effect: { kind: 'edit', moment: 'after', change: { kind: 'delete', rule: '1' } },
      },
      { name: 'down', nth: 1, effect: { kind: 'error', status: 503 } },
    ];
    const bench = await startBench({ faults });
    expect((await bench.call('GET', path)).status).toBe(503);
    expect((await logOf(bench)).map(({ fault }) => fault)).toEqual(['down']);
    expect(bench.service.requests).toMatchObject([{ status: 503, faults: ['down'] }]);
  });
});

describe('the control endpoints', () => {
  test('add faults, show them with counters, remove one, and remove all', async () => {
    const bench = await startBench();
    const added = await bench.control('POST', '/faults', {
      faults: [
        { name: 'one', path: '/zones', effect: { kind: 'error', status: 500 }, times: 1 },
        { method: 'GET', path: '/accounts', effect: { kind: 'stale' } },
      ],
    });
    expect(await added.json()).toEqual(['one', 'stale GET /accounts']);
    await bench.call('GET', '/zones');
    await bench.call('GET', '/zones');
    const shown = await bench.control('GET', '/faults');
    expect(await shown.json()).toMatchObject([
      {
        name: 'one',
        path: '/zones',
        times: 1,
        effect: { kind: 'error', status: 500 },
        matched: 2,
        struck: 1,
      },
      { name: 'stale GET /accounts', methods: ['GET'], matched: 0, struck: 0 },
    ]);
    expect((await bench.control('DELETE', '/faults/nobody')).status).toBe(404);
    expect((await bench.control('DELETE', '/faults/one')).status).toBe(200);
    expect(await (await bench.control('GET', '/faults')).json()).toHaveLength(1);
    await bench.control('DELETE', '/faults');
    expect(await (await bench.control('GET', '/faults')).json()).toEqual([]);
  });

  test('clear the log, and restore the initial faults on reset', async () => {
    const bench = await startBench({ faults: { nth: 1, effect: { kind: 'error', status: 500 } } });
    await bench.call('GET', '/zones');
    expect(await logOf(bench)).toHaveLength(1);
    await bench.control('DELETE', '/faults/log');
    expect(await logOf(bench)).toEqual([]);
    await bench.control('POST', '/faults', { effect: { kind: 'error', status: 501 } });
    await bench.control('POST', '/reset');
    expect((await bench.call('GET', '/zones')).status).toBe(500);
    expect((await bench.call('GET', '/zones')).status).toBe(200);
  });

  test.each([
    [undefined, /expected a fault, a list/u],
    ['x', /expected a fault, a list/u],
    [{ faults: 'x' }, /expected a fault, a list/u],
    [{ rules: [] }, /expected a fault, a list/u],
    [[{}], /\/faults\/0.*effect.*required/u],
    [[1], /\/faults\/0/u],
    [[{ effect: { kind: 'melt' } }], /\/faults\/0\/effect\/kind: expected one of error, delay/u],
    [[{ effect: { kind: 'error' } }], /\/faults\/0\/effect\/status/u],
    [[{ effect: { kind: 'error', status: 99 } }], /\/faults\/0\/effect\/status/u],
    [[{ effect: { kind: 'cut' }, metod: 'GET' }], /\/faults\/0: unknown field "metod"/u],
    [[{ effect: { kind: 'cut', momen: 'after' } }], /\/faults\/0\/effect: unknown field "momen"/u],
    [[{ effect: { kind: 'cut', moment: 'late' } }], /\/faults\/0\/effect\/moment/u],
    [[{ effect: { kind: 'cut' }, method: 'HEAD' }], /\/faults\/0\/method/u],
    [[{ effect: { kind: 'cut' }, path: 'zones' }], /\/faults\/0\/path/u],
    [[{ effect: { kind: 'cut' }, nth: 0 }], /\/faults\/0\/nth/u],
    [[{ effect: { kind: 'cut' }, nth: [1, 'x'] }], /\/faults\/0\/nth/u],
    [[{ effect: { kind: 'delay' } }], /exactly one of seconds, milliseconds/u],
    [[{ effect: { kind: 'edit', change: { kind: 'burn' } } }], /\/faults\/0\/effect\/change\/kind/u],
    [[{ effect: { kind: 'edit', change: { kind: 'patch', rule: 'a' } } }], /\/change\/set/u],
    [
      [{ effect: { kind: 'cut' } }, { effect: {} }, { effect: { kind: 'spread' } }],
      /\/faults\/1.*\/faults\/2/u,
    ],
  ])('refuse an invalid fault and name every error: %j', async (body, says) => {
    const bench = await startBench();
    const response = await bench.control('POST', '/faults', body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toMatch(says);
    expect(bench.service.faults.all()).toEqual([]);
  });
});

describe('a fault file', () => {
  async function withFile(name: string, text: string | Buffer): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'emulator-faults-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, name), text);
    return join(folder, name);
  }

  test('can be YAML', async () => {
    const file = await withFile(
      'faults.yaml',
      'faults:\n  - name: down # for a while\n    path: /zones\n    effect: { kind: error, status: 503 }\n',
    );
    const bench = await startBench({ faults: file });
    expect((await bench.call('GET', '/zones')).status).toBe(503);
  });

  test('can be JSON', async () => {
    const file = await withFile(
      'faults.json',
      '[{"path": "/zones", "effect": {"kind": "error", "status": 503}}]',
    );
    const bench = await startBench({ faults: file });
    expect((await bench.call('GET', '/zones')).status).toBe(503);
  });

  test.each([
    ['not YAML', 'faults: [', /faults\.yaml is not YAML/u],
    ['nothing', '', /faults\.yaml cannot be used/u],
    [
      'wrong',
      'faults:\n  - effect: { kind: cut }\n  - effect: { kind: melt }\n',
      /faults\.yaml cannot be used:\n {2}\/faults\/1/u,
    ],
    ['an alias bomb', `a: &a [x, x]\nb: &b [${'*a, '.repeat(60)}]\nc: [${'*b, '.repeat(60)}]\n`, /alias/u],
  ])('that is %s is refused with the reason', async (_, text, says) => {
    await expect(startBench({ faults: await withFile('faults.yaml', text) })).rejects.toThrow(says);
  });

  test('that does not exist is refused with its path', async () => {
    await expect(startBench({ faults: '/nowhere/faults.yaml' })).rejects.toThrow(
      'the fault file /nowhere/faults.yaml does not exist',
    );
  });

  test('that is a pipe is refused without waiting for it', async () => {
    const faults = join(dirname(await withFile('faults.yaml', '')), 'pipe');
    execFileSync('mkfifo', [faults]);
    await expect(startBench({ faults })).rejects.toThrow(`the fault file ${faults} is not a regular file`);
  });

  test('that is not UTF-8 is refused with the position of the first invalid byte', async () => {
    const faults = await withFile('faults.yaml', Buffer.from('# caf\u{e9}\nfaults: []\n', 'latin1'));
    await expect(startBench({ faults })).rejects.toThrow(
      'is not UTF-8 text: the byte 0xE9 is not UTF-8 (line 1, column 6)',
    );
  });
});

test('the kinds of effects and changes are known: a new one needs a test here or over the wire', () => {
  expect(Object.keys(effects)).toEqual([
    'error',
    'delay',
    'cut',
    'html',
    'truncate',
    'slow',
    'limit',
    'edit',
    'spread',
    'unknown_fields',
    'missing',
    'emptied',
    'stale',
    'twice',
  ]);
  expect(Object.keys(changes)).toEqual([
    'add',
    'patch',
    'delete',
    'move',
    'create_ruleset',
    'delete_ruleset',
    'request',
  ]);
});
