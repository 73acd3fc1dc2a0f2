import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { carryOver } from '../../../src/plan/compare/carry.ts';
import { compareContent, fieldChanges } from '../../../src/plan/compare/compare-rules.ts';
import { content } from '../build.ts';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP_RULE = '6179ae15870a4bb7b2d480d4843b323c';

function execute(overrides: RuleContent['action_parameters'], extra: RuleContent['action_parameters'] = {}) {
  return content({
    action: 'execute',
    action_parameters: { id: MANAGED, ...extra, ...(overrides === undefined ? {} : { overrides }) },
  });
}

/** Pairs that mean the same to the service (api.md 5.17). */
const SAME: readonly (readonly [string, RuleContent, RuleContent])[] = [
  [
    'default logging of a skip',
    content({ action: 'skip', logging: { enabled: true } }),
    content({ action: 'skip' }),
  ],
  ['logging of a rule that is no skip', content({ logging: { enabled: true } }), content()],
  ['empty parameters', content({ action_parameters: {} }), content()],
  ['version latest', execute(undefined, { version: 'latest' }), execute(undefined)],
  ['empty overrides', execute({}), execute(undefined)],
  ['empty override lists', execute({ rules: [], categories: [] }), execute(undefined)],
  [
    'order of rule overrides',
    execute({
      rules: [
        { id: OWASP_RULE, enabled: true },
        { id: MANAGED, action: 'log' },
      ],
    }),
    execute({
      rules: [
        { id: MANAGED, action: 'log' },
        { id: OWASP_RULE, enabled: true },
      ],
    }),
  ],
  [
    'order of skipped phases',
    content({ action: 'skip', action_parameters: { phases: ['http_ratelimit', 'http_request_sbfm'] } }),
    content({ action: 'skip', action_parameters: { phases: ['http_request_sbfm', 'http_ratelimit'] } }),
  ],
  [
    'a ruleset of which no rule is skipped by name, which is skipped as a whole',
    content({ action: 'skip', action_parameters: { rulesets: ['b'], rules: { a: [], c: ['1'] } } }),
    content({ action: 'skip', action_parameters: { rulesets: ['a', 'b'], rules: { c: ['1'] } } }),
  ],
  [
    'order of the characteristics of a rate limit',
    content({ ratelimit: { period: 60, characteristics: ['ip.src', 'cf.colo.id'] } }),
    content({ ratelimit: { period: 60, characteristics: ['cf.colo.id', 'ip.src'] } }),
  ],
  [
    'counting expression that repeats the expression',
    content({ ratelimit: { period: 60, counting_expression: 'ip.src eq 192.0.2.1' } }),
    content({ ratelimit: { period: 60, requests_to_origin: false } }),
  ],
  [
    'query strings as a star',
    content({
      action: 'set_cache_settings',
      action_parameters: { cache_key: { custom_key: { query_string: { include: '*' } } } },
    }),
    content({
      action: 'set_cache_settings',
      action_parameters: { cache_key: { custom_key: { query_string: { include: { all: true } } } } },
    }),
  ],
  [
    'query string left out',
    content({
      action: 'redirect',
      action_parameters: { from_value: { target_url: { value: '/x' }, preserve_query_string: false } },
    }),
    content({ action: 'redirect', action_parameters: { from_value: { target_url: { value: '/x' } } } }),
  ],
];

