import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { blockRule, entryPoint, refusalOf, startBench } from './bench.ts';
import type { Bench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const ORIGIN = 'http_request_origin';

const zone = `/zones/${scopeId('zone', 'z.example')}`;
const account = `/accounts/${scopeId('account', 'A')}`;

interface Bought {
  readonly plan: string;
  readonly features?: readonly string[];
  readonly accountFeatures?: readonly string[];
}

async function startWith({ plan, features = [], accountFeatures = [] }: Bought): Promise<Bench> {
  return startBench({
    seed: {
      version: 1,
      accounts: [{ name: 'A', plan, features: accountFeatures }],
      zones: [{ name: 'z.example', plan, features }],
    },
  });
}

function many(count: number, rule: Readonly<Record<string, unknown>>): unknown {
  return { rules: Array.from({ length: count }, () => rule) };
}

const route = { action: 'route', expression: 'true', action_parameters: { origin: { port: 1 } } };

describe('rules in a phase', () => {
  test.each([
    ['free', CUSTOM, 5, blockRule()],
    ['pro', CUSTOM, 20, blockRule()],
    ['business', CUSTOM, 100, blockRule()],
    ['enterprise', CUSTOM, 1000, blockRule()],
    ['free', ORIGIN, 10, route],
    ['pro', ORIGIN, 25, route],
    ['business', ORIGIN, 50, route],
    ['enterprise', ORIGIN, 300, route],
    [
      'free',
      'http_custom_errors',
      0,
      { action: 'serve_error', expression: 'true', action_parameters: { content: 'x' } },
    ],
  ])('plan %s allows at most so many rules in %s: %i', async (plan, phase, max, rule) => {
    const bench = await startWith({ plan });
    expect((await bench.call('PUT', entryPoint(zone, phase), many(max, rule))).status).toBe(200);
    expect(refusalOf(await bench.call('PUT', entryPoint(zone, phase), many(max + 1, rule)))).toEqual({
      status: 400,
      code: 50001,
      message: `exceeded the maximum number of rules in the phase ${phase}: ${max + 1} out of ${max}`,
      pointer: undefined,
    });
  });

  test('a single rule over the limit is refused, too', async () => {
    const bench = await startWith({ plan: 'free' });
    const { id } = await bench.ok('PUT', entryPoint(zone, CUSTOM), many(5, blockRule()));
    const reply = await bench.call('POST', `${zone}/rulesets/${id}/rules`, blockRule());
    expect(refusalOf(reply).code).toBe(50001);
  });

  test('features raise the limit', async () => {
    const bench = await startWith({ plan: 'pro', features: ['pro_plus'] });
    expect((await bench.call('PUT', entryPoint(zone, CUSTOM), many(40, blockRule()))).status).toBe(200);
    expect((await bench.call('PUT', entryPoint(zone, CUSTOM), many(41, blockRule()))).status).toBe(400);
  });

  test('features do not raise the limit of a plan that cannot have them', async () => {
    const bench = await startWith({ plan: 'free', features: ['pro_plus', 'application_security'] });
    expect(refusalOf(await bench.call('PUT', entryPoint(zone, CUSTOM), many(6, blockRule()))).code).toBe(
      50001,
    );
  });

  test('rules of deployed custom rulesets count', async () => {
    const bench = await startWith({ plan: 'free' });
    const custom = await bench.ok('POST', `${zone}/rulesets`, {
      name: 'Mine',
      kind: 'custom',
      phase: CUSTOM,
      ...(many(3, blockRule()) as object),
    });
    const execute = { action: 'execute', expression: 'true', action_parameters: { id: custom.id } };
    const put = (count: number) =>
      bench.call('PUT', entryPoint(zone, CUSTOM), {
        rules: [execute, ...Array.from({ length: count }, () => blockRule())],
      });
    expect((await put(1)).status).toBe(200);
    expect(refusalOf(await put(2)).message).toContain('6 out of 5');
    const grown = await bench.call('POST', `${zone}/rulesets/${custom.id}/rules`, blockRule());
    expect(refusalOf(grown).message).toContain('6 out of 5');
  });

  test('rules of custom rulesets that are only skipped do not count', async () => {
    const bench = await startWith({ plan: 'free' });
    const body = { name: 'Mine', kind: 'custom', phase: CUSTOM, ...(many(3, blockRule()) as object) };
    const custom = await bench.ok('POST', `${zone}/rulesets`, body);
    const skip = { action: 'skip', expression: 'true', action_parameters: { rulesets: [custom.id] } };
    const rules = [skip, ...Array.from({ length: 4 }, () => blockRule())];
    expect((await bench.call('PUT', entryPoint(zone, CUSTOM), { rules })).status).toBe(200);
  });

  test('a custom ruleset of an account can have at most 1,000 rules in a firewall phase', async () => {
    const bench = await startWith({ plan: 'enterprise', accountFeatures: ['account_rulesets'] });
    const body = { name: 'x', kind: 'custom', phase: CUSTOM };
    const rules = (count: number) => ({ ...body, ...(many(count, blockRule()) as object) });
    expect((await bench.call('POST', `${account}/rulesets`, rules(1000))).status).toBe(200);
    expect(refusalOf(await bench.call('POST', `${account}/rulesets`, rules(1001))).code).toBe(50001);
  });

  test('bulk redirects are limited by the plan of the account', async () => {
    const bench = await startWith({ plan: 'free' });
    const rule = {
      action: 'redirect',
      expression: 'true',
      action_parameters: { from_list: { name: 'l', key: 'http.request.full_uri' } },
    };
    await bench.ok('POST', `${account}/rules/lists`, { name: 'l', kind: 'redirect' });
    const path = entryPoint(account, 'http_request_redirect');
    expect((await bench.call('PUT', path, many(15, rule))).status).toBe(200);
    expect((await bench.call('PUT', path, many(16, rule))).status).toBe(400);
  });
});

describe('custom rulesets', () => {
  test.each([
    ['free', 1],
    ['pro', 2],
    ['business', 5],
    ['enterprise', 10],
  ])('plan %s allows at most %i in a zone', async (plan, max) => {
    const bench = await startWith({ plan });
    for (let count = 0; count < max; count += 1) {
      const body = { name: `Number ${count}`, kind: 'custom', phase: CUSTOM };
      await bench.ok('POST', `${zone}/rulesets`, body);
    }
    const reply = await bench.call('POST', `${zone}/rulesets`, {
      name: 'More',
      kind: 'custom',
      phase: CUSTOM,
    });
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: 20217,
      message: `'custom' is not a valid value for kind because exceeded maximum number of custom rulesets for phase ${CUSTOM}`,
      pointer: '/kind',
    });
  });
});

