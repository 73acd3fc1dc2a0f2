import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/expression/public.ts';
import {
  convertRateLimit,
  rateLimitRef,
  requestExpression,
  responseExpression,
  convertRateLimits,
  planRateLimitRetirement,
} from '../../../src/legacy/rate-limits/rate-limits-conversion.ts';
import { checkRateLimits } from '../../../src/legacy/rate-limits/rate-limits-equivalence.ts';
import type { OldRateLimit } from '../../../src/legacy/conversion.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import { propertyRuns } from '../../property-runs.ts';
import { customRule, id } from '../firewall/old-firewall.ts';

function limit(more: Partial<OldRateLimit> = {}): OldRateLimit {
  return {
    id: id('rule', 1),
    disabled: false,
    description: '',
    threshold: 5,
    period: 60,
    request: { methods: ['_ALL_'], schemes: ['_ALL_'], url: 'shop.example/login' },
    response: { statuses: [], originTraffic: true, headers: [] },
    bypassUrls: [],
    action: { mode: 'ban', timeout: 600, response: null },
    correlateBy: null,
    ...more,
  };
}

function request(
  url: string,
  methods: readonly string[] = ['_ALL_'],
  schemes: readonly string[] = ['_ALL_'],
) {
  return { request: { url, methods, schemes } };
}

describe('the expression of an old rate limit', () => {
  test.each([
    ['*', 'true'],
    ['', 'true'],
    ['*/login', 'http.request.uri.path eq "/login"'],
    ['Shop.example/*', 'lower(http.host) eq "shop.example"'],
    [
      '*.shop.example/a*',
      'http.host wildcard "*.shop.example" and http.request.uri.path strict wildcard "/a*"',
    ],
    [
      'https://shop.example/login',
      'ssl and lower(http.host) eq "shop.example" and http.request.uri.path eq "/login"',
    ],
    ['shop.example/a"b\\c', 'lower(http.host) eq "shop.example" and http.request.uri.path eq "/a\\"b\\\\c"'],
  ])('matches the URL pattern %s', (url, expression) => {
    expect(requestExpression(limit(request(url)))).toBe(expression);
    expect(parseExpression(expression)).toMatchObject({ ok: true });
  });

  test('includes methods and schemes, and excludes the URLs that bypass the limit', () => {
    const old = limit({ ...request('*', ['POST', 'PUT'], ['HTTP']), bypassUrls: ['shop.example/status'] });
    expect(requestExpression(old)).toBe(
      'http.request.method in {"POST" "PUT"} and not ssl and not (lower(http.host) eq "shop.example" and http.request.uri.path eq "/status")',
    );
  });

  test('of responses includes status codes and headers', () => {
    const response = {
      statuses: [401, 403],
      originTraffic: true,
      headers: [{ name: 'CF-Cache-Status', op: 'ne', value: 'HIT' }],
    };
    const text = responseExpression(limit({ response })) ?? '';
    expect(text).toBe(
      'http.response.code in {401 403} and not any(http.response.headers["cf-cache-status"][*] eq "HIT")',
    );
    expect(parseExpression(text)).toMatchObject({ ok: true });
  });
});

describe('the rule made from an old rate limit', () => {
  test('has the same settings if the plan allows them', () => {
    expect(convertRateLimit(limit(), 'enterprise')).toMatchObject({
      ref: rateLimitRef(id('rule', 1)),
      content: {
        action: 'block',
        enabled: true,
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 60,
          requests_per_period: 5,
          mitigation_timeout: 600,
          requests_to_origin: true,
        },
      },
      notes: [],
    });
  });

  test.each([
    ['the period', limit({ period: 90 }), 'its period of 90 s becomes 60 s'],
    ['the plan', limit({ period: 600 }), 'its period of 600 s becomes 60 s'],
    [
      'the timeout',
      limit({ action: { mode: 'ban', timeout: 700, response: null } }),
      'timeout of 700 s becomes 600 s',
    ],
    ['the visitor', limit({ correlateBy: 'nat' }), 'told apart by a cookie'],
    [
      'the log, which the plan lacks',
      limit({ action: { mode: 'simulate', timeout: 600, response: null } }),
      'needs the Enterprise plan',
    ],
    [
      'the response of a challenge',
      limit({
        action: { mode: 'challenge', timeout: 0, response: { contentType: 'text/plain', body: 'x' } },
      }),
      'its response is gone',
    ],
  ])('notes what is lost: %s', (_, old, message) => {
    expect(convertRateLimit(old, 'pro')).toMatchObject({
      notes: [{ kind: 'not-same', message: expect.stringContaining(message) }],
    });
  });

  test('does not exist for an unknown mode', () => {
    const old = limit({ action: { mode: 'tarpit', timeout: 1, response: null } });
    expect(convertRateLimit(old, 'pro')).toMatchObject({ kind: 'left' });
  });

  test('is refused if a live rule that no conversion made has the same effect', () => {
    const converted = convertRateLimit(limit(), 'pro');
    const twin = converted.kind === 'converted' ? [customRule(1, converted.content)] : [];
    expect(convertRateLimits([limit()], twin, 'pro')).toMatchObject({ kind: 'refused' });
  });
});

