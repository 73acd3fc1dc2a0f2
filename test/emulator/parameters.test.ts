import { describe, expect, test } from 'vitest';

import { account, api, blog, entryPoint, refusalOf, shop, startBench } from './bench.ts';

const CACHE = 'http_request_cache_settings';
const RESPONSE_CACHE = 'http_response_cache_settings';
const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'http_request_firewall_managed';
const LATE = 'http_request_late_transform';
const TRANSFORM = 'http_request_transform';
const REDIRECT = 'http_request_dynamic_redirect';
const LOG = 'http_log_custom_fields';
const DDOS = 'ddos_l7';
const CMR = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const L7 = '4d21379b4f9f4bb088e0729962c8b3cf';

type Case = readonly [phase: string, action: string, parameters: unknown];

const accepted: readonly Case[] = [
  [CUSTOM, 'block', { response: { status_code: 499, content_type: 'text/html', content: '<p>' } }],
  [CUSTOM, 'skip', { ruleset: 'current', phases: ['http_ratelimit'], products: ['waf', 'rateLimit'] }],
  [CUSTOM, 'skip', { phase: 'current' }],
  [CUSTOM, 'skip', { products: ['bic'], phase: 'current' }],
  [MANAGED, 'skip', { rulesets: [CMR] }],
  [MANAGED, 'skip', { rules: { [CMR]: ['5de7edfa648c4d6891dc3e7f84534ffa'], [OWASP]: [] } }],
  [MANAGED, 'execute', { id: CMR, matched_data: { public_key: 'a2V5' } }],
  [
    MANAGED,
    'execute',
    {
      id: OWASP,
      overrides: {
        action: 'log',
        enabled: true,
        categories: [{ category: 'paranoia-level-2', enabled: false }],
        rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'block' }],
      },
    },
  ],
  [DDOS, 'execute', { id: L7, overrides: { sensitivity_level: 'eoff' } }],
  [TRANSFORM, 'rewrite', { uri: { path: { value: '/a' }, query: { value: '' } } }],
  [TRANSFORM, 'rewrite', { uri: { path: { expression: 'lower(http.request.uri.path)' } } }],
  [LATE, 'rewrite', { headers: { 'X-A': { operation: 'remove' }, X_b: { operation: 'set', value: 'v' } } }],
  [LATE, 'rewrite', { headers: { 'CF-Connecting-IP': { operation: 'remove' } } }],
  [
    'http_response_headers_transform',
    'rewrite',
    {
      headers: {
        'cf-x': { operation: 'set', expression: 'http.host' },
        X_b: { operation: 'add', value: 'v' },
      },
    },
  ],
  [
    REDIRECT,
    'redirect',
    { from_value: { target_url: { expression: 'http.request.full_uri' }, status_code: 308 } },
  ],
  [
    'http_request_origin',
    'route',
    { host_header: 'a.example', sni: { value: 'a.example' }, origin: { host: 'b.example', port: 65_535 } },
  ],
  ['http_custom_errors', 'serve_error', { content: 'x', content_type: 'text/plain', status_code: 999 }],
  ['http_custom_errors', 'serve_error', { asset_name: 'page' }],
  [
    'http_config_settings',
    'set_config',
    {
      polish: 'webp',
      autominify: { css: true, html: false, js: false },
      disable_zaraz: true,
      ssl: 'strict',
    },
  ],
  [CACHE, 'set_cache_settings', { browser_ttl: { mode: 'override_origin', default: 0 } }],
  [
    CACHE,
    'set_cache_settings',
    {
      edge_ttl: {
        mode: 'respect_origin',
        status_code_ttl: [{ value: -1, status_code_range: { from: 500 } }],
      },
    },
  ],
  [
    CACHE,
    'set_cache_settings',
    { cache_key: { custom_key: { header: { contains: { 'x-a': ['1'] } }, query_string: { exclude: '*' } } } },
  ],
  [
    CACHE,
    'set_cache_settings',
    {
      vary: {
        default: { action: 'bypass' },
        headers: { accept: { action: 'normalize', media_types: ['text/html'] } },
      },
    },
  ],
  [RESPONSE_CACHE, 'set_cache_settings', { strip_etags: true }],
  [
    RESPONSE_CACHE,
    'set_cache_control',
    {
      'max-age': { operation: 'set', value: 5 },
      private: { operation: 'set', qualifiers: ['x-a'], cloudflare_only: true },
    },
  ],
  [RESPONSE_CACHE, 'set_cache_control', { 's-maxage': { operation: 'remove' } }],
  [RESPONSE_CACHE, 'set_cache_tags', { operation: 'add', expression: 'http.request.uri.args["tag"]' }],
  ['http_response_compression', 'compress_response', { algorithms: [{ name: 'zstd' }, { name: 'auto' }] }],
  [LOG, 'log_custom_field', { response_fields: [{ name: 'x-a', preserve_duplicates: true }] }],
];

