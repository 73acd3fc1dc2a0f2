import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { account, blockRule, entryPoint, shop, startBench } from './bench.ts';
import type { Bench, Reply, RulesetView } from './bench.ts';
import { corpusFiles, corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';

const CUSTOM = 'http_request_firewall_custom';
const CMR = 'efb7b8c949ac4650a09736fc376e9aee';
const redirect = {
  action: 'redirect',
  expression: 'true',
  action_parameters: { from_list: { name: 'x', key: 'http.request.full_uri' } },
};

interface ErrorSample {
  readonly http_status: number;
  readonly body?: unknown;
}

const put = (bench: Bench, path: string, ...rules: readonly unknown[]) => bench.call('PUT', path, { rules });

/** How to cause each sampled error of the gateway and the Rulesets interface. */
const causes: Readonly<Record<string, (bench: Bench) => Promise<Reply<unknown>>>> = {
  '10000-authentication-error': (bench) =>
    bench.call('GET', '/zones', undefined, { authorization: 'Bearer nobody' }),
  '10003-no-entrypoint': async (bench) => {
    const { id } = await bench.ok('GET', entryPoint(shop, CUSTOM));
    await bench.ok('DELETE', `${shop}/rulesets/${id}`);
    return bench.call('GET', entryPoint(shop, CUSTOM));
  },
  '10100-rate-limited': async (bench) => {
    for (let count = 0; count < 1200; count += 1) {
      await bench.call('GET', '/user/tokens/verify');
    }
    return bench.call('GET', '/zones');
  },
  '20014-duplicate-managed-execute': (bench) => {
    const rule = { action: 'execute', expression: 'true', action_parameters: { id: CMR } };
    return put(bench, entryPoint(shop, 'http_request_firewall_managed'), rule, rule);
  },
  '20016-skip-not-allowed-in-root': (bench) =>
    put(bench, entryPoint(account, CUSTOM), {
      action: 'skip',
      expression: 'true',
      action_parameters: { ruleset: 'current' },
    }),
  '20106-action-parameters-required-cache': (bench) =>
    put(bench, entryPoint(shop, 'http_request_cache_settings'), {
      action: 'set_cache_settings',
      expression: 'true',
    }),
  '20113-action-parameters-required-config': (bench) =>
    put(bench, entryPoint(shop, 'http_config_settings'), { action: 'set_config', expression: 'true' }),
  '20125-blank-expression': (bench) => put(bench, entryPoint(shop, CUSTOM), blockRule({ expression: '' })),
  '20127-expression-parse-error': (bench) =>
    put(bench, entryPoint(shop, CUSTOM), blockRule({ expression: 'URI Path contains /' })),
  '20127-expression-too-long': (bench) =>
    put(bench, entryPoint(shop, CUSTOM), blockRule({ expression: 'x'.repeat(5000) })),
  '20217-second-entrypoint-root': async (bench) => {
    await bench.ok('POST', `${account}/rules/lists`, { name: 'x', kind: 'redirect' });
    await bench.ok('PUT', entryPoint(account, 'http_request_redirect'), { rules: [redirect] });
    const body = { name: 'default', kind: 'root', phase: 'http_request_redirect' };
    return bench.call('POST', `${account}/rulesets`, body);
  },
  '20217-second-entrypoint-zone': (bench) =>
    bench.call('POST', `${shop}/rulesets`, { name: 'default', kind: 'zone', phase: 'http_ratelimit' }),
  '50001-quota-rules-in-phase': (bench) => {
    const ratelimit = {
      characteristics: ['ip.src', 'cf.colo.id'],
      period: 10,
      requests_per_period: 5,
      mitigation_timeout: 10,
    };
    const rule = blockRule({ ratelimit });
    return put(bench, entryPoint(`/zones/${scopeId('zone', 'free.example')}`, 'http_ratelimit'), rule, rule);
  },
  '50002-not-entitled-phase': (bench) =>
    bench.call('PUT', entryPoint(`/accounts/${scopeId('account', 'Small')}`, CUSTOM), { rules: [] }),
  '6003-invalid-headers': (bench) =>
    bench.call('GET', '/zones', undefined, {
      authorization: '',
      'x-auth-email': 'a@b.example',
      'x-auth-key': 'short',
    }),
  '6007-malformed-json': (bench) => bench.call('PUT', entryPoint(shop, CUSTOM), '{"rules": ['),
  '7001-method-not-allowed': (bench) =>
    bench.call('PUT', `${shop}/rulesets/${CMR}/rules/${CMR}`, blockRule()),
  '9103-unknown-key': (bench) =>
    bench.call('GET', '/zones', undefined, {
      authorization: '',
      'x-auth-email': 'a@b.example',
      'x-auth-key': 'a'.repeat(37),
    }),
  '9106-missing-auth': (bench) => bench.call('GET', '/zones', undefined, { authorization: '' }),
  'action-required': async (bench) => {
    const { id, rules } = await bench.ok('GET', entryPoint(shop, CUSTOM));
    const path = `${shop}/rulesets/${id}/rules/${rules?.[0]?.id}`;
    return bench.call('PATCH', path, { action_parameters: {} });
  },
  'name-cannot-be-modified': async (bench) => {
    const { id } = await bench.ok('GET', entryPoint(shop, CUSTOM));
    return bench.call('PUT', `${shop}/rulesets/${id}`, { name: 'New name', rules: [] });
  },
  'not-entitled-operator': (bench) =>
    put(
      bench,
      entryPoint(`/zones/${scopeId('zone', 'free.example')}`, CUSTOM),
      blockRule({ expression: 'http.host matches "a"' }),
    ),
  '403-not-authorized': (bench) =>
    bench.call('GET', entryPoint(shop, CUSTOM), undefined, { authorization: `Bearer ${'x'.repeat(40)}` }),
  'unknown-json-field': (bench) => bench.call('PUT', entryPoint(shop, CUSTOM), { kind: 'zone' }),
};

/** Samples that are not caused here: errors of other families, of older texts, and of the edge. */
const elsewhere = [
  '1001-invalid-zone-identifier',
  '502-not-json',
  '7003-7000-no-route',
  'block-not-allowed-in-root',
  'legacy-10010-access-rules-not-entitled',
  'legacy-10020-maintenance-mode',
  'legacy-10021-rate-limit-not-entitled',
  'legacy-10102-duplicate-filter',
  'legacy-10202-filter-at-index',
  'lists-10053-redirect-query',
  'not-entitled-field',
  'rate-limits-validation',
  'waf-enrollment-required',
];

/** The shop with a small zone and account, and a token that reaches both and may use no ruleset. */
function errorSeed(): unknown {
  return {
    version: 1,
    accounts: [
      {
        name: 'Example Shop',
        plan: 'enterprise',
        features: ['account_rulesets'],
      },
      { name: 'Small' },
    ],
    zones: [
      {
        name: 'shop.example',
        plan: 'enterprise',
        rulesets: [
          { kind: 'zone', phase: CUSTOM, rules: [blockRule()] },
          { kind: 'zone', phase: 'http_ratelimit', rules: [] },
        ],
      },
      { name: 'free.example', plan: 'free' },
    ],
    tokens: { ['x'.repeat(40)]: [{ permissions: ['DNS Write'], resources: ['*'] }] },
  };
}

describe.skipIf(corpusFolder === undefined)(`sampled errors (${WITHOUT_CORPUS})`, () => {
  const samples = new Map(
    corpusFiles('samples/errors').map(([name, body]) => [name.replace('.json', ''), body as ErrorSample]),
  );

  test('are each caused here or listed as belonging elsewhere', () => {
    expect([...Object.keys(causes), ...elsewhere].sort()).toEqual([...samples.keys()].sort());
  });

  test.each(Object.entries(causes))('%s', async (name, cause) => {
    const bench = await startBench({
      seed: errorSeed(),
      budget: { requests: 1200, seconds: 300 },
    });
    const reply = await cause(bench);
    const sample = samples.get(name);
    expect(reply.status).toBe(sample?.http_status);
    expect(reply.body).toEqual(sample?.body);
  });
});

interface Recorded {
  readonly result: RulesetView | readonly RulesetView[];
}

/** Old or hand-edited recordings that hold what the interface does not allow, each with the reason. */
const knownDifferences: Readonly<Record<string, string>> = {
  'v4-ruleset-zone-http-request-late-transform-01.json': 'address rewritten in a header phase (api.md 5.5)',
  'v4-ruleset-zone-05.json': 'a header with value and expression (api.md 5.5)',
  'v5-ruleset-zone-05.json': 'a header with value and expression (api.md 5.5)',
  'v5-ruleset-zone-http-request-late-transform-01.json': 'address rewritten in a header phase (api.md 5.5)',
};

describe.skipIf(corpusFolder === undefined)(`recorded rulesets (${WITHOUT_CORPUS})`, () => {
  const files = corpusFiles('samples/recorded-rulesets').map(
    ([name, body]) => [name, (body as Recorded).result] as const,
  );
  const lists = files.flatMap(([name, result]) =>
    Array.isArray(result) ? [[name, result as readonly RulesetView[]] as const] : [],
  );
  const single = files.flatMap(([name, result]) =>
    Array.isArray(result) ? [] : [[name, result as RulesetView] as const],
  );

  test('include more than 20 lists and more than 20 single rulesets', () => {
    expect([lists.length > 20, single.length > 20]).toEqual([true, true]);
  });

  test.each(lists)('%s: items of a list have the members of our list items', async (_, items) => {
    const bench = await startBench();
    const [ours] = await bench.ok<readonly RulesetView[]>('GET', `${shop}/rulesets`);
    for (const item of items) {
      // `source` belongs to some phases only.
      expect(shapeOf({ ...item, source: '' })).toEqual(shapeOf({ ...ours, source: '' }));
    }
  });

  test.each(single.filter(([name]) => !(name in knownDifferences)))(
    '%s: comes back as recorded',
    async (_, recorded) => {
      const root = recorded.kind === 'root';
      const rules = (recorded.rules ?? []).map((rule) => ({ ...rule, id: rule.id ?? 'a'.repeat(32) }));
      const managed = recorded.kind === 'managed';
      const kind = managed ? 'zone' : recorded.kind;
      const ruleset = { ...recorded, kind, id: 'f'.repeat(32), rules };
      const features = ['account_rulesets'];
      const bench = await startBench({
        seed: {
          version: 1,
          accounts: [{ name: 'A', plan: 'enterprise', features, ...(root ? { rulesets: [ruleset] } : {}) }],
          zones: [
            {
              name: 'z.example',
              plan: 'enterprise',
              features: ['advanced_ddos'],
              ...(root ? {} : { rulesets: [ruleset] }),
            },
          ],
        },
        switches: { executeVersion: 'latest', emptyRules: 'list' },
      });
      const scope = root ? `/accounts/${scopeId('account', 'A')}` : `/zones/${scopeId('zone', 'z.example')}`;
      const shown = await bench.ok('GET', entryPoint(scope, recorded.phase));
      expect(shown).toEqual({
        ...ruleset,
        ...(shown.source === undefined ? {} : { source: shown.source }),
        rules: rules.map((rule, index) => filled(rule, shown.rules?.[index])),
      });
    },
  );

  /** Adds the members that older answers lack, and drops an empty description. */
  function filled(rule: Partial<RulesetView['rules'] & object>[number] & object, shown: unknown): unknown {
    const ours = shown as Readonly<Record<string, unknown>>;
    const { description, ...rest } = rule as { readonly description?: string };
    return {
      ref: ours['ref'],
      version: ours['version'],
      enabled: true,
      ...rest,
      ...(description === undefined || description === '' ? {} : { description }),
    };
  }
});

/** The members of an object with the types of their values, sorted. */
function shapeOf(value: object): unknown {
  return Object.entries(value)
    .map(([key, member]) => `${key}: ${typeof member}`)
    .sort();
}
