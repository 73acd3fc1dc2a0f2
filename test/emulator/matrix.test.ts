import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { account, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { Bench, Reply, RulesetView } from './bench.ts';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';

/** A valid rule for each action, where its parameters don't depend on the phase. */
const rules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  block: {},
  challenge: {},
  js_challenge: {},
  managed_challenge: {},
  log: {},
  skip: { action_parameters: { ruleset: 'current' } },
  execute: { action_parameters: { id: MANAGED } },
  rewrite: { action_parameters: { headers: { 'X-A': { operation: 'set', value: '1' } } } },
  redirect: { action_parameters: { from_value: { target_url: { value: '/x' } } } },
  route: { action_parameters: { origin: { port: 1 } } },
  score: { action_parameters: { increment: 1 } },
  serve_error: { action_parameters: { content: 'x' } },
  set_config: { action_parameters: { bic: true } },
  set_cache_settings: { action_parameters: { cache: true } },
  set_cache_control: { action_parameters: { immutable: { operation: 'set' } } },
  set_cache_tags: { action_parameters: { operation: 'set', values: ['a'] } },
  compress_response: { action_parameters: { algorithms: [{ name: 'gzip' }] } },
  log_custom_field: { action_parameters: { request_fields: [{ name: 'a' }] } },
};

/** The actions that each zone phase accepts (api.md 4.2), written down a second time by hand. */
const zonePhases: Readonly<Record<string, readonly string[]>> = {
  http_request_sanitize: ['execute'],
  http_request_dynamic_redirect: ['redirect'],
  http_request_transform: ['rewrite'],
  http_config_settings: ['set_config'],
  http_request_origin: ['route'],
  ddos_l7: ['execute'],
  http_request_firewall_custom: [
    'block',
    'challenge',
    'js_challenge',
    'managed_challenge',
    'log',
    'skip',
    'execute',
  ],
  http_ratelimit: ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'],
  http_request_firewall_managed: ['execute', 'skip'],
  http_request_late_transform: ['rewrite'],
  http_request_cache_settings: ['set_cache_settings'],
  http_custom_errors: ['serve_error'],
  http_response_headers_transform: ['rewrite'],
  http_response_cache_settings: ['set_cache_control', 'set_cache_tags', 'set_cache_settings'],
  http_response_compression: ['compress_response'],
  http_response_firewall_managed: ['execute'],
  http_log_custom_fields: ['log_custom_field'],
};

const accountPhases: Readonly<Record<string, readonly string[]>> = {
  ddos_l4: ['execute'],
  ddos_l7: ['execute'],
  magic_transit: ['block', 'skip', 'execute'],
  magic_transit_managed: ['execute'],
  magic_transit_ratelimit: ['block', 'log'],
  magic_transit_ids_managed: ['execute'],
  http_request_transform: ['rewrite'],
  http_request_firewall_custom: ['execute'],
  http_ratelimit: ['execute'],
  http_request_firewall_managed: ['execute', 'skip'],
  http_request_redirect: ['redirect'],
  http_request_late_transform: ['rewrite'],
  http_custom_errors: ['serve_error'],
  http_response_headers_transform: ['rewrite'],
  http_response_firewall_managed: ['execute'],
};

function isImpossible(reply: Reply<RulesetView>): boolean {
  return refusalOf(reply).code === 20016;
}

async function tryAll(bench: Bench, scope: string, phase: string): Promise<readonly string[]> {
  const possible: string[] = [];
  for (const [action, members] of Object.entries(rules)) {
    const body = { rules: [{ action, expression: 'true', ...members }] };
    const reply = await bench.call('PUT', `${entryPoint(scope, phase)}?dry_run=true`, body);
    if (!isImpossible(reply)) {
      possible.push(action);
    }
  }
  return possible;
}

describe.each([
  ['zone', shop, 'zone', zonePhases],
  ['account', account, 'root', accountPhases],
] as const)('in entry points of a %s', (_, scope, kind, phases) => {
  test.each(Object.entries(phases))('the phase %s accepts %j and nothing else', async (phase, actions) => {
    const bench = await startBench();
    expect(await tryAll(bench, scope, phase)).toEqual(Object.keys(rules).filter((a) => actions.includes(a)));
  });

  test('the refusal names action, phase and kind', async () => {
    const bench = await startBench();
    const phase = 'http_request_firewall_custom';
    const action = kind === 'root' ? 'skip' : 'redirect';
    const body = { rules: [{ action, expression: 'true', ...rules[action] }] };
    expect(refusalOf(await bench.call('PUT', entryPoint(scope, phase), body))).toEqual({
      status: 400,
      code: 20016,
      message: `'${action}' is not a valid value for action because it is not possible to use the ${action} action in a ruleset with phase ${phase} and kind ${kind}`,
      pointer: '/rules/0/action',
    });
  });
});