/** Pairs that look alike but differ. */
const DIFFERENT: readonly (readonly [string, RuleContent, RuleContent, string])[] = [
  ['enabled', content({ enabled: false }), content(), '/enabled'],
  [
    'silent skip',
    content({ action: 'skip', logging: { enabled: false } }),
    content({ action: 'skip' }),
    '/logging/enabled',
  ],
  [
    'order of category overrides',
    execute({
      categories: [
        { category: 'a', enabled: true },
        { category: 'b', enabled: false },
      ],
    }),
    execute({
      categories: [
        { category: 'b', enabled: false },
        { category: 'a', enabled: true },
      ],
    }),
    '/action_parameters/overrides/categories',
  ],
  [
    'action of one rule override',
    execute({ rules: [{ id: OWASP_RULE, action: 'block' }] }),
    execute({ rules: [{ id: OWASP_RULE, action: 'log' }] }),
    `/action_parameters/overrides/rules/${OWASP_RULE}/action`,
  ],
  [
    'an override of a rule with a name that objects inherit',
    execute({ rules: [{ id: '__proto__', action: 'block' }] }),
    execute({ rules: [{ id: '__proto__', action: 'log' }] }),
    '/action_parameters/overrides/rules/__proto__/action',
  ],
  [
    'order of compression algorithms',
    content({
      action: 'compress_response',
      action_parameters: { algorithms: [{ name: 'gzip' }, { name: 'brotli' }] },
    }),
    content({
      action: 'compress_response',
      action_parameters: { algorithms: [{ name: 'brotli' }, { name: 'gzip' }] },
    }),
    '/action_parameters/algorithms',
  ],
];

describe('compareContent', () => {
  it.each(SAME)('treats as equal: %s', (_name, live, desired) => {
    expect(compareContent(live, desired)).toEqual({ kind: 'equal' });
    expect(compareContent(desired, live)).toEqual({ kind: 'equal' });
  });

  it.each(DIFFERENT)('finds a change of %s', (_name, live, desired, path) => {
    const comparison = compareContent(live, desired);
    expect(comparison.kind).toBe('different');
    expect(comparison.kind === 'different' && comparison.fields.map((field) => field.path)).toEqual([path]);
  });

  it('tells another spelling from another meaning', () => {
    const live = content({ expression: 'ip.src eq 192.0.2.1\n  and ssl' });
    expect(compareContent(live, content({ expression: 'ip.src eq 192.0.2.1 and ssl' })).kind).toBe(
      'respelled',
    );
    expect(compareContent(live, content({ expression: 'ip.src eq 192.0.2.1 or ssl' })).kind).toBe(
      'different',
    );
    const spaced = content({ expression: 'http.host eq "a  b"' });
    expect(compareContent(spaced, content({ expression: 'http.host eq "a b"' })).kind).toBe('different');
    const raw = content({ expression: String.raw`http.user_agent contains r"\" and http.host eq "a  b"` });
    const folded = content({ expression: String.raw`http.user_agent contains r"\" and http.host eq "a b"` });
    expect(compareContent(raw, folded).kind).toBe('different');
    expect(
      compareContent(content({ expression: 'new.field  eq 1' }), content({ expression: 'new.field eq 1' }))
        .kind,
    ).toBe('different');
    expect(compareContent(live, content({ expression: 'ssl && (ip.src == 192.0.2.1)' })).kind).toBe(
      'respelled',
    );
  });

  it('calls a rule respelled only if nothing but the texts of its expressions differ', () => {
    const live = content({ expression: 'ssl', description: 'ssl' });
    const kinds = [
      content({ ...live, expression: '(ssl)', action: 'log' }),
      content({ ...live, description: '(ssl)' }),
    ].map((desired) => compareContent(live, desired).kind);
    expect(kinds).toEqual(['different', 'different']);
  });

  it.each([
    ['ssl', undefined],
    ['(ssl)', 'ssl'],
    ['ssl', '(ssl)'],
  ])('treats a rate limit of %s that counts %s as one that counts what it matches', (expression, counted) => {
    const limit = { characteristics: ['cf.colo.id'], period: 10, requests_per_period: 5 };
    const one = content({ expression: '( ssl )', ratelimit: limit });
    const other = content({
      expression,
      ratelimit: { ...limit, ...(counted === undefined ? {} : { counting_expression: counted }) },
    });
    const another = content({ expression, ratelimit: { ...limit, counting_expression: 'not ssl' } });
    expect(compareContent(one, other).kind).toBe('respelled');
    expect(compareContent(other, one).kind).toBe('respelled');
    expect([compareContent(one, another).kind, compareContent(another, one).kind]).toEqual([
      'different',
      'different',
    ]);
  });

  it('lists fields in the order of their paths, whichever side has them', () => {
    const changed = fieldChanges({ action: 'log', logging: {} }, { action: 'block', enabled: true });
    expect(changed.map(({ kind, path }) => [kind, path])).toEqual([
      ['changed', '/action'],
      ['added', '/enabled'],
      ['removed', '/logging'],
    ]);
  });

  it('lists overrides as a whole if one rule has several, which its id cannot tell apart', () => {
    const twice = (action: string) => [
      { id: OWASP_RULE, enabled: true },
      { id: OWASP_RULE, action },
    ];
    const changed = compareContent(execute({ rules: twice('log') }), execute({ rules: twice('block') }));
    expect(changed).toMatchObject({ fields: [{ path: '/action_parameters/overrides/rules' }] });
  });

  it('treats another place of the clause that ends account rules as more than a respelling', () => {
    const live = content({ expression: 'ssl and cf.zone.plan eq "ENT"' });
    expect(compareContent(live, content({ expression: 'cf.zone.plan eq "ENT" and ssl' })).kind).toBe(
      'different',
    );
    expect(compareContent(live, content({ expression: '(ssl) and cf.zone.plan eq "ENT"' })).kind).toBe(
      'respelled',
    );
  });
});

