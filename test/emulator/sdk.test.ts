import Cloudflare, {
  APIError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'cloudflare';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import type { RulesetView } from './bench.ts';

// The vendor's official SDK, as an independent client, goes through every operation of the Rulesets interface.

const zone_id = scopeId('zone', 'shop.example');
const account_id = scopeId('account', 'Example Shop');
const phase = 'http_request_firewall_custom';

let emulator: Emulator;
let client: Cloudflare;

beforeEach(async () => {
  emulator = await startEmulator({ budget: 'off' });
  client = new Cloudflare({ apiToken: emulator.token, baseURL: emulator.baseUrl, maxRetries: 0 });
});

afterEach(async () => {
  await emulator.close();
});

/** The SDK types the answers of mutations as unknown, because a dry run has none. */
function view(answer: unknown): Required<RulesetView> {
  return answer as Required<RulesetView>;
}

const block = { action: 'block', expression: 'ip.src eq 192.0.2.1' } as const;

describe.each([
  ['zone', { zone_id }],
  ['account', { account_id }],
] as const)('rulesets of a %s', (level, scope) => {
  test('are created, read, changed, versioned and deleted', async () => {
    const made = view(
      await client.rulesets.create({
        ...scope,
        name: 'Mine',
        kind: 'custom',
        phase,
        rules: [{ ...block, ref: 'first' }],
      }),
    );
    expect(made).toMatchObject({ name: 'Mine', kind: 'custom', version: '1' });

    const read = await client.rulesets.get(made.id, scope);
    expect(read).toEqual(made);

    const changed = view(
      await client.rulesets.update(made.id, {
        ...scope,
        description: 'New',
        rules: [{ ...block, ref: 'first' }],
      }),
    );
    expect(changed).toMatchObject({ description: 'New', version: '2' });
    expect(changed.rules).toEqual(made.rules);

    const added = view(
      await client.rulesets.rules.create(made.id, {
        ...scope,
        ...block,
        ref: 'second',
        position: { before: '' },
      }),
    );
    expect(added.rules.map((rule) => rule.ref)).toEqual(['second', 'first']);

    const [second] = added.rules;
    const edited = view(
      await client.rulesets.rules.edit(second?.id ?? '', {
        ...scope,
        ruleset_id: made.id,
        ...block,
        enabled: false,
        position: { index: 2 },
      }),
    );
    expect(edited.rules.map((rule) => [rule.ref, rule.enabled])).toEqual([
      ['first', true],
      ['second', false],
    ]);

    const left = view(
      await client.rulesets.rules.delete(second?.id ?? '', { ...scope, ruleset_id: made.id }),
    );
    expect(left.rules.map((rule) => rule.ref)).toEqual(['first']);

    const versions = [];
    for await (const version of client.rulesets.versions.list(made.id, scope)) {
      versions.push(version.version);
    }
    expect(versions).toEqual(['1', '2', '3', '4', '5']);
    const fourth = await client.rulesets.versions.get('4', { ...scope, ruleset_id: made.id });
    expect(fourth.rules).toEqual(edited.rules);
    await client.rulesets.versions.delete('4', { ...scope, ruleset_id: made.id });
    await expect(client.rulesets.versions.get('4', { ...scope, ruleset_id: made.id })).rejects.toBeInstanceOf(
      NotFoundError,
    );

    await client.rulesets.delete(made.id, scope);
    await expect(client.rulesets.get(made.id, scope)).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 10001, message: `could not find ruleset with ID ${made.id}` }],
    });
  });

  test('are listed over all pages of the cursor', async () => {
    const all = [];
    for await (const ruleset of client.rulesets.list({ ...scope, per_page: 50 })) {
      all.push(ruleset.id);
    }
    const paged = [];
    for await (const ruleset of client.rulesets.list({ ...scope, per_page: 3 })) {
      paged.push(ruleset.id);
    }
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(9);
    const requests: unknown = await (await fetch(`${emulator.controlUrl}/requests`)).json();
    expect(requests).toHaveLength(1 + Math.ceil(all.length / 3));
  });

  test('are reached by phase', async () => {
    const where = level === 'zone' ? 'http_request_origin' : 'http_request_redirect';
    const missing = client.rulesets.phases.get(where, scope);
    await expect(missing).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 10003, message: `could not find entrypoint ruleset in the ${where} phase` }],
    });
    const made = await client.rulesets.phases.update(where, { ...scope, rules: [] });
    expect(made).toMatchObject({ kind: level === 'zone' ? 'zone' : 'root', version: '1', phase: where });
    expect(await client.rulesets.phases.get(where, scope)).toEqual(made);
    await client.rulesets.phases.update(where, { ...scope, description: 'Second' });
    const versions = [];
    for await (const version of client.rulesets.phases.versions.list(where, scope)) {
      versions.push(version.version);
    }
    expect(versions).toEqual(['1', '2']);
    const first = await client.rulesets.phases.versions.get('1', { ...scope, ruleset_phase: where });
    expect(first).toEqual(made);
  });
});

