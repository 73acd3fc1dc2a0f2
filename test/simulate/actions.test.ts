import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/data/json.ts';
import { account, custom, entry, execute, log, rule, send, verdicts, zone } from './build.ts';
import type { Sent } from './build.ts';
import {
  CACHE,
  CONFIG,
  CUSTOM,
  ERRORS,
  HEADERS,
  MANAGED,
  ORIGIN,
  RATE,
  REDIRECT,
  RESPONSE_HEADERS,
  TRANSFORM,
} from './phases.ts';

describe('actions that end a request (api.md 4.3)', () => {
  test.each([
    ['block', CUSTOM, {}, 403],
    ['block', CUSTOM, { response: { status_code: 451, content_type: 'text/plain', content: 'no' } }, 451],
    ['challenge', CUSTOM, {}, 403],
    ['js_challenge', CUSTOM, {}, 403],
    ['managed_challenge', CUSTOM, {}, 403],
    [
      'redirect',
      REDIRECT,
      { from_value: { target_url: { value: 'https://x.example/' }, status_code: 308 } },
      308,
    ],
  ])('leave later rules unreached: %s in %s with %j', (action, phase, parameters, status) => {
    const way = send([
      zone(
        entry([log('first'), rule('ends', { action, action_parameters: parameters }), log('next')], phase),
        entry([log('late')], HEADERS),
      ),
    ]);
    expect(verdicts(way)).toEqual({
      first: 'matched',
      ends: 'matched',
      next: 'unreached',
      late: 'unreached',
    });
    expect(way.end).toMatchObject({ rule: 'ends', action, phase, status });
    expect(way.verdicts.map(({ ends }) => ends)).toEqual([false, true, false, false]);
  });

  test.each(['challenge', 'js_challenge', 'managed_challenge'])(
    'let the request pass once the challenge is solved: %s',
    (action) => {
      const way = send([zone(entry([rule('asks', { action }), log('next')]))], {
        request: { url: '/', challenge_solved: true },
      });
      expect(way.end).toBeNull();
      expect(verdicts(way)).toEqual({ asks: 'matched', next: 'matched' });
    },
  );

  test('stop the request in the account before the rules of the zone are evaluated', () => {
    const scopes = [
      account(entry([execute('run', 'custom:common')]), custom('Common', [rule('above')])),
      zone(entry([log('own')])),
    ];
    expect(verdicts(send(scopes))).toEqual({ run: 'matched', above: 'matched', own: 'unreached' });
  });

  test('report a disabled rule behind the end as disabled, not as unreached', () => {
    const way = send([zone(entry([rule('a'), rule('b', { enabled: false })]))]);
    expect(verdicts(way)).toEqual({ a: 'matched', b: 'disabled' });
  });
});

describe('actions that do not end a request', () => {
  test.each([
    ['log', CUSTOM, {}],
    ['skip', CUSTOM, { products: ['bic'] }],
    ['rewrite', TRANSFORM, { uri: { path: { value: '/x' } } }],
    ['route', ORIGIN, { origin: { port: 8443 } }],
    ['set_config', CONFIG, { ssl: 'strict' }],
    ['set_cache_settings', CACHE, { cache: true }],
  ])('let later rules match: %s', (action, phase, parameters: JsonObject) => {
    const way = send([
      zone(entry([rule('acts', { action, action_parameters: parameters }), log('next')], phase)),
    ]);
    expect(way.end).toBeNull();
    expect(verdicts(way)).toEqual({ acts: 'matched', next: 'matched' });
  });

  test.each([
    ['compress_response', 'http_response_compression', { algorithms: [{ name: 'gzip' }] }],
    ['log_custom_field', 'http_log_custom_fields', { request_fields: [{ name: 'cookie' }] }],
    ['set_cache_control', 'http_response_cache_settings', { 'max-age': { operation: 'set', value: 5 } }],
    ['set_cache_tags', 'http_response_cache_settings', { operation: 'set', values: ['a'] }],
  ])('run only when there is a response: %s', (action, phase, parameters: JsonObject) => {
    const scope = zone(entry([rule('acts', { action, action_parameters: parameters }), log('next')], phase));
    expect(verdicts(send([scope], { response: { status: 200 } }))).toEqual({
      acts: 'matched',
      next: 'matched',
    });
    expect(verdicts(send([scope]))).toEqual({});
  });

  test('are opaque if this version does not know them', () => {
    const way = send([zone(entry([rule('odd', { action: 'ddos_dynamic' }), rule('next')]))]);
    expect(verdicts(way)).toEqual({ odd: 'opaque', next: 'matched' });
  });
});