type Refused = readonly [...Case, pointer: string];

const P = '/rules/0/action_parameters';

const refused: readonly Refused[] = [
  [
    CUSTOM,
    'block',
    { response: { status_code: 200, content_type: 'text/html', content: 'x' } },
    `${P}/response/status_code`,
  ],
  [CUSTOM, 'block', { response: { status_code: 403, content_type: 'text/html' } }, `${P}/response/content`],
  [
    CUSTOM,
    'block',
    { response: { status_code: 403, content_type: '', content: 'x' } },
    `${P}/response/content_type`,
  ],
  [CUSTOM, 'skip', { ruleset: 'other' }, `${P}/ruleset`],
  [CUSTOM, 'skip', { ruleset: 'current', rulesets: [CMR] }, `${P}/rulesets`],
  [CUSTOM, 'skip', { ruleset: 'current', rules: { [CMR]: [] } }, `${P}/rules`],
  [CUSTOM, 'skip', { rulesets: [CMR], phases: ['http_ratelimit'] }, `${P}/phases`],
  [CUSTOM, 'skip', { products: ['WAF'] }, `${P}/products/0`],
  [CUSTOM, 'skip', { phases: ['http_request_main'] }, `${P}/phases/0`],
  [CUSTOM, 'skip', { phases: [] }, `${P}/phases`],
  [CUSTOM, 'skip', { phase: 'current', ruleset: 'current' }, `${P}/phase`],
  [MANAGED, 'skip', { products: ['waf'] }, `${P}/products`],
  [MANAGED, 'skip', { rulesets: ['0'.repeat(32)] }, `${P}/rulesets/0`],
  [MANAGED, 'skip', { rules: { [CMR]: ['0'.repeat(32)] } }, `${P}/rules/${CMR}/0`],
  [MANAGED, 'execute', { id: 'short' }, `${P}/id`],
  [MANAGED, 'execute', { id: '0'.repeat(32) }, `${P}/id`],
  [MANAGED, 'execute', { id: L7 }, `${P}/id`],
  [MANAGED, 'execute', { id: CMR, overrides: { rules: [] } }, `${P}/overrides/rules`],
  [MANAGED, 'execute', { id: CMR, overrides: { action: 'redirect' } }, `${P}/overrides/action`],
  [
    MANAGED,
    'execute',
    { id: CMR, overrides: { sensitivity_level: 'low' } },
    `${P}/overrides/sensitivity_level`,
  ],
  [
    MANAGED,
    'execute',
    { id: CMR, overrides: { categories: [{ category: 'wordpress' }] } },
    `${P}/overrides/categories/0`,
  ],
  [
    MANAGED,
    'execute',
    { id: CMR, overrides: { categories: [{ category: 'no-such-tag', enabled: true }] } },
    `${P}/overrides/categories/0/category`,
  ],
  [
    MANAGED,
    'execute',
    { id: CMR, overrides: { rules: [{ id: '0'.repeat(32), enabled: true }] } },
    `${P}/overrides/rules/0/id`,
  ],
  [
    MANAGED,
    'execute',
    { id: CMR, overrides: { rules: [{ id: '5de7edfa648c4d6891dc3e7f84534ffa', score_threshold: 5 }] } },
    `${P}/overrides/rules/0/score_threshold`,
  ],
  [DDOS, 'execute', { id: L7, overrides: { action: 'js_challenge' } }, `${P}/overrides/action`],
  [DDOS, 'execute', { id: L7, overrides: { sensitivity_level: 'high' } }, `${P}/overrides/sensitivity_level`],
  [DDOS, 'execute', { id: L7, matched_data: { public_key: 'x' } }, `${P}/matched_data`],
  [TRANSFORM, 'rewrite', { uri: {} }, `${P}/uri`],
  [TRANSFORM, 'rewrite', { uri: { path: { value: 'a' } } }, `${P}/uri/path/value`],
  [TRANSFORM, 'rewrite', { uri: { path: { value: '/a', expression: '"b"' } } }, `${P}/uri/path`],
  [TRANSFORM, 'rewrite', { headers: { 'X-A': { operation: 'remove' } } }, `${P}/headers`],
  [LATE, 'rewrite', { uri: { path: { value: '/a' } } }, `${P}/uri`],
  [LATE, 'rewrite', { headers: {} }, `${P}/headers`],
  [LATE, 'rewrite', { headers: { 'X A': { operation: 'remove' } } }, `${P}/headers`],
  [LATE, 'rewrite', { headers: { 'X-A': { operation: 'set' } } }, `${P}/headers/X-A`],
  [LATE, 'rewrite', { headers: { 'X-A': { operation: 'remove', value: 'x' } } }, `${P}/headers/X-A`],
  [LATE, 'rewrite', { headers: { Cookie: { operation: 'set', value: 'x' } } }, `${P}/headers/Cookie`],
  [LATE, 'rewrite', { headers: { 'CF-Ray': { operation: 'remove' } } }, `${P}/headers/CF-Ray`],
  [LATE, 'rewrite', { headers: { X: { operation: 'add', value: 'v' } } }, `${P}/headers/X/operation`],
  [REDIRECT, 'redirect', {}, 'missing'],
  [REDIRECT, 'redirect', { from_list: { name: 'x', key: 'http.request.full_uri' } }, `${P}/from_list`],
  [REDIRECT, 'redirect', { from_value: { status_code: 301 } }, `${P}/from_value/target_url`],
  [
    REDIRECT,
    'redirect',
    { from_value: { target_url: { value: '/x' }, status_code: 304 } },
    `${P}/from_value/status_code`,
  ],
  ['http_request_origin', 'route', { origin: {} }, `${P}/origin`],
  ['http_request_origin', 'route', { origin: { port: 0 } }, `${P}/origin/port`],
  ['http_request_origin', 'route', { sni: {} }, `${P}/sni/value`],
  ['http_custom_errors', 'serve_error', { content: 'x', asset_name: 'y' }, P],
  ['http_custom_errors', 'serve_error', { content: 'x', status_code: 399 }, `${P}/status_code`],
  ['http_config_settings', 'set_config', { disable_zaraz: false }, `${P}/disable_zaraz`],
  ['http_config_settings', 'set_config', { ssl: 'maybe' }, `${P}/ssl`],
  [CACHE, 'set_cache_settings', { browser_ttl: { mode: 'override_origin' } }, `${P}/browser_ttl/default`],
  [CACHE, 'set_cache_settings', { browser_ttl: { mode: 'bypass', default: 5 } }, `${P}/browser_ttl/default`],
  [CACHE, 'set_cache_settings', { edge_ttl: { mode: 'bypass' } }, `${P}/edge_ttl/mode`],
  [
    CACHE,
    'set_cache_settings',
    { edge_ttl: { mode: 'respect_origin', status_code_ttl: [{ value: 1 }] } },
    `${P}/edge_ttl/status_code_ttl/0`,
  ],
  [CACHE, 'set_cache_settings', { additional_cacheable_ports: [0] }, `${P}/additional_cacheable_ports/0`],
  [CACHE, 'set_cache_settings', { read_timeout: 99 }, `${P}/read_timeout`],
  [CACHE, 'set_cache_settings', { strip_etags: true }, `${P}/strip_etags`],
  [
    CACHE,
    'set_cache_settings',
    { cache_key: { custom_key: { query_string: { include: 'all' } } } },
    `${P}/cache_key/custom_key/query_string/include`,
  ],
  [
    CACHE,
    'set_cache_settings',
    { vary: { default: { action: 'bypass' }, headers: { 'x-a': { action: 'bypass', languages: ['de'] } } } },
    `${P}/vary/headers/x-a`,
  ],
  [RESPONSE_CACHE, 'set_cache_settings', { cache: true }, `${P}/cache`],
  [RESPONSE_CACHE, 'set_cache_control', { 'max-age': { operation: 'set' } }, `${P}/max-age/value`],
  [RESPONSE_CACHE, 'set_cache_tags', { operation: 'set', values: ['a'], expression: 'b' }, P],
  ['http_response_compression', 'compress_response', { algorithms: [] }, `${P}/algorithms`],
  [
    'http_response_compression',
    'compress_response',
    { algorithms: [{ name: 'lz4' }] },
    `${P}/algorithms/0/name`,
  ],
  [LOG, 'log_custom_field', { request_fields: [] }, `${P}/request_fields`],
  [LOG, 'log_custom_field', { request_fields: [{ name: '' }] }, `${P}/request_fields/0/name`],
];