test('retires only rate limits whose converted rule is live and equal', () => {
  const equal = limit();
  const other = limit({ id: id('rule', 2), threshold: 9 });
  const absent = limit({ id: id('rule', 3), threshold: 7 });
  const rules = [equal, other].flatMap((old): readonly LiveRule[] => {
    const converted = convertRateLimit(old, 'pro');
    const content = converted.kind === 'converted' ? converted.content : {};
    return [customRule(1, { ...content, enabled: old === equal }, rateLimitRef(old.id))];
  });
  const result = planRateLimitRetirement({
    baseUrl: 'http://service.example',
    scope: { kind: 'zone', id: id('custom', 9), name: 'shop.example', accountId: '', plan: 'pro' },
    limits: [equal, other, absent],
    entrypoint: {
      id: id('custom', 8),
      name: 'default',
      description: '',
      kind: 'zone',
      phase: 'http_ratelimit',
      version: '2',
      lastUpdated: '',
      rules,
    },
  });
  expect(result).toMatchObject({
    plan: {
      steps: [{ target: { kind: 'rate_limit', id: equal.id } }],
      kept: [{ target: { id: other.id } }, { target: { id: absent.id } }],
    },
  });
});

describe('the equivalence of an old rate limit and its rule', () => {
  const methods = fc.subarray(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', '_ALL_']);
  const schemes = fc.constantFrom(['_ALL_'], ['HTTP'], ['HTTPS'], ['HTTP', 'HTTPS'], []);
  const piece = fc.constantFrom('*', '**', 'a', 'B', '.', '-', '"', '\\', 'ä', ' ', '%20');
  const path = fc.array(fc.oneof(piece, fc.constant('/'))).map((parts) => `/${parts.join('')}`);
  const host = fc.constantFrom('*', '*.shop.example', 'Shop.example', '*shop*', 'shop.example', '');
  const url = fc
    .tuple(fc.constantFrom('', 'http://', 'https://', '*://'), host, fc.oneof(path, fc.constant('')))
    .map((parts) => parts.join(''));
  const limits = fc
    .record({ url, methods, schemes, bypassUrls: fc.array(url, { maxLength: 2 }) })
    .map(({ bypassUrls, ...about }) => limit({ request: about, bypassUrls }));

  test('holds for every request, whatever the rate limit matches', () => {
    fc.assert(
      fc.property(limits, (old) => {
        const converted = convertRateLimit(old, 'enterprise');
        if (converted.kind !== 'converted') {
          throw new Error(converted.reason);
        }
        expect(checkRateLimits([converted]).differences).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test.each(['http.request.method eq "POST"', 'http.host wildcard "*.example"', 'ssl'])(
    'is refuted if the rule lacks a condition and only keeps %s',
    (expression) => {
      const old = limit(request('*.example/login', ['POST'], ['HTTPS']));
      const content = { action: 'block', expression, description: '', enabled: true };
      const { differences } = checkRateLimits([{ kind: 'converted', old, ref: 'one', content, notes: [] }]);
      expect(differences).not.toEqual([]);
    },
  );
});

test('drops what the plan does not allow only if --fit-plan asks for it, and notes the loss either way', () => {
  const old = limit({
    correlateBy: 'nat',
    response: { statuses: [401], originTraffic: true, headers: [] },
  });
  const whole = convertRateLimit(old, 'pro');
  expect(whole).toMatchObject({
    content: { ratelimit: { characteristics: ['cf.colo.id', 'cf.unique_visitor_id'] } },
    notes: [
      { message: expect.stringContaining('--fit-plan') },
      { message: expect.stringContaining('--fit-plan') },
    ],
  });
  expect(convertRateLimit(old, 'business', 'plan')).toMatchObject({
    content: { ratelimit: { counting_expression: expect.stringContaining('401') } },
  });
  const fitted = convertRateLimit(old, 'pro', 'plan');
  expect(fitted).toMatchObject({
    content: { ratelimit: { characteristics: ['cf.colo.id', 'ip.src'] } },
    notes: [{ message: expect.stringContaining('counts every request') }, { message: expect.any(String) }],
  });
  expect(JSON.stringify(fitted)).not.toContain('counting_expression');
});