describe('the phase whose rules the bot settings write (api.md 4.2)', () => {
  const phase = 'http_request_sbfm';
  const id = 'a'.repeat(32);
  const refused = { status: 400, message: expect.stringContaining('the bot settings write its rules') };

  test('refuses an entry point from a client, even an empty one', async () => {
    const bench = await startBench();
    const body = { name: 'x', kind: 'zone', phase, rules: [] };
    expect(refusalOf(await bench.call('PUT', entryPoint(shop, phase), { rules: [] }))).toMatchObject(refused);
    expect(refusalOf(await bench.call('POST', `${shop}/rulesets`, body))).toMatchObject(refused);
    expect((await bench.call('GET', entryPoint(shop, phase))).status).toBe(404);
  });

  test('can be read but not changed', async () => {
    const zones = [{ name: 'z.example', rulesets: [{ id, kind: 'zone', phase }] }];
    const bench = await startBench({ seed: { version: 1, accounts: [{ name: 'A' }], zones } });
    const zone = `/zones/${scopeId('zone', 'z.example')}`;
    const path = `${zone}/rulesets/${id}`;
    const rule = { action: 'block', expression: 'ssl' };
    expect(await bench.ok('GET', entryPoint(zone, phase))).toMatchObject({ id, phase });
    for (const reply of [
      await bench.call('PUT', entryPoint(zone, phase), { description: 'Mine' }),
      await bench.call('PUT', path, { rules: [] }),
      await bench.call('POST', `${path}/rules`, rule),
      await bench.call('DELETE', path),
    ]) {
      expect(refusalOf(reply)).toMatchObject(refused);
    }
  });
});

describe('custom rulesets', () => {
  const phase = 'http_request_firewall_custom';
  const firewall = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log', 'skip'];

  test.each([
    ['zone', shop, phase, firewall],
    ['account', account, phase, [...firewall, 'rewrite']],
    [
      'account',
      account,
      'http_ratelimit',
      ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'],
    ],
    ['account', account, 'http_request_firewall_managed', ['skip']],
    ['account', account, 'magic_transit', ['block', 'skip']],
  ])('of a %s (%s, %s) accept %j', async (_, scope, phase, actions) => {
    const bench = await startBench();
    const possible: string[] = [];
    for (const [action, members] of Object.entries(rules)) {
      const body = { name: 'x', kind: 'custom', phase, rules: [{ action, expression: 'true', ...members }] };
      const reply = await bench.call('POST', `${scope}/rulesets?dry_run=true`, body);
      if (!isImpossible(reply)) {
        possible.push(action);
      }
    }
    expect(possible).toEqual(Object.keys(rules).filter((action) => actions.includes(action)));
  });

  test('a rule in the phase of network rate limits needs a rate', async () => {
    const bench = await startBench();
    const reply = await bench.call('PUT', entryPoint(account, 'magic_transit_ratelimit'), {
      rules: [{ action: 'block', expression: 'true' }],
    });
    expect(refusalOf(reply)).toMatchObject({ status: 400, pointer: '/rules/0/ratelimit' });
  });

  test.each(['ddos_dynamic', 'force_connection_close', 'allow', 'score'])(
    'the custom phase of a zone refuses the action %s',
    async (action) => {
      const bench = await startBench();
      const reply = await bench.call('PUT', entryPoint(shop, phase), {
        rules: [{ action, expression: 'true', ...rules[action] }],
      });
      expect(isImpossible(reply)).toBe(true);
    },
  );

  test('an unknown action is refused by name', async () => {
    const bench = await startBench();
    const reply = await bench.call('PUT', entryPoint(shop, phase), {
      rules: [{ action: 'deny', expression: 'true', action_parameters: { anything: 1 } }],
    });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: "'deny' is not a valid value for action because it is not a known action",
      pointer: '/rules/0/action',
    });
  });
});