describe('execute', () => {
  test('runs a custom ruleset of its scope and phase at the place of the execute rule', () => {
    const scope = zone(
      entry([execute('run', 'custom:login-protection'), log('behind')]),
      custom('Login protection', [log('inner'), rule('blocks', { expression: 'ip.src eq 192.0.2.1' })]),
    );
    const way = send([scope]);
    expect(way.verdicts.map((said) => [said.rule, said.ruleset, said.verdict])).toEqual([
      ['run', null, 'matched'],
      ['inner', 'Login protection', 'matched'],
      ['blocks', 'Login protection', 'missed'],
      ['behind', null, 'matched'],
    ]);
    expect(send([scope], { request: { url: '/', ip: '192.0.2.1' } }).end).toMatchObject({
      rule: 'blocks',
      ruleset: 'Login protection',
    });
  });

  test.each([
    ['managed:cloudflare-managed-ruleset', MANAGED],
    ['custom:not-declared', CUSTOM],
    ['0'.repeat(32), CUSTOM],
  ])('is opaque for %s, and the request goes on', (id, phase) => {
    const way = send([zone(entry([execute('run', id), log('next')], phase))]);
    expect(verdicts(way)).toEqual({ run: 'opaque', next: 'matched' });
    expect(way.verdicts[0]?.why).toContain('known to the service only');
  });

  test('is opaque for a ruleset that is of another phase, of another scope or declared absent', () => {
    const other = custom('Common', [rule('x')], RATE);
    const gone = { ...custom('Gone', [rule('y')]), presence: 'absent' as const };
    const way = send([
      account(custom('Above', [rule('z')])),
      zone(
        entry([execute('a', 'custom:common'), execute('b', 'custom:gone'), execute('c', 'custom:above')]),
        other,
        gone,
      ),
    ]);
    expect(verdicts(way)).toEqual({ a: 'opaque', b: 'opaque', c: 'opaque' });
  });

  test('is undecided inside a custom ruleset (api.md 4.4)', () => {
    const way = send([
      zone(entry([execute('run', 'custom:a')]), custom('A', [execute('again', 'custom:a'), log('next')])),
    ]);
    expect(verdicts(way)).toEqual({ run: 'matched', again: 'undecided', next: 'matched' });
  });

  test('leaves a rule that checks for exposed credentials opaque if its expression matches', () => {
    const check = {
      exposed_credential_check: { username_expression: 'http.host', password_expression: 'http.host' },
    };
    const scope = (expression: string) =>
      account(entry([execute('run', 'custom:a')]), custom('A', [rule('leak', { expression, ...check })]));
    expect(verdicts(send([scope('true')]))['leak']).toBe('opaque');
    expect(verdicts(send([scope('not true')]))['leak']).toBe('missed');
  });
});

describe('rate limits', () => {
  const limit = rule('limit', { ratelimit: { period: 60, requests_per_period: 5 } });
  const scored = rule('limit', { ratelimit: { period: 60, score_per_period: 5 } });

  test.each([
    [undefined, 'counted'],
    [1, 'counted'],
    [5, 'counted'],
    [6, 'matched'],
  ])('give at a count of %s the verdict %s', (count, expected) => {
    for (const one of [limit, scored]) {
      const way = send([zone(entry([one, log('next')], RATE))], count === undefined ? {} : { count });
      expect(verdicts(way)).toEqual({
        limit: expected,
        next: expected === 'matched' ? 'unreached' : 'matched',
      });
      expect(way.end?.status ?? null).toBe(expected === 'matched' ? 429 : null);
    }
  });

  test('miss a request that the expression does not match, whatever the count', () => {
    const missed = rule('limit', {
      expression: 'not true',
      ratelimit: { period: 60, requests_per_period: 5 },
    });
    expect(verdicts(send([zone(entry([missed], RATE))], { count: 9 }))).toEqual({ limit: 'missed' });
  });
});

