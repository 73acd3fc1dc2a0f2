import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { blockRule, entryPoint, refusalOf, startBench } from './bench.ts';
import type { RulesetView } from './bench.ts';

const zone = `/zones/${scopeId('zone', 'one.example')}`;
const other = `/zones/${scopeId('zone', 'two.example')}`;
const account = `/accounts/${scopeId('account', 'A')}`;
const CUSTOM = 'http_request_firewall_custom';

const tokens = {
  'waf-writer-waf-writer-waf-writer-writer0': [
    { permissions: ['Zone WAF Write'], resources: [scopeId('zone', 'one.example')] },
  ],
  'waf-reader-waf-reader-waf-reader-reader0': [{ permissions: ['Zone WAF Read'], resources: ['*'] }],
  'origin-writer-origin-writer-origin-writ0': [
    { permissions: ['Origin Write'], resources: [scopeId('account', 'A')] },
  ],
  'account-waf-account-waf-account-waf-wri0': [
    { permissions: ['Account WAF Write'], resources: [scopeId('account', 'A')] },
  ],
  'firewall-services-firewall-services-fir0': [
    { permissions: ['Firewall Services Write'], resources: ['*'] },
  ],
};

type TokenName = 'waf-writer' | 'waf-reader' | 'origin-writer' | 'account-waf' | 'firewall-services';

function as(name: TokenName): Readonly<Record<string, string>> {
  const token = Object.keys(tokens).find((each) => each.startsWith(name));
  return { authorization: `Bearer ${token}` };
}

const seed = {
  version: 1,
  accounts: [{ name: 'A', plan: 'enterprise', features: ['account_rulesets'] }],
  zones: [
    {
      name: 'one.example',
      plan: 'enterprise',
      rulesets: [{ kind: 'zone', phase: CUSTOM, rules: [blockRule()] }],
    },
    { name: 'two.example', plan: 'enterprise' },
  ],
  tokens,
};

describe('permissions by phase', () => {
  test.each([
    ['waf-writer', 'GET', zone, CUSTOM, 200],
    ['waf-writer', 'PUT', zone, CUSTOM, 200],
    ['waf-writer', 'PUT', zone, 'http_ratelimit', 200],
    ['waf-writer', 'PUT', zone, 'http_request_origin', 403],
    ['waf-writer', 'GET', zone, 'http_request_origin', 403],
    ['waf-writer', 'PUT', other, CUSTOM, 403],
    ['waf-reader', 'GET', zone, CUSTOM, 200],
    ['waf-reader', 'PUT', zone, CUSTOM, 403],
    ['origin-writer', 'PUT', zone, 'http_request_origin', 200],
    ['origin-writer', 'PUT', zone, CUSTOM, 403],
    ['account-waf', 'PUT', account, CUSTOM, 200],
    ['account-waf', 'PUT', zone, CUSTOM, 403],
    ['firewall-services', 'GET', zone, CUSTOM, 403],
  ] as const)('%s: %s %s %s is answered %i', async (name, method, scope, phase, status) => {
    const bench = await startBench({ seed });
    const body = method === 'PUT' ? { rules: [] } : undefined;
    const reply = await bench.call(method, entryPoint(scope, phase), body, as(name));
    expect(reply.status).toBe(status);
  });

  test('the refusal has no code', async () => {
    const bench = await startBench({ seed });
    const path = entryPoint(zone, 'http_request_origin');
    const reply = await bench.call('GET', path, undefined, as('waf-writer'));
    expect(reply.body.errors).toEqual([{ message: 'request is not authorized' }]);
  });

  test('a token for one phase lists rulesets of other phases; one for no phase is refused', async () => {
    const bench = await startBench({ seed });
    const list = await bench.call<readonly RulesetView[]>(
      'GET',
      `${zone}/rulesets`,
      undefined,
      as('origin-writer'),
    );
    expect(list.body.result.some(({ phase }) => phase === CUSTOM)).toBe(true);
    const denied = await bench.call('GET', `${zone}/rulesets`, undefined, as('firewall-services'));
    expect(denied.status).toBe(403);
  });

  test('apply to rulesets and rules by id, and are checked before the body is read', async () => {
    const bench = await startBench({ seed });
    const { id, rules } = await bench.ok('GET', entryPoint(zone, CUSTOM));
    const path = `${zone}/rulesets/${id}`;
    const attempts = [
      ['PUT', path, 'nonsense'],
      ['DELETE', path, undefined],
      ['POST', `${path}/rules`, blockRule()],
      ['PATCH', `${path}/rules/${rules?.[0]?.id}`, blockRule()],
      ['DELETE', `${path}/rules/${rules?.[0]?.id}`, undefined],
    ] as const;
    const before = bench.service.store.content();
    for (const [method, where, body] of attempts) {
      expect(refusalOf(await bench.call(method, where, body, as('waf-reader')))).toMatchObject({
        status: 403,
        message: 'request is not authorized',
      });
    }
    expect(bench.service.store.content()).toEqual(before);
  });

  test('a dry run needs the same permission', async () => {
    const bench = await startBench({ seed });
    const path = `${entryPoint(zone, CUSTOM)}?dry_run=true`;
    expect((await bench.call('PUT', path, { rules: [] }, as('waf-reader'))).status).toBe(403);
    expect((await bench.call('PUT', path, { rules: [] }, as('waf-writer'))).status).toBe(200);
  });

  test('a managed ruleset can be read with a permission for any phase', async () => {
    const bench = await startBench({ seed });
    const path = `${zone}/rulesets/efb7b8c949ac4650a09736fc376e9aee`;
    expect((await bench.call('GET', path, undefined, as('origin-writer'))).status).toBe(200);
    expect((await bench.call('GET', path, undefined, as('firewall-services'))).status).toBe(403);
  });
});