describe('a member that a file leaves out', () => {
  it.each([
    ['block', 86_400],
    ['block', 60],
    ['managed_challenge', 60],
  ])('has its default, so that drift shows a %s whose mitigation timeout is %i live', (action, timeout) => {
    const limit = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 5 };
    const wanted = content({ action, ratelimit: limit });
    const live = content({ action, ratelimit: { ...limit, mitigation_timeout: timeout } });
    expect(compareContent(live, carryOver(wanted, live).content)).toMatchObject({
      kind: 'different',
      fields: [{ kind: 'changed', path: '/ratelimit/mitigation_timeout', before: timeout, after: 0 }],
    });
    const filled = content({ action, ratelimit: { ...limit, mitigation_timeout: 0 } });
    expect(compareContent(filled, carryOver(wanted, filled).content)).toEqual({ kind: 'equal' });
  });
});

describe('an object that a file writes in part', () => {
  const same: readonly (readonly [string, string, JsonObject, JsonObject])[] = [
    [
      'kinds of files that autominify does not name',
      'set_config',
      { autominify: { css: true } },
      { autominify: { css: true, html: false, js: false } },
    ],
    [
      'objects without members',
      'set_cache_settings',
      { cache: true, cache_key: { custom_key: { header: {} } }, serve_stale: {} },
      { cache: true },
    ],
  ];
  it.each(same)('equals what the service makes of it: %s', (_, action, file, live) => {
    const parameters = (action_parameters: JsonObject) => content({ action, action_parameters });
    expect(compareContent(parameters(live), parameters(file))).toEqual({ kind: 'equal' });
  });

  it('differs where the service has another value than its default', () => {
    const minify = (autominify: JsonObject) =>
      content({ action: 'set_config', action_parameters: { autominify } });
    expect(compareContent(minify({ css: true, js: true }), minify({ css: true }))).toMatchObject({
      kind: 'different',
      fields: [{ path: '/action_parameters/autominify/js', before: true, after: false }],
    });
  });
});

describe('carryOver', () => {
  it('keeps parameters and fields that this version does not know', () => {
    const live = content({
      action: 'block',
      action_parameters: { response: { status_code: 403 }, shiny: 1 },
      extra: { tags: ['x'] },
    });
    const carried = carryOver(content(), live);
    expect(carried.content.action_parameters).toEqual({ shiny: 1 });
    expect(carried.content.extra).toEqual({ tags: ['x'] });
    expect(carried.paths).toEqual(['/action_parameters/shiny', '/tags']);
  });

  it('drops parameters of another action', () => {
    const live = content({ action: 'route', action_parameters: { shiny: 1 } });
    expect(carryOver(content(), live).content).toEqual(content());
  });
});