async function send(phase: string, action: string, parameters: unknown) {
  const bench = await startBench();
  const before = bench.service.store.content();
  const rule = { action, expression: 'true', action_parameters: parameters };
  const reply = await bench.call('PUT', entryPoint(shop, phase), { rules: [rule] });
  return { reply, before, after: bench.service.store.content() };
}

describe('accepted action parameters', () => {
  test.each(accepted)('%s, %s: %j', async (phase, action, parameters) => {
    const { reply } = await send(phase, action, parameters);
    expect(reply.body.errors).toEqual([]);
    const shown = reply.body.result.rules?.[0];
    expect(shown?.action).toBe(action);
    expect(shown?.action_parameters).toEqual(parameters);
  });
});

describe('refused action parameters', () => {
  test.each(refused)('%s, %s: %j at %s', async (phase, action, parameters, pointer) => {
    const { reply, before, after } = await send(phase, action, parameters);
    expect(after).toEqual(before);
    const refusal = refusalOf(reply);
    expect(refusal.status).toBe(400);
    expect(refusal.pointer).toBe(pointer === 'missing' ? undefined : pointer);
    expect(refusal.message).toMatch(/ is not a valid value for | are required for /u);
  });

  test.each([
    ['set_cache_settings', CACHE, 20106],
    ['set_config', 'http_config_settings', 20113],
    ['execute', MANAGED, undefined],
    ['skip', CUSTOM, undefined],
    ['route', 'http_request_origin', undefined],
  ])('%s needs action parameters', async (action, phase, code) => {
    const bench = await startBench();
    for (const members of [{}, { action_parameters: {} }]) {
      const body = { rules: [{ action, expression: 'true', ...members }] };
      expect(refusalOf(await bench.call('PUT', entryPoint(shop, phase), body))).toEqual({
        status: 400,
        code,
        message: `action parameters are required for the ${action} action`,
        pointer: undefined,
      });
    }
  });

  test.each([
    [CUSTOM, 'block', { uri: {} }, 'uri'],
    [CUSTOM, 'managed_challenge', { response: {} }, 'response'],
    [CUSTOM, 'skip', { id: CMR }, 'id'],
    [MANAGED, 'execute', { id: CMR, overrides: { rules: [{ id: CMR, mode: 'x' }] } }, 'mode'],
    ['http_config_settings', 'set_config', { brotli: true }, 'brotli'],
    [CACHE, 'set_cache_settings', { cache_key: { custom_key: { body: {} } } }, 'body'],
    [RESPONSE_CACHE, 'set_cache_control', { 'max-stale': {} }, 'max-stale'],
    [RESPONSE_CACHE, 'set_cache_control', { immutable: { operation: 'set', value: 1 } }, 'value'],
  ])('%s, %s: %j holds an unknown field', async (phase, action, parameters, field) => {
    const { reply } = await send(phase, action, parameters);
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: undefined,
      message: `invalid JSON: unknown field "${field}"`,
      pointer: undefined,
    });
  });

  test.each([
    [{ action: 1, expression: 'true' }, '/rules/0/action'],
    [{ action: 'block', expression: ['true'] }, '/rules/0/expression'],
    [{ action: 'block', expression: 'true', enabled: 'yes' }, '/rules/0/enabled'],
    [{ action: 'block', expression: 'true', action_parameters: [] }, '/rules/0/action_parameters'],
    [{ action: 'block', expression: 'true', ratelimit: { period: 1.5 } }, '/rules/0/ratelimit/period'],
    ['a rule', '/rules/0'],
  ])('a rule, or a member of a rule, of the wrong JSON type: %j', async (rule, pointer) => {
    const bench = await startBench();
    const reply = await bench.call('PUT', entryPoint(shop, CUSTOM), { rules: [rule] });
    expect(refusalOf(reply)).toMatchObject({ status: 400, pointer });
    expect(refusalOf(reply).message).toMatch(/^invalid JSON: cannot decode /u);
  });

  test('the whole body is decoded before any rule is judged', async () => {
    const bench = await startBench();
    const rules = [
      { action: 'route', expression: '' },
      { action: 'block', expression: 'true', xyz: 1 },
    ];
    const reply = await bench.call('PUT', entryPoint(shop, CUSTOM), { rules });
    expect(refusalOf(reply).message).toBe('invalid JSON: unknown field "xyz"');
  });
});