describe('redirects', () => {
  const to = (value: JsonObject) =>
    zone(entry([rule('r', { action: 'redirect', action_parameters: { from_value: value } })], REDIRECT));
  const place = (scope: ReturnType<typeof zone>, url: string) => send([scope], { request: url }).end;

  test.each([
    [{ target_url: { value: 'https://x.example/' } }, '/a?b=1', 'https://x.example/', 301],
    [
      { target_url: { value: 'https://x.example/' }, preserve_query_string: true, status_code: 302 },
      '/a?b=1',
      'https://x.example/?b=1',
      302,
    ],
    [
      { target_url: { value: 'https://x.example/?c=2' }, preserve_query_string: true },
      '/a?b=1',
      'https://x.example/?c=2&b=1',
      301,
    ],
    [
      { target_url: { value: 'https://x.example/#top?' }, preserve_query_string: true },
      '/a?b=1',
      'https://x.example/?b=1#top?',
      301,
    ],
    [
      { target_url: { value: 'https://x.example/' }, preserve_query_string: true },
      '/a',
      'https://x.example/',
      301,
    ],
    [
      { target_url: { expression: 'concat("https://x.example", http.request.uri.path)' } },
      '/ä',
      'https://x.example/ä',
      301,
    ],
  ])('build the location from %j', (value, url, location, status) => {
    expect(place(to(value), url)).toMatchObject({ location, status });
  });

  test('do not end the request if the target has no value', () => {
    const way = send([to({ target_url: { expression: 'http.request.headers["x"][0]' } })]);
    expect(way.end).toBeNull();
    expect(way.verdicts[0]).toMatchObject({ verdict: 'matched', why: expect.stringContaining('no value') });
  });

  test('from a list are opaque', () => {
    const from = { from_list: { name: 'moved', key: 'http.request.full_uri' } };
    const way = send([
      account(
        entry([rule('bulk', { action: 'redirect', action_parameters: from })], 'http_request_redirect'),
      ),
    ]);
    expect(way.verdicts[0]).toMatchObject({ verdict: 'opaque', why: expect.stringContaining('$moved') });
  });

  const looksUp = (expression: string, sent: Sent = {}) => {
    const from = { from_list: { name: 'moved', key: 'http.request.full_uri' } };
    const bulk = rule('bulk', { action: 'redirect', expression, action_parameters: from });
    return send([account(entry([bulk], 'http_request_redirect'))], sent);
  };

  test.each([
    ['http.request.full_uri in $moved', 'opaque'],
    ['not http.request.full_uri in $moved', 'opaque'],
    ['http.request.full_uri in $moved and not http.request.full_uri in $kept', 'opaque'],
    ['http.host eq "shop.example" and http.request.full_uri in $moved', 'opaque'],
    ['http.host eq "other.example" and http.request.full_uri in $moved', 'missed'],
    [
      'http.host eq "other.example" and http.request.full_uri in $a and http.request.full_uri in $b',
      'missed',
    ],
  ])('that look up the URL are opaque where the list decides: %s', (expression, verdict) => {
    expect(looksUp(expression).verdicts[0]).toMatchObject({ verdict, assumes: [] });
    // A list that is given would have to hold redirects.
    expect(looksUp(expression, { lists: { moved: ['shop.example'] } }).verdicts[0]?.verdict).toBe(verdict);
  });

  test('that look up the URL leave it open how the request ends', () => {
    const way = looksUp('http.request.full_uri in $moved', { source: 'live' });
    expect(way).toMatchObject({ end: null, certain: false, notSimulated: [{ kind: 'rule', rule: 'bulk' }] });
  });
});