describe('rules by tag', () => {
  test('are reached by the raw call: the newest SDK has no typed one', async () => {
    const id = 'efb7b8c949ac4650a09736fc376e9aee';
    const path = `/accounts/${account_id}/rulesets/${id}/versions/243/by_tag/drupal`;
    const { result } = await client.get<{ result: Required<RulesetView> }>(path);
    expect(result.rules.map((rule) => rule.categories)).toEqual([['cve-2018-7600', 'drupal', 'rce']]);
  });
});

describe('dry runs', () => {
  test('answer with null and store nothing', async () => {
    const before = await client.rulesets.phases.get(phase, { zone_id });
    const tried: unknown = await client.rulesets.phases.update(
      phase,
      { zone_id, rules: [] },
      { query: { dry_run: true } },
    );
    expect(tried).toBeNull();
    expect(await client.rulesets.phases.get(phase, { zone_id })).toEqual(before);
  });
});

describe('errors', () => {
  // One member more than the typed call accepts.
  const withKind = { zone_id, rules: [], kind: 'zone' };

  test.each([
    [
      'strict decoding',
      () => client.rulesets.phases.update(phase, withKind),
      BadRequestError,
      { status: 400, errors: [{ message: 'invalid JSON: unknown field "kind"' }] },
    ],
    [
      'a pointer',
      () => client.rulesets.phases.update(phase, { zone_id, rules: [{ ...block, expression: '' }] }),
      BadRequestError,
      { status: 400, errors: [{ code: 20125, source: { pointer: '/rules/0/expression' } }] },
    ],
    [
      'a second entry point',
      () => client.rulesets.create({ zone_id, name: 'default', kind: 'zone', phase }),
      BadRequestError,
      { status: 400, errors: [{ code: 20217, source: { pointer: '/kind' } }] },
    ],
    [
      'a wrong token',
      () => client.withOptions({ apiToken: 'nobody' }).rulesets.phases.get(phase, { zone_id }),
      PermissionDeniedError,
      { status: 403, errors: [{ code: 10000, message: 'Authentication error' }] },
    ],
    [
      'a zone out of reach',
      () => client.rulesets.phases.get(phase, { zone_id: '0'.repeat(32) }),
      PermissionDeniedError,
      { status: 403, errors: [{ code: 9109 }] },
    ],
  ])('%s', async (_, call, kind, shape) => {
    const failure = await Promise.resolve(call()).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject(shape);
  });

  test('too many requests, with the wait in the header', async () => {
    const small = await startEmulator({ budget: { requests: 1, seconds: 300 } });
    try {
      const slow = new Cloudflare({ apiToken: small.token, baseURL: small.baseUrl, maxRetries: 0 });
      await slow.rulesets.phases.get(phase, { zone_id });
      const failure = await slow.rulesets.phases.get(phase, { zone_id }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(RateLimitError);
      expect(failure).toMatchObject({ status: 429, errors: [{ code: 10100 }] });
      expect(failure instanceof APIError && failure.headers?.get('retry-after')).toBe('300');
    } finally {
      await small.close();
    }
  });
});

describe('zones, accounts, tokens', () => {
  test('are listed and read', async () => {
    const zones = [];
    for await (const zone of client.zones.list({ per_page: 5 })) {
      zones.push(zone.name);
    }
    expect(zones).toEqual(['shop.example', 'blog.example', 'api.example']);
    expect(await client.zones.get({ zone_id })).toMatchObject({ name: 'shop.example' });
    const named = await client.zones.list({ name: 'blog.example', account: { id: account_id } });
    expect(named.result.map((zone) => zone.id)).toEqual([scopeId('zone', 'blog.example')]);
    const accounts = [];
    for await (const account of client.accounts.list()) {
      accounts.push(account.name);
    }
    expect(accounts).toEqual(['Example Shop']);
    expect(await client.user.tokens.verify()).toMatchObject({ status: 'active' });
  });

  test('an API key with its email address works, too', async () => {
    const byKey = new Cloudflare({
      apiEmail: 'owner@shop.example',
      apiKey: 'e'.repeat(37),
      baseURL: emulator.baseUrl,
    });
    expect(await byKey.rulesets.phases.get(phase, { zone_id })).toMatchObject({ phase });
  });
});