describe('expressions', () => {
  const put = async (members: Readonly<Record<string, unknown>>) => {
    const bench = await startBench();
    return bench.call('PUT', entryPoint(shop, CUSTOM), { rules: [{ action: 'block', ...members }] });
  };

  test.each([[{ expression: '' }], [{ expression: '  ' }], [{}]])(
    '%j is refused as blank',
    async (members) => {
      const shown = 'expression' in members ? members.expression : '';
      expect(refusalOf(await put(members))).toEqual({
        status: 400,
        code: 20125,
        message: `'${shown}' is not a valid value for expression because the expression cannot be blank`,
        pointer: '/rules/0/expression',
      });
    },
  );

  test('an expression can have at most 4096 characters', async () => {
    const text = (length: number) => `http.host eq "${'x'.repeat(length - 15)}"`;
    expect((await put({ expression: text(4096) })).status).toBe(200);
    expect(refusalOf(await put({ expression: text(4097) }))).toEqual({
      status: 400,
      code: 20127,
      message: 'expression size 4097 exceeded maximum 4096',
      pointer: '/rules/0/expression',
    });
  });

  test('an injected check decides, and is given text, mode, field, phase and plan', async () => {
    const asked: unknown[] = [];
    const bench = await startBench({
      checkExpression: (question) => {
        asked.push(question);
        return question.text === 'nonsense' ? { code: 20127, message: 'cannot parse' } : undefined;
      },
    });
    const path = entryPoint(shop, CUSTOM);
    const reply = await bench.call('PUT', path, { rules: [{ action: 'block', expression: 'nonsense' }] });
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: 20127,
      message: 'cannot parse',
      pointer: '/rules/0/expression',
    });
    expect(asked).toMatchObject([
      { text: 'nonsense', mode: 'filter', field: 'expression', phase: CUSTOM, plan: 'enterprise' },
    ]);
  });

  test.each([
    ['a filter', { expression: 'http.host eq' }, '/rules/0/expression', 'expression'],
    [
      'a value',
      {
        action: 'rewrite',
        expression: 'true',
        action_parameters: { uri: { path: { expression: 'concat(' } } },
      },
      '/rules/0/action_parameters/uri/path/expression',
      'expression',
    ],
    [
      'a header',
      {
        action: 'rewrite',
        expression: 'true',
        action_parameters: { headers: { 'X-A': { operation: 'set', expression: 'x' } } },
      },
      '/rules/0/action_parameters/headers/X-A/expression',
      'expression',
    ],
    [
      'a redirect',
      {
        action: 'redirect',
        expression: 'true',
        action_parameters: { from_value: { target_url: { expression: 'x' } } },
      },
      '/rules/0/action_parameters/from_value/target_url/expression',
      'expression',
    ],
    [
      'a counting expression',
      {
        action: 'block',
        expression: 'true',
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 60,
          requests_per_period: 5,
          counting_expression: 'ssl or',
        },
      },
      '/rules/0/ratelimit/counting_expression',
      'counting_expression',
    ],
  ])('%s that does not parse is refused with a pointer to it', async (_, rule, pointer, field) => {
    const phases: Readonly<Record<string, string>> = {
      '/rules/0/expression': CUSTOM,
      '/rules/0/action_parameters/uri/path/expression': TRANSFORM,
      '/rules/0/action_parameters/headers/X-A/expression': LATE,
      '/rules/0/action_parameters/from_value/target_url/expression': REDIRECT,
      '/rules/0/ratelimit/counting_expression': 'http_ratelimit',
    };
    const bench = await startBench();
    const path = entryPoint(shop, phases[pointer] ?? '');
    const reply = await bench.call('PUT', path, { rules: [{ action: 'block', ...rule }] });
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 20127, pointer });
    expect(refusalOf(reply).message).toContain(
      `is not a valid value for ${field} because could not parse filter expression: Filter parsing error (1:`,
    );
  });

  test('a syntax error is reported in the words of the service', async () => {
    expect(refusalOf(await put({ expression: 'URI Path contains /' })).message).toBe(
      "'URI Path contains /' is not a valid value for expression because could not parse filter expression: Filter parsing error (1:1):\nURI Path contains /\n^^^ unknown identifier\n",
    );
  });

  test('regular expressions need a Business plan', async () => {
    const bench = await startBench();
    const rules = [{ action: 'block', expression: 'http.host matches "^a"' }];
    expect(refusalOf(await bench.call('PUT', entryPoint(blog, CUSTOM), { rules }))).toMatchObject({
      status: 400,
      message:
        'not entitled: the use of operator Matches is not allowed, a Business plan or a WAF Advanced plan is required',
    });
    expect((await bench.call('PUT', entryPoint(api, CUSTOM), { rules })).status).toBe(200);
  });

  test('fields of larger plans are refused by name', async () => {
    const bench = await startBench();
    const rules = [{ action: 'block', expression: 'cf.bot_management.score lt 5' }];
    expect(refusalOf(await bench.call('PUT', entryPoint(blog, CUSTOM), { rules })).message).toBe(
      'not entitled: the use of field cf.bot_management.score is not allowed, a higher plan is required',
    );
  });

  test('action problems are reported before blank expressions', async () => {
    expect(refusalOf(await put({ action: 'route', expression: '' })).code).toBe(20016);
  });
});