describe('rewrites', () => {
  const uri = (ref: string, change: JsonObject, expression = 'true') =>
    rule(ref, { action: 'rewrite', expression, action_parameters: { uri: change } });
  const headers = (ref: string, change: JsonObject) =>
    rule(ref, { action: 'rewrite', action_parameters: { headers: change } });

  test('are seen by later phases, not by their own; raw fields keep the original URL', () => {
    const way = send(
      [
        zone(
          entry(
            [
              uri('first', { path: { value: '/new' } }),
              uri('second', { query: { value: 'x=1' } }, 'http.request.uri.path eq "/new"'),
            ],
            TRANSFORM,
          ),
          entry([
            log(
              'new',
              'http.request.uri eq "/new?a=1" and http.request.full_uri eq "https://shop.example/new?a=1"',
            ),
            log(
              'raw',
              'raw.http.request.uri.path eq "/old.html" and raw.http.request.uri.path.extension eq "html"',
            ),
            log('extension', 'http.request.uri.path.extension eq ""'),
          ]),
        ),
      ],
      { request: '/old.html?a=1' },
    );
    expect(verdicts(way)).toEqual({
      first: 'matched',
      second: 'missed',
      new: 'matched',
      raw: 'matched',
      extension: 'matched',
    });
    expect([way.url, way.urlAtOrigin]).toEqual([
      'https://shop.example/old.html?a=1',
      'https://shop.example/new?a=1',
    ]);
  });

  test('take the path and the query each from the last rule that sets it', () => {
    const rules = [
      uri('a', { path: { value: '/a' }, query: { value: 'from=a' } }),
      uri('b', { path: { expression: 'concat(http.request.uri.path, "b")' } }),
    ];
    expect(send([zone(entry(rules, TRANSFORM))]).urlAtOrigin).toBe('https://shop.example/b?from=a');
  });

  test('remove the query if its new value is empty', () => {
    const way = send([zone(entry([uri('a', { query: { value: '' } })], TRANSFORM))], { request: '/?a=1' });
    expect(way.urlAtOrigin).toBe('https://shop.example/');
  });

  test('set, add and remove request headers, whatever their case', () => {
    const way = send(
      [
        zone(
          entry(
            [
              headers('a', {
                'X-Set': { operation: 'set', value: 'one' },
                'x-gone': { operation: 'remove' },
              }),
              headers('b', {
                'x-set': { operation: 'set', expression: 'ip.src.country' },
                Via: { operation: 'add', value: 'two' },
              }),
            ],
            HEADERS,
          ),
          entry(
            [
              log(
                'seen',
                'http.request.headers["via"][1] eq "two" and not has_key(http.request.headers, "x-gone")',
              ),
            ],
            CACHE,
          ),
        ),
      ],
      {
        request: {
          url: '/',
          headers: { 'user-agent': 'test', via: 'one', 'X-Gone': '1' },
          fields: { 'ip.src.country': 'AT' },
        },
      },
    );
    expect(verdicts(way)['seen']).toBe('matched');
    expect(way.headers).toEqual([
      { name: 'host', values: ['shop.example'] },
      { name: 'user-agent', values: ['test'] },
      { name: 'via', values: ['one', 'two'] },
      { name: 'x-set', values: ['AT'] },
    ]);
    expect(way.changedHeaders.map(({ name, values }) => [name, values.length])).toEqual([
      ['via', 2],
      ['x-set', 1],
      ['X-Gone', 0],
    ]);
  });

  test('remove a header that is set to a missing value, and do not add a missing value', () => {
    const missing = 'http.request.headers["nope"][0]';
    const way = send(
      [
        zone(
          entry(
            [
              headers('a', {
                x: { operation: 'set', expression: missing },
                y: { operation: 'add', expression: missing },
              }),
            ],
            HEADERS,
          ),
        ),
      ],
      { request: { url: '/', headers: { x: '1', y: '2' } } },
    );
    expect(way.headers.map(({ name }) => name)).toEqual(['host', 'user-agent', 'y']);
  });

  test('of response headers are seen by later phases and by the visitor', () => {
    const way = send(
      [
        zone(
          entry(
            [headers('a', { Server: { operation: 'remove' }, 'X-Frame': { operation: 'set', value: 'no' } })],
            RESPONSE_HEADERS,
          ),
          entry(
            [
              log(
                'later',
                'http.response.headers["x-frame"][0] eq "no" and raw.http.response.headers["server"][0] eq "nginx"',
              ),
            ],
            'http_response_compression',
          ),
        ),
      ],
      { response: { status: 404, headers: { server: 'nginx' } } },
    );
    expect(verdicts(way)['later']).toBe('matched');
    expect(way.response).toEqual({ status: 404, headers: [{ name: 'X-Frame', values: ['no'] }] });
  });
});

