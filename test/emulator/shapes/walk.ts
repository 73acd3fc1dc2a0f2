import { expect } from 'vitest';

import { scopeId } from '../../../src/emulator/index.ts';
import { blockRule } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { envelope } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { misfits } from './shape.ts';

interface Known {
  readonly id: string;
  readonly version?: string;
  readonly detection_mode?: string;
  readonly allowed_modes?: readonly string[];
  readonly rules?: readonly Known[];
  readonly operation_id?: string;
}

/** How a walk asks: a key of the shapes, the variable parts of the path, body and query. */
export type Visit = (
  operation: string,
  params?: Readonly<Record<string, string>>,
  more?: { readonly body?: unknown; readonly query?: string },
) => Promise<Known & readonly Known[]>;

/** Calls operations, holds each answer against its shape, and remembers what was called. */
export function visitor(
  bench: Bench,
  shapes: AnswerShapes,
): { readonly visit: Visit; readonly visited: Set<string> } {
  const visited = new Set<string>();
  const visit: Visit = async (operation, params = {}, { body, query = '' } = {}) => {
    const shape = shapes[operation];
    const [method = '', path = ''] = operation.split(' ');
    const where = path.replaceAll(/:(\w+)/gu, (_, name: string) => params[name] ?? `:${name}`);
    const reply = await bench.call<Known & readonly Known[]>(method, where + query, body);
    if (shape === undefined || reply.status >= 300) {
      throw new Error(`${operation}: ${shape === undefined ? 'no shape' : reply.text}`);
    }
    visited.add(operation);
    if (shape.empty === true) {
      expect([operation, reply.status, reply.text]).toEqual([operation, 204, '']);
    } else {
      expect([operation, ...misfits(envelope(shape), reply.body)]).toEqual([operation]);
      expect(reply.body.success).toBe(true);
    }
    return reply.body.result;
  };
  return { visit, visited };
}

const PHASE = 'http_request_firewall_custom';
const account = scopeId('account', 'Example Shop');
const shop = scopeId('zone', 'shop.example');
const blog = scopeId('zone', 'blog.example');

export async function walkDirectory(visit: Visit): Promise<void> {
  await visit('GET /user');
  await visit('GET /user/tokens/verify');
  await visit('GET /accounts/:account/tokens/verify', { account });
  const [role] = await visit('GET /accounts/:account/roles', { account });
  await visit('GET /accounts/:account/roles/:role', { account, role: role?.id ?? '' });
  const made = await visit('POST /zones', {}, { body: { name: 'new.example', account: { id: account } } });
  await visit('GET /zones');
  await visit('PATCH /zones/:zone', { zone: made.id }, { body: { paused: true } });
  await visit('DELETE /zones/:zone', { zone: made.id });
  await visit('GET /accounts');
  await visit('GET /accounts/:account', { account });
  await visit('GET /zones');
  await visit('GET /zones/:zone', { zone: shop });
}

/** Everything in a scope's rulesets, with as many members of rules as there are. */
export async function walkRulesets(
  visit: Visit,
  scope: '/zones/:zone' | '/accounts/:account',
): Promise<void> {
  const at = { zone: shop, account };
  const limited = {
    ...blockRule({ ref: 'limited' }),
    ratelimit: {
      characteristics: ['ip.src', 'cf.colo.id'],
      period: 60,
      requests_per_period: 5,
      counting_expression: 'http.response.code eq 401',
      requests_to_origin: true,
    },
  };
  const skip = { action: 'skip', expression: 'true', action_parameters: { ruleset: 'current' } };
  await visit(`GET ${scope}/rulesets`, at);
  await visit(`GET ${scope}/rulesets`, at, { query: '?per_page=2' });
  const rules = [blockRule({ description: 'One', ref: 'one' }), skip];
  const made = await visit(`POST ${scope}/rulesets`, at, {
    body: { name: 'Mine', kind: 'custom', phase: PHASE, rules },
  });
  const one = { ...at, ruleset: made.id, version: '1', rule: made.rules?.[0]?.id ?? '' };
  await visit(`GET ${scope}/rulesets/:ruleset`, one);
  await visit(`PUT ${scope}/rulesets/:ruleset`, one, { body: { description: 'New' } });
  await visit(`POST ${scope}/rulesets/:ruleset/rules`, one, { body: blockRule() });
  await visit(`PATCH ${scope}/rulesets/:ruleset/rules/:rule`, one, { body: blockRule({ enabled: false }) });
  await visit(`DELETE ${scope}/rulesets/:ruleset/rules/:rule`, one);
  await visit(`GET ${scope}/rulesets/:ruleset/versions`, one);
  await visit(`GET ${scope}/rulesets/:ruleset/versions/:version`, one);
  await visit(`DELETE ${scope}/rulesets/:ruleset/versions/:version`, one);
  await visit(`DELETE ${scope}/rulesets/:ruleset`, one);
  const phase = scope === '/zones/:zone' ? 'http_ratelimit' : 'http_request_firewall_managed';
  const body = { rules: scope === '/zones/:zone' ? [limited] : [] };
  await visit(`PUT ${scope}/rulesets/phases/:phase/entrypoint`, { ...at, phase }, { body });
  await visit(`GET ${scope}/rulesets/phases/:phase/entrypoint`, { ...at, phase });
  const versions = await visit(`GET ${scope}/rulesets/phases/:phase/entrypoint/versions`, { ...at, phase });
  const version = versions[0]?.version ?? '';
  await visit(`GET ${scope}/rulesets/phases/:phase/entrypoint/versions/:version`, { ...at, phase, version });
}