describe('expressions of account rules in the managed phase', () => {
  const run = (expression: string) => ({
    action: 'execute',
    expression,
    action_parameters: { id: CMR },
  });

  test.each([
    ['cf.zone.plan eq "ENT"', 200],
    ['(http.host eq "a.example") and cf.zone.plan eq "ENT"', 200],
    ['(http.host eq "a.example") && (cf.zone.plan == "ENT")', 200],
    ['http.host eq "a.example" and cf.zone.plan eq "ENT"', 400],
    ['(http.host eq "a.example") or cf.zone.plan eq "ENT"', 400],
    ['(ssl) or (http.host eq "a.example") and cf.zone.plan eq "ENT"', 400],
    ['true', 400],
  ])('%s gets status %i', async (expression, status) => {
    const bench = await startBench();
    const reply = await bench.call('PUT', entryPoint(account, MANAGED), { rules: [run(expression)] });
    expect(reply.status).toBe(status);
  });

  test('need not be limited to Enterprise zones when the switch accountExpressions is any', async () => {
    const bench = await startBench({ switches: { accountExpressions: 'any' } });
    const reply = await bench.call('PUT', entryPoint(account, MANAGED), { rules: [run('true')] });
    expect(reply.status).toBe(200);
  });
});

describe('exposed credential checks', () => {
  const check = {
    username_expression: 'url_decode(http.request.body.form["user"][0])',
    password_expression: 'url_decode(http.request.body.form["pass"][0])',
  };
  const rule = { action: 'log', expression: 'true', exposed_credential_check: check };

  test('are allowed in custom rulesets of an account', async () => {
    const bench = await startBench();
    const made = await bench.ok('POST', `${account}/rulesets`, {
      name: 'Logins',
      kind: 'custom',
      phase: CUSTOM,
      rules: [rule],
    });
    expect(made.rules?.[0]).toMatchObject({ exposed_credential_check: check });
  });

  const headers = { 'X-A': { operation: 'set', value: '1' } };

  test.each([
    ['do not go with managed_challenge', { ...rule, action: 'managed_challenge' }],
    ['are what a rewrite is for', { action: 'rewrite', expression: 'true', action_parameters: { headers } }],
  ])('%s', async (_, wrong) => {
    const bench = await startBench();
    const body = { name: 'Logins', kind: 'custom', phase: CUSTOM, rules: [wrong] };
    expect(refusalOf(await bench.call('POST', `${account}/rulesets`, body))).toMatchObject({
      status: 400,
      pointer: '/rules/0/exposed_credential_check',
    });
  });

  test.each(['concat("a", http.host)', 'lower(url_decode(http.host))'])(
    'refuse an unsupported function and a nested call: %s',
    async (expression) => {
      const bench = await startBench();
      const wrong = { ...rule, exposed_credential_check: { ...check, username_expression: expression } };
      const body = { name: 'Logins', kind: 'custom', phase: CUSTOM, rules: [wrong] };
      expect(refusalOf(await bench.call('POST', `${account}/rulesets`, body))).toMatchObject({
        status: 400,
        pointer: '/rules/0/exposed_credential_check/username_expression',
      });
    },
  );

  test('can be combined with a rewrite of headers, but not of the path', async () => {
    const bench = await startBench();
    const post = (action_parameters: object) =>
      bench.call('POST', `${account}/rulesets`, {
        name: 'Logins',
        kind: 'custom',
        phase: CUSTOM,
        rules: [{ ...rule, action: 'rewrite', action_parameters }],
      });
    expect((await post({ headers })).status).toBe(200);
    expect(refusalOf(await post({ uri: { path: { value: '/a' } } })).pointer).toBe(
      '/rules/0/action_parameters/uri',
    );
  });

  test('are refused in the entry point of a zone', async () => {
    const bench = await startBench();
    const reply = await bench.call('PUT', entryPoint(shop, CUSTOM), { rules: [rule] });
    expect(refusalOf(reply)).toMatchObject({ status: 400, pointer: '/rules/0/exposed_credential_check' });
  });
});

test('lengths count characters, not UTF-16 units, as the schemas of files do', async () => {
  const bench = await startBench();
  const put = (length: number) =>
    bench.call('PUT', entryPoint(shop, 'http_custom_errors'), {
      rules: [
        {
          action: 'serve_error',
          expression: 'ssl',
          action_parameters: { content: '😀'.repeat(length), content_type: 'text/plain' },
        },
      ],
    });
  expect((await put(10_240)).status).toBe(200);
  expect(refusalOf(await put(10_241)).message).toMatch(/it must be at most 10240 characters long$/u);
});

test('an unknown action is accepted with any parameters when the switch actions is any', async () => {
  const rule = {
    action: 'future',
    expression: 'ssl',
    action_parameters: { to: [1, { a: true }], version: 'latest' },
  };
  const body = { rules: [rule] };
  const today = await startBench();
  expect(refusalOf(await today.call('PUT', entryPoint(shop, CUSTOM), body)).pointer).toBe('/rules/0/action');
  const later = await startBench({ switches: { actions: 'any' } });
  expect(await later.ok('PUT', entryPoint(shop, CUSTOM), body)).toMatchObject(body);
});
