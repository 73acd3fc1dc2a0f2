import { describe, expect, test } from 'vitest';
import { checkExpectation } from '../../src/simulate/check-expectation.ts';
import type { TestExpectation } from '../../src/simulate/check-expectation.ts';
import { checkNames, checkTestNames } from '../../src/simulate/check-test-names.ts';
import { entry, execute, log, rule, send, skip, zone } from './build.ts';
import { CACHE, HEADERS, MANAGED, RATE, RESPONSE_HEADERS, TRANSFORM } from './phases.ts';

const SCOPE = zone(
  entry(
    [rule('rewrite', { action: 'rewrite', action_parameters: { uri: { path: { value: '/new' } } } })],
    TRANSFORM,
  ),
  entry([
    log('note'),
    skip('vip', { phases: [RATE] }),
    rule('missed', { expression: 'not true' }),
    rule('odd', { expression: 'http.host eq "a" and', enabled: false }),
  ]),
  entry([rule('limit', { ratelimit: { requests_per_period: 1 } })], RATE),
  entry([execute('managed', 'managed:x')], MANAGED),
  entry(
    [
      rule('header', {
        action: 'rewrite',
        action_parameters: { headers: { 'X-A': { operation: 'set', value: '1' } } },
      }),
    ],
    HEADERS,
  ),
  entry(
    [
      rule('cache', {
        action: 'set_cache_settings',
        action_parameters: { cache: false, edge_ttl: { mode: 'x' } },
      }),
    ],
    CACHE,
  ),
  entry(
    [
      rule('answer', {
        action: 'rewrite',
        action_parameters: { headers: { 'X-B': { operation: 'set', value: '2' } } },
      }),
    ],
    RESPONSE_HEADERS,
  ),
);
const PASSED = send([SCOPE], { request: '/old?a=1', response: { status: 200 } });
const BLOCKED = send([zone(entry([log('note'), rule('wall'), log('behind')]))]);

const keys = (expectation: TestExpectation, way = PASSED): readonly string[] =>
  checkExpectation(expectation, way).map(({ key }) => key);

describe('expectations that hold', () => {
  test.each<TestExpectation>([
    { action: 'none' },
    { action: 'none', phase: RATE },
    { action: 'none', rule: 'missed' },
    { action: 'log' },
    { action: 'log', rule: 'note' },
    { rule: 'vip' },
    { phase: TRANSFORM },
    { action: 'rewrite', rule: 'header', phase: HEADERS },
    { rules: { note: 'matched', missed: 'missed', limit: 'skipped', managed: 'opaque', odd: 'disabled' } },
    { url: '/new?a=1' },
    { url: 'https://shop.example/new?a=1' },
    { headers: { 'x-a': '1', 'X-C': null } },
    { response_headers: { 'X-B': ['2'], 'x-a': null } },
    { settings: { cache: false, edge_ttl: { mode: 'x' } } },
    { status: 200 },
  ])('report nothing about a request that passes: %j', (expectation) => {
    expect(keys(expectation)).toEqual([]);
  });

  test.each<TestExpectation>([
    { action: 'block' },
    { action: 'block', rule: 'wall', status: 403 },
    { rules: { wall: 'matched', behind: 'unreached', elsewhere: 'unreached' } },
    { action: 'log' },
  ])('report nothing about a blocked request: %j', (expectation) => {
    expect(keys(expectation, BLOCKED)).toEqual([]);
  });
});

describe('expectations that do not hold', () => {
  test.each<[TestExpectation, readonly string[]]>([
    [{ action: 'none', phase: TRANSFORM }, ['action']],
    [{ action: 'none', rule: 'note' }, ['action']],
    [{ action: 'block' }, ['action']],
    [{ action: 'log', rule: 'vip' }, ['rule']],
    [{ action: 'log', phase: TRANSFORM }, ['action']],
    [{ rule: 'limit' }, ['rule']],
    [
      { rules: { note: 'missed', limit: 'matched', nowhere: 'missed' } },
      ['rules.note', 'rules.limit', 'rules.nowhere'],
    ],
    [{ url: '/old?a=1' }, ['url']],
    [{ headers: { 'x-a': '2', host: null } }, ['headers.x-a', 'headers.host']],
    [{ response_headers: { 'x-b': null } }, ['response_headers.x-b']],
    [{ settings: { cache: true, ssl: 'strict' } }, ['settings.cache', 'settings.ssl']],
    [{ location: 'https://x.example/' }, ['location']],
    [{ status: 403 }, ['status']],
  ])('report the failed keys for a request that passes: %j', (expectation, expected) => {
    expect(keys(expectation)).toEqual(expected);
  });

  test.each<[TestExpectation, readonly string[]]>([
    [{ action: 'none' }, ['action']],
    [{ action: 'managed_challenge' }, ['action']],
    [{ rule: 'behind' }, ['rule']],
    [{ response_headers: { a: 'b' } }, ['response_headers']],
  ])('report the failed keys for a blocked request: %j', (expectation, expected) => {
    expect(keys(expectation, BLOCKED)).toEqual(expected);
  });

  test('say what happened instead', () => {
    expect(checkExpectation({ action: 'skip', rule: 'behind' }, BLOCKED)).toEqual([
      {
        key: 'rule',
        message:
          'expected skip by behind, but it is not reached: wall ends it; the request ends at wall (block) in http_request_firewall_custom',
      },
    ]);
  });
});

describe('a rule that cannot be evaluated', () => {
  const way = send([zone(entry([rule('odd', { expression: 'http.host eq' })]))]);

  test('fails a test that does not expect it', () => {
    expect(keys({ action: 'none' }, way)).toEqual(['rules']);
  });

  test('fails no test that expects the verdict undecided', () => {
    expect(keys({ action: 'none', rules: { odd: 'undecided' } }, way)).toEqual([]);
  });
});

describe('names in tests', () => {
  const check = (expectation: TestExpectation, response?: { status: number }) =>
    checkNames({ expect: expectation, ...(response === undefined ? {} : { response }) }, [SCOPE], ['t']);

  test.each<[TestExpectation, string, string | undefined]>([
    [{ rule: 'limt' }, 'test/unknown-rule t.expect.rule', 'did you mean `limit`?'],
    [{ rules: { nte: 'matched' } }, 'test/unknown-rule t.expect.rules.nte', 'did you mean `note`?'],
    [{ phase: 'http_ratelimt' }, 'test/unknown-phase t.expect.phase', 'did you mean `http_ratelimit`?'],
    [{ response_headers: { a: 'b' } }, 'test/needs-response t.expect.response_headers', undefined],
  ])('are reported if they are unknown or need a response: %j', (expectation, problem, hint) => {
    const [found] = check(expectation);
    expect(`${found?.code} ${found?.path.join('.')}`).toBe(problem);
    expect(hint === undefined ? undefined : found?.hint).toBe(hint);
  });

  test('are accepted if they exist; a rule without a ref goes by its description', () => {
    expect(check({ rule: 'limit', phase: RATE, response_headers: { a: 'b' } }, { status: 200 })).toEqual([]);
    const scope = zone(entry([{ content: { ...rule('x').content, description: 'No robots' } }]));
    expect(checkNames({ expect: { rule: 'No robots' } }, [scope], [])).toEqual([]);
  });

  test('are reported if another test has the same name', () => {
    const one = { name: 'a', request: '/', expect: { action: 'none' as const } };
    expect(checkTestNames([one, { ...one, name: 'b' }, one]).map(({ path }) => path)).toEqual([
      ['tests', 2, 'name'],
    ]);
  });
});