describe('phases of an account', () => {
  test.each([
    [CUSTOM, 'account_rulesets'],
    ['http_ratelimit', 'account_rulesets'],
    ['ddos_l7', 'account_rulesets'],
    ['magic_transit', 'magic_transit'],
    ['ddos_l4', 'network_ddos'],
  ])('the phase %s needs the feature %s', async (phase, feature) => {
    const without = await startWith({ plan: 'enterprise' });
    expect(refusalOf(await without.call('PUT', entryPoint(account, phase), { rules: [] }))).toEqual({
      status: 400,
      code: 50002,
      message: `not entitled to use the phase ${phase}`,
      pointer: undefined,
    });
    const having = await startWith({ plan: 'enterprise', accountFeatures: [feature] });
    expect((await having.call('PUT', entryPoint(account, phase), { rules: [] })).status).toBe(200);
  });

  test('bulk redirects need no feature', async () => {
    const bench = await startWith({ plan: 'free' });
    const path = entryPoint(account, 'http_request_redirect');
    expect((await bench.call('PUT', path, { rules: [] })).status).toBe(200);
  });
});

describe('features of larger plans', () => {
  const parameters = (value: unknown) => ({ expression: 'true', action_parameters: value });
  test.each([
    [CUSTOM, { action: 'log', expression: 'true' }],
    [ORIGIN, { action: 'route', ...parameters({ host_header: 'a.example' }) }],
    [ORIGIN, { action: 'route', ...parameters({ sni: { value: 'a.example' } }) }],
    [ORIGIN, { action: 'route', ...parameters({ origin: { host: 'a.example' } }) }],
    [
      'http_request_cache_settings',
      {
        action: 'set_cache_settings',
        ...parameters({ cache_key: { custom_key: { host: { resolved: true } } } }),
      },
    ],
  ])('%s: %j needs Enterprise', async (phase, rule) => {
    const business = await startWith({ plan: 'business' });
    const refusal = refusalOf(await business.call('PUT', entryPoint(zone, phase), { rules: [rule] }));
    expect(refusal.status).toBe(400);
    expect(refusal.message).toMatch(
      /^not entitled: the use of .+ is not allowed, an Enterprise plan is required$/u,
    );
    const enterprise = await startWith({ plan: 'enterprise' });
    expect((await enterprise.call('PUT', entryPoint(zone, phase), { rules: [rule] })).status).toBe(200);
  });

  test.each([
    ['free', 7199, 7200],
    ['pro', 3599, 3600],
    ['business', 0, 1],
  ])('plan %s refuses an edge TTL of %i seconds and accepts %i', async (plan, less, least) => {
    const bench = await startWith({ plan });
    const put = (seconds: number) =>
      bench.call('PUT', entryPoint(zone, 'http_request_cache_settings'), {
        rules: [
          {
            action: 'set_cache_settings',
            ...parameters({ edge_ttl: { mode: 'override_origin', default: seconds } }),
          },
        ],
      });
    expect((await put(less)).status).toBe(400);
    expect((await put(least)).status).toBe(200);
  });

  test('a DDoS override must have the expression true; advanced_ddos allows others, and several rules', async () => {
    const rule = (expression: string) => ({
      action: 'execute',
      expression,
      action_parameters: { id: '4d21379b4f9f4bb088e0729962c8b3cf', overrides: { sensitivity_level: 'low' } },
    });
    const plain = await startWith({ plan: 'enterprise' });
    const put = (bench: Bench, expression: string) =>
      bench.call('PUT', entryPoint(zone, 'ddos_l7'), { rules: [rule(expression)] });
    expect((await put(plain, 'true')).status).toBe(200);
    expect((await put(plain, 'ssl')).status).toBe(400);
    const advanced = await startWith({ plan: 'enterprise', features: ['advanced_ddos'] });
    expect((await put(advanced, 'ssl')).status).toBe(200);
    const two = { rules: [rule('ssl'), rule('not ssl')] };
    expect((await advanced.call('PUT', entryPoint(zone, 'ddos_l7'), two)).status).toBe(200);
  });

  test.each([
    ['of the ruleset', { action: 'log' }],
    ['of a tag', { categories: [{ category: 'generic', action: 'log' }] }],
  ])('a DDoS override with the action log needs advanced_ddos: %s', async (_, overrides) => {
    const action_parameters = { id: '4d21379b4f9f4bb088e0729962c8b3cf', overrides };
    const rules = [{ action: 'execute', expression: 'true', action_parameters }];
    const put = (bench: Bench) => bench.call('PUT', entryPoint(zone, 'ddos_l7'), { rules });
    expect(refusalOf(await put(await startWith({ plan: 'enterprise' }))).message).toBe(
      'not entitled: the use of an override with the log action is not allowed, an Advanced DDoS Protection plan is required',
    );
    const advanced = await startWith({ plan: 'enterprise', features: ['advanced_ddos'] });
    expect((await put(advanced)).status).toBe(200);
  });
});