export async function walkManaged(visit: Visit): Promise<void> {
  const ruleset = 'efb7b8c949ac4650a09736fc376e9aee';
  const { version = '' } = await visit('GET /accounts/:account/rulesets/:ruleset', { account, ruleset });
  await visit('GET /accounts/:account/rulesets/:ruleset', {
    account,
    ruleset: '4814384a9e5d4991b9815dcfc25d2f1f',
  });
  const at = { account, ruleset, version, tag: 'wordpress' };
  await visit('GET /accounts/:account/rulesets/:ruleset/versions/:version/by_tag/:tag', at);
}

export async function walkLists(visit: Visit, bench: Bench): Promise<void> {
  const lists = '/accounts/:account/rules/lists';
  await visit(`GET ${lists}`, { account });
  const items = {
    ip: [{ ip: '192.0.2.1', comment: 'One' }, { ip: '192.0.2.2' }, { ip: '192.0.2.3' }],
    hostname: [{ hostname: { url_hostname: '*.shop.example' } }],
    asn: [{ asn: 64_496 }],
    redirect: [{ redirect: { source_url: 'a.example/', target_url: 'https://b.example' } }],
  };
  for (const [kind, body] of Object.entries(items)) {
    const { id: list } = await visit(`POST ${lists}`, { account }, { body: { name: `of_${kind}`, kind } });
    const at = { account, list };
    await visit(`GET ${lists}/:list`, at);
    await visit(`PUT ${lists}/:list`, at, { body: { description: 'New' } });
    const { operation_id = '' } = await visit(`POST ${lists}/:list/items`, at, { body });
    const operation = { account, operation: operation_id };
    await visit(`GET ${lists}/bulk_operations/:operation`, operation);
    bench.clock.advance(1000);
    await visit(`GET ${lists}/bulk_operations/:operation`, operation);
    const all = await visit(`GET ${lists}/:list/items`, at);
    const item = all[0]?.id ?? '';
    await visit(`GET ${lists}/:list/items`, at, { query: '?per_page=1' });
    await visit(`GET ${lists}/:list/items/:item`, { ...at, item });
    await visit(`PUT ${lists}/:list/items`, at, { body });
    bench.clock.advance(1000);
    await visit(`DELETE ${lists}/:list/items`, at, { body: { items: [{ id: item }] } });
    await visit(`DELETE ${lists}/:list`, at);
  }
}

export async function walkFirewall(visit: Visit): Promise<void> {
  const at = { zone: blog };
  const rules = '/zones/:zone/firewall/rules';
  const filters = '/zones/:zone/filters';
  const [first, second] = await visit(`POST ${filters}`, at, {
    body: [
      { expression: 'ip.src eq 192.0.2.70', description: 'One', ref: 'one' },
      { expression: 'ip.src eq 192.0.2.71' },
    ],
  });
  const filter = first?.id ?? '';
  await visit(`GET ${filters}`, at);
  await visit(`GET ${filters}/:filter`, { ...at, filter });
  const changed = { id: filter, expression: 'ip.src eq 192.0.2.72', paused: false };
  await visit(`PUT ${filters}/:filter`, { ...at, filter }, { body: changed });
  await visit(`PUT ${filters}`, at, { body: [{ ...changed, description: 'Two' }] });
  const [made] = await visit(`POST ${rules}`, at, {
    body: [{ filter: { id: filter }, action: 'block', priority: 3, description: 'Rule' }],
  });
  const [bypass] = await visit(`POST ${rules}`, at, {
    body: [{ filter: { id: second?.id }, action: 'bypass', products: ['bic'] }],
  });
  const rule = { ...at, rule: made?.id ?? '' };
  await visit(`GET ${rules}`, at);
  await visit(`GET ${rules}/:rule`, rule);
  const body = { id: rule.rule, action: 'challenge', filter: { id: filter } };
  await visit(`PUT ${rules}/:rule`, rule, { body });
  await visit(`PUT ${rules}`, at, { body: [body] });
  await visit(`PATCH ${rules}/:rule`, rule, { body: { id: rule.rule, priority: 5 } });
  await visit(`PATCH ${rules}`, at, { body: [{ id: rule.rule, priority: 6 }] });
  await visit(`DELETE ${rules}/:rule`, rule);
  await visit(`DELETE ${rules}`, at, { query: `?id=${bypass?.id}` });
  await visit(`DELETE ${filters}/:filter`, { ...at, filter });
  await visit(`DELETE ${filters}`, at, { query: `?id=${second?.id}` });
}