describe('settings', () => {
  const set = (ref: string, action: string, parameters: JsonObject, expression = 'true') =>
    rule(ref, { action, expression, action_parameters: parameters });

  test('are each taken from the last matching rule that sets them', () => {
    const way = send([
      zone(
        entry(
          [
            set('a', 'set_config', { ssl: 'full', polish: 'off' }),
            set('b', 'set_config', { ssl: 'strict' }),
            set('c', 'set_config', { ssl: 'off' }, 'not true'),
          ],
          CONFIG,
        ),
        entry(
          [
            set('d', 'set_cache_settings', { cache: true, edge_ttl: { mode: 'respect_origin' } }),
            set('e', 'set_cache_settings', { cache: false }),
          ],
          CACHE,
        ),
        entry([set('f', 'route', { host_header: 'x.example' })], ORIGIN),
      ),
    ]);
    expect(way.settings.map(({ name, value, rule: by }) => [name, value, by])).toEqual([
      ['ssl', 'strict', 'b'],
      ['polish', 'off', 'a'],
      ['host_header', 'x.example', 'f'],
      ['cache', false, 'e'],
      ['edge_ttl', { mode: 'respect_origin' }, 'd'],
    ]);
  });
});

describe('responses', () => {
  const errors = entry(
    [
      rule('page', {
        action: 'serve_error',
        expression: 'http.response.code ge 500',
        action_parameters: { content: 'x', content_type: 'text/html', status_code: 503 },
      }),
      log('next'),
    ],
    ERRORS,
  );
  const late = entry([log('late')], 'http_log_custom_fields');
  const run = (sent: Sent) => send([zone(errors, late)], sent);

  test('get a custom error page, which ends its phase but not the later ones', () => {
    const way = run({ response: { status: 502 } });
    expect(verdicts(way)).toEqual({ page: 'matched', next: 'unreached', late: 'matched' });
    expect(way.end).toBeNull();
    expect(way.errorPage).toMatchObject({ rule: 'page', status: 503 });
    expect(way.response?.status).toBe(503);
  });

  test('get a custom error page only from status 400 on, even if its rule matches every response', () => {
    const always = entry([rule('page', { action: 'serve_error' }), log('next')], ERRORS);
    const way = (status: number) => send([zone(always)], { response: { status } });
    expect(verdicts(way(399))).toEqual({ page: 'matched', next: 'matched' });
    expect(way(399)).toMatchObject({
      errorPage: null,
      response: { status: 399 },
      verdicts: [{ why: 'it is for errors, and the answer is none: 399' }, {}],
    });
    expect(verdicts(way(400))).toEqual({ page: 'matched', next: 'unreached' });
  });

  test('set the response fields that expressions read', () => {
    const seen =
      'http.response.code eq 200 and http.response.content_type.media_type eq "text/html" and cf.response.1xxx_code eq 1020';
    const way = send([zone(entry([log('seen', seen)], RESPONSE_HEADERS))], {
      response: {
        headers: { 'Content-Type': 'text/HTML; charset=utf-8' },
        fields: { 'cf.response.1xxx_code': 1020 },
      },
    });
    expect(verdicts(way)).toEqual({ seen: 'matched' });
  });

  test('are not simulated if a rule ended the request', () => {
    const way = send([zone(entry([rule('block')]), late)], { response: { status: 200 } });
    expect(way.response).toBeNull();
    expect(verdicts(way)).toEqual({ block: 'matched' });
  });
});

describe('an expression that cannot be evaluated', () => {
  test.each([
    ['http.host eq', 'unrecognised input (line 1, column 13)'],
    ['', 'expected'],
    ['http.host matches "a{50000}"', 'regular expression'],
  ])('makes its rule undecided, and later rules are still evaluated: %j', (expression, why) => {
    const way = send([zone(entry([rule('odd', { expression }), log('next')]))]);
    expect(way.verdicts[0]).toMatchObject({ verdict: 'undecided', why: expect.stringContaining(why) });
    expect(verdicts(way)['next']).toBe('matched');
  });

  test('makes its rule undecided also in the action parameters, if the rule matches', () => {
    const target = (expression: string) =>
      rule('r', {
        action: 'redirect',
        expression,
        action_parameters: { from_value: { target_url: { expression: 'concat(' } } },
      });
    expect(verdicts(send([zone(entry([target('true')], REDIRECT))]))).toEqual({ r: 'undecided' });
    expect(verdicts(send([zone(entry([target('not true')], REDIRECT))]))).toEqual({ r: 'missed' });
  });
});