describe('rate limits', () => {
  const limit = (members: Readonly<Record<string, unknown>> = {}) => ({
    characteristics: ['ip.src', 'cf.colo.id'],
    period: 10,
    requests_per_period: 5,
    mitigation_timeout: 10,
    ...members,
  });
  const put = (bench: Bench, ratelimit: unknown, action = 'block') =>
    bench.call('PUT', entryPoint(zone, 'http_ratelimit'), {
      rules: [{ action, expression: 'true', ratelimit }],
    });
  const characteristics = (...names: readonly string[]) =>
    limit({ characteristics: ['cf.colo.id', ...names] });

  test.each([
    ['free', limit(), 200],
    ['free', limit({ period: 60 }), 400],
    ['free', limit({ mitigation_timeout: 60 }), 400],
    ['pro', limit({ period: 60, mitigation_timeout: 3600 }), 200],
    ['pro', limit({ period: 120 }), 400],
    ['pro', limit({ mitigation_timeout: 86_400 }), 400],
    ['pro', limit({ counting_expression: 'ssl' }), 400],
    ['pro', limit({ mitigation_timeout: 0 }), 400],
    ['pro', characteristics('cf.unique_visitor_id'), 400],
    ['business', limit({ period: 600, mitigation_timeout: 86_400, counting_expression: 'ssl' }), 200],
    ['business', limit({ period: 900 }), 400],
    ['business', characteristics('cf.unique_visitor_id'), 200],
    ['business', characteristics('http.host'), 400],
    ['enterprise', limit({ period: 65_535, mitigation_timeout: 0 }), 200],
    [
      'enterprise',
      characteristics('decode_base64(http.host)', 'ip.src.asnum', 'http.request.headers["x-a"]', 'ip.src'),
      200,
    ],
    [
      'enterprise',
      characteristics('http.host', 'ip.src.asnum', 'cf.bot_management.ja4', 'ip.src', 'ip.src.country'),
      400,
    ],
  ])('plan %s: %j is answered %i', async (plan, ratelimit, status) => {
    const bench = await startWith({ plan });
    expect((await put(bench, ratelimit)).status).toBe(status);
  });

  test.each([
    ['without the place of the request', { characteristics: ['ip.src'] }, 'characteristics'],
    ['with nothing but the place', { characteristics: ['cf.colo.id'] }, 'characteristics'],
    ['by something unknown', { characteristics: ['cf.colo.id', 'tcp.port'] }, 'characteristics/1'],
    [
      'by two of a kind',
      { characteristics: ['cf.colo.id', 'ip.src', 'cf.unique_visitor_id'] },
      'characteristics',
    ],
    ['in a period that is none', { period: 11 }, 'period'],
    ['without a threshold', { requests_per_period: undefined }, ''],
    ['with two thresholds', { score_per_period: 5 }, ''],
    ['with a threshold of 0', { requests_per_period: 0 }, 'requests_per_period'],
    [
      'by score without its header',
      { requests_per_period: undefined, score_per_period: 5 },
      'score_response_header_name',
    ],
  ])('%s are refused', async (_, members, pointer) => {
    const bench = await startWith({ plan: 'enterprise' });
    expect(refusalOf(await put(bench, limit(members)))).toMatchObject({
      status: 400,
      pointer: `/rules/0/ratelimit${pointer === '' ? '' : `/${pointer}`}`,
    });
  });

  test('a limit by score needs advanced_rate_limiting', async () => {
    const ratelimit = limit({
      requests_per_period: undefined,
      score_per_period: 5,
      score_response_header_name: 'x-score',
    });
    const plain = await startWith({ plan: 'enterprise' });
    expect((await put(plain, ratelimit)).status).toBe(400);
    const advanced = await startWith({ plan: 'enterprise', features: ['advanced_rate_limiting'] });
    expect((await put(advanced, ratelimit)).status).toBe(200);
  });

  test('a challenge below Enterprise cannot have a mitigation timeout', async () => {
    const bench = await startWith({ plan: 'business' });
    expect((await put(bench, limit(), 'managed_challenge')).status).toBe(400);
    const open = await put(bench, limit({ mitigation_timeout: undefined }), 'managed_challenge');
    expect(open.body.result.rules?.[0]?.ratelimit).toMatchObject({ mitigation_timeout: 0 });
  });

  test('are required in their phase and forbidden in others', async () => {
    const bench = await startWith({ plan: 'enterprise' });
    expect(refusalOf(await put(bench, undefined)).pointer).toBe('/rules/0/ratelimit');
    const elsewhere = await bench.call('PUT', entryPoint(zone, CUSTOM), {
      rules: [blockRule({ ratelimit: limit() })],
    });
    expect(refusalOf(elsewhere).pointer).toBe('/rules/0/ratelimit');
  });
});