const zoneObjects: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  rate_limits: {
    match: {
      request: { methods: ['GET'], schemes: ['_ALL_'], url: 'blog.example/*' },
      response: { status: [401] },
    },
    threshold: 60,
    period: 60,
    action: { mode: 'ban', timeout: 600, response: { content_type: 'text/plain', body: 'Slow down' } },
    description: 'Limit',
    bypass: [{ name: 'url', value: 'blog.example/health' }],
  },
  pagerules: {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: '*blog.example/x*' } }],
    actions: [{ id: 'disable_security' }, { id: 'ssl', value: 'flexible' }],
    priority: 1,
    status: 'active',
  },
  'firewall/lockdowns': {
    urls: ['blog.example/admin*'],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
    description: 'Admin',
    priority: 2,
  },
  'firewall/ua_rules': {
    mode: 'block',
    configuration: { target: 'ua', value: 'BadBot/1.0' },
    description: 'Bot',
  },
};

export async function walkZoneObjects(visit: Visit): Promise<void> {
  const at = { zone: blog };
  for (const [path, body] of Object.entries(zoneObjects)) {
    const all = `/zones/:zone/${path}`;
    const made = await visit(`POST ${all}`, at, { body });
    const one = { ...at, object: made.id };
    await visit(`GET ${all}`, at);
    await visit(`GET ${all}/:object`, one);
    await visit(`PUT ${all}/:object`, one, { body: { id: made.id, ...body } });
    if (path === 'pagerules') {
      await visit(`PATCH ${all}/:object`, one, { body: { status: 'disabled' } });
    }
    await visit(`DELETE ${all}/:object`, one);
  }
  const body = { mode: 'block', configuration: { target: 'ip', value: '192.0.2.1' }, notes: 'Scanner' };
  for (const owner of ['/zones/:zone', '/accounts/:account', '/user']) {
    const all = `${owner}/firewall/access_rules/rules`;
    const made = await visit(`POST ${all}`, { zone: blog, account }, { body });
    const one = { zone: blog, account, object: made.id };
    await visit(`GET ${all}`, one);
    await visit(`GET ${all}/:object`, one);
    await visit(`PATCH ${all}/:object`, one, { body: { mode: 'challenge' } });
    await visit(`DELETE ${all}/:object`, one);
  }
}

export async function walkWaf(visit: Visit): Promise<void> {
  const at = { zone: blog };
  const packages = '/zones/:zone/firewall/waf/packages';
  const all = await visit(`GET ${packages}`, at);
  for (const { id, detection_mode } of all) {
    const one = { ...at, package: id };
    await visit(`GET ${packages}/:package`, one);
    if (detection_mode === 'anomaly') {
      await visit(`PATCH ${packages}/:package`, one, { body: { sensitivity: 'low' } });
    }
    const groups = await visit(`GET ${packages}/:package/groups`, one);
    const group = { ...one, group: groups[0]?.id ?? '' };
    await visit(`GET ${packages}/:package/groups/:group`, group);
    await visit(`PATCH ${packages}/:package/groups/:group`, group, { body: { mode: 'on' } });
    const rules = await visit(`GET ${packages}/:package/rules`, one, { query: '?per_page=100' });
    for (const { id: rule } of rules.slice(0, 3)) {
      await visit(`GET ${packages}/:package/rules/:rule`, { ...one, rule });
    }
    const rule = { ...one, rule: rules[0]?.id ?? '' };
    const mode = rules[0]?.allowed_modes?.at(-1);
    await visit(`PATCH ${packages}/:package/rules/:rule`, rule, { body: { mode } });
  }
  const overrides = '/zones/:zone/firewall/waf/overrides';
  const body = {
    urls: ['blog.example/old*'],
    rules: { '100015': 'disable' },
    rewrite_action: { block: 'simulate' },
  };
  const made = await visit(`POST ${overrides}`, at, { body });
  const override = { ...at, override: made.id };
  await visit(`GET ${overrides}`, at);
  await visit(`GET ${overrides}/:override`, override);
  await visit(`PUT ${overrides}/:override`, override, { body: { id: made.id, ...body } });
  await visit(`DELETE ${overrides}/:override`, override);
  for (const operation of ['check', 'config', 'status']) {
    await visit(`GET /zones/:zone/waf_migration/${operation}`, at, { query: '?phase_two=1' });
  }
}
