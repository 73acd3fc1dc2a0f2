import { describe, expect, test } from 'vitest';

import { account, api, blockRule, blog, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { Bench, RulesetView } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const MANAGED = 'http_request_firewall_managed';
const CMR = 'efb7b8c949ac4650a09736fc376e9aee';
const ENT = 'cf.zone.plan eq "ENT"';

function execute(id: string, expression = 'true', members: Readonly<Record<string, unknown>> = {}) {
  return { action: 'execute', expression, action_parameters: { id, ...members } };
}

async function customOf(bench: Bench, scope: string): Promise<RulesetView> {
  return bench.ok('POST', `${scope}/rulesets`, {
    name: `Custom of ${scope}`,
    kind: 'custom',
    phase: CUSTOM,
    rules: [blockRule({ ref: 'inner' })],
  });
}

describe('execute', () => {
  test('runs only custom rulesets of the zone itself', async () => {
    const bench = await startBench();
    const own = await customOf(bench, shop);
    const foreign = await customOf(bench, api);
    const accounts = await customOf(bench, account);
    const path = entryPoint(shop, CUSTOM);
    expect((await bench.call('PUT', path, { rules: [execute(own.id)] })).status).toBe(200);
    for (const { id } of [foreign, accounts]) {
      expect(refusalOf(await bench.call('PUT', path, { rules: [execute(id)] }))).toMatchObject({
        status: 400,
        pointer: '/rules/0/action_parameters/id',
      });
    }
  });

  test('cannot run an entry point', async () => {
    const bench = await startBench();
    const { id } = await bench.ok('GET', entryPoint(shop, CUSTOM));
    const reply = await bench.call('PUT', entryPoint(shop, CUSTOM), { rules: [execute(id)] });
    expect(reply.status).toBe(400);
  });

  test('runs a managed ruleset at most once in the entry point of a zone', async () => {
    const bench = await startBench();
    const body = { rules: [execute(CMR), execute(CMR, 'http.host eq "a.example"')] };
    expect(refusalOf(await bench.call('PUT', entryPoint(shop, MANAGED), body))).toEqual({
      status: 400,
      code: 20014,
      message: 'more than one rule is trying to execute the same managed ruleset',
      pointer: undefined,
    });
    const { id } = await bench.ok('GET', entryPoint(shop, MANAGED));
    const added = await bench.call('POST', `${shop}/rulesets/${id}/rules`, execute(CMR, 'ssl'));
    expect(refusalOf(added).code).toBe(20014);
  });

  test('can run a managed ruleset more than once in the entry point of an account', async () => {
    const bench = await startBench();
    const body = { rules: [execute(CMR, ENT), execute(CMR, `(ssl) and ${ENT}`)] };
    expect((await bench.call('PUT', entryPoint(account, MANAGED), body)).status).toBe(200);
  });

  test('leaves the entry point as it is when the custom ruleset changes', async () => {
    const bench = await startBench();
    const custom = await customOf(bench, shop);
    const before = await bench.ok('PUT', entryPoint(shop, CUSTOM), { rules: [execute(custom.id)] });
    await bench.ok('PUT', `${shop}/rulesets/${custom.id}`, { rules: [] });
    expect(await bench.ok('GET', entryPoint(shop, CUSTOM))).toEqual(before);
  });

  test('accepts any managed rule and tag when the switch managedRules is any', async () => {
    const overrides = {
      rules: [{ id: '0'.repeat(32), enabled: true }],
      categories: [{ category: 'no-such-tag', enabled: true }],
    };
    const bench = await startBench({ switches: { managedRules: 'any' } });
    const body = { rules: [execute(CMR, 'true', { overrides })] };
    expect((await bench.call('PUT', entryPoint(shop, MANAGED), body)).status).toBe(200);
  });

  test('a managed ruleset that the plan does not include is refused', async () => {
    const bench = await startBench();
    const body = { rules: [execute('e22d83c647c64a3eae91b71b499d988e')] };
    const phase = 'http_response_firewall_managed';
    expect((await bench.call('PUT', entryPoint(shop, phase), body)).status).toBe(200);
    expect((await bench.call('PUT', entryPoint(blog, phase), body)).status).toBe(400);
  });
});

describe('deleting a ruleset', () => {
  test('is refused while an execute rule names it', async () => {
    const bench = await startBench();
    const custom = await customOf(bench, shop);
    await bench.ok('PUT', entryPoint(shop, CUSTOM), { rules: [execute(custom.id)] });
    const before = bench.service.store.content();
    const reply = await bench.call('DELETE', `${shop}/rulesets/${custom.id}`);
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: undefined });
    expect(bench.service.store.content()).toEqual(before);
    await bench.ok('PUT', entryPoint(shop, CUSTOM), { rules: [] });
    expect((await bench.call('DELETE', `${shop}/rulesets/${custom.id}`)).status).toBe(204);
    expect((await bench.call('GET', `${shop}/rulesets/${custom.id}`)).status).toBe(404);
  });

  test('a rule of a custom ruleset can be deleted', async () => {
    const bench = await startBench();
    const custom = await customOf(bench, shop);
    const [rule] = custom.rules ?? [];
    const reply = await bench.call('DELETE', `${shop}/rulesets/${custom.id}/rules/${rule?.id}`);
    expect(reply.status).toBe(200);
  });

  test('an entry point can be deleted', async () => {
    const bench = await startBench();
    const { id } = await bench.ok('GET', entryPoint(shop, MANAGED));
    expect((await bench.call('DELETE', `${shop}/rulesets/${id}`)).status).toBe(204);
  });
});

describe('skip', () => {
  test('names managed rulesets of the managed rules’ phase only (api.md 5.4)', async () => {
    const bench = await startBench();
    const skip = (id: string) => ({
      rules: [{ action: 'skip', expression: 'true', action_parameters: { rulesets: [id] } }],
    });
    await bench.ok('PUT', entryPoint(shop, CUSTOM), skip(CMR));
    expect(
      refusalOf(await bench.call('PUT', entryPoint(shop, CUSTOM), skip('4d21379b4f9f4bb088e0729962c8b3cf'))),
    ).toMatchObject({ status: 400, pointer: '/rules/0/action_parameters/rulesets/0' });
  });
});
