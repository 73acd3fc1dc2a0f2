import Cloudflare from 'cloudflare';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { scopeId, startEmulator } from '../../src/emulator/index.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import type { FirewallRuleView } from './firewall-bench.ts';

// The vendor's official SDK goes through the old families. Where its typed call differs from the specification, the tests use its raw call (api.md
// 13.4).

const zone_id = scopeId('zone', 'blog.example');
const rulesPath = `/zones/${zone_id}/firewall/rules`;

let emulator: Emulator;
let client: Cloudflare;

beforeEach(async () => {
  emulator = await startEmulator({ budget: 'off' });
  client = new Cloudflare({ apiToken: emulator.token, baseURL: emulator.baseUrl, maxRetries: 0 });
});

afterEach(async () => {
  await emulator.close();
});

async function all<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of pages) {
    items.push(item);
  }
  return items;
}

interface LimitView {
  readonly id: string;
  readonly description?: string;
}

/** The results, one or several, of an answer that the SDK no longer types. */
function limits(answer: unknown): readonly LimitView[] {
  return [(answer as { readonly result: LimitView | LimitView[] }).result].flat();
}

interface Created {
  readonly result: readonly FirewallRuleView[];
}

describe('the official SDK', () => {
  test('walks filters', async () => {
    const made = await all(
      client.filters.create({
        zone_id,
        body: [{ expression: 'http.host eq "a"' }, { expression: 'http.host eq "b"', ref: 'B' }],
      }),
    );
    expect(made).toHaveLength(2);
    const [a, b] = made;
    const id = a?.id ?? '';
    expect(await client.filters.get(id, { zone_id })).toEqual(a);
    expect(await all(client.filters.list({ zone_id, ref: 'B' }))).toEqual([b]);
    const renamed = await client.filters.update(id, {
      zone_id,
      expression: 'http.host eq "c"',
      description: 'C',
    });
    expect(renamed).toEqual({ ...a, expression: 'http.host eq "c"', description: 'C' });
    const bulk = await all(client.filters.bulkUpdate({ zone_id, body: [{ ...b, paused: true }] }));
    expect(bulk).toEqual([{ ...b, paused: true }]);
    expect(await client.filters.delete(id, { zone_id })).toEqual([{ id }]);
    expect(await client.filters.bulkDelete({ zone_id, id: [b?.id ?? ''] })).toEqual([{ id: b?.id }]);
    const left = await all(client.filters.list({ zone_id, per_page: 5 }));
    expect(left.length).toBeGreaterThan(5);
    expect(left.map((filter) => filter.id)).not.toContain(id);
  });

  test('walks firewall rules, created by the raw call', async () => {
    const before = await all(client.firewall.rules.list({ zone_id, per_page: 5 }));
    const { result } = await client.post<Created>(rulesPath, {
      body: [
        { action: 'block', description: 'One', filter: { expression: 'http.host eq "one"' } },
        { action: 'bypass', products: ['waf'], filter: { expression: 'http.host eq "two"' } },
      ],
    });
    const [one, two] = result;
    const [oneId, twoId] = [one?.id ?? '', two?.id ?? ''];
    expect(await client.firewall.rules.get(oneId, { zone_id })).toEqual(one);
    expect(await all(client.firewall.rules.list({ zone_id, per_page: 5 }))).toEqual([...before, one, two]);
    const changed = await client.put<{ result: FirewallRuleView }>(`${rulesPath}/${oneId}`, {
      body: { id: oneId, action: 'challenge', filter: { id: one?.filter.id } },
    });
    expect(changed.result).toMatchObject({ id: oneId, action: 'challenge' });
    const moved = await client.patch<Created>(`${rulesPath}/${oneId}`, { body: { id: oneId, priority: 3 } });
    expect(moved.result).toEqual([{ ...changed.result, priority: 3 }]);
    await client.patch(rulesPath, { body: [{ id: twoId, priority: 4 }] });
    expect(await client.firewall.rules.delete(oneId, { zone_id })).toEqual([{ id: oneId }]);
    expect(await all(client.firewall.rules.bulkDelete({ zone_id }, { query: { id: [twoId] } }))).toEqual([
      { id: twoId },
    ]);
    expect(await all(client.firewall.rules.list({ zone_id }))).toEqual(before);
  });

  test('is refused when its typed call creates a firewall rule, which is not the form of the specification', async () => {
    const typed = all(
      client.firewall.rules.create({ zone_id, action: { mode: 'ban' }, filter: { expression: 'ssl' } }),
    );
    await expect(typed).rejects.toMatchObject({
      status: 400,
      errors: [{ message: 'invalid JSON: cannot decode object into field "body" of type array' }],
    });
  });

  test('walks rate limits, whose answers it no longer types', async () => {
    const path = `/zones/${zone_id}/rate_limits`;
    const before = limits(await client.rateLimits.list({ zone_id, per_page: 10 }));
    expect(before.map(({ description }) => description)).toEqual(['Logins', 'Search']);
    const [made] = limits(
      await client.rateLimits.create({
        zone_id,
        match: { request: { url: 'blog.example/x' } },
        threshold: 3,
        period: 60,
        action: { mode: 'ban', timeout: 60 },
      }),
    );
    const id = made?.id ?? '';
    expect(limits(await client.rateLimits.get(id, { zone_id }))).toEqual([made]);
    const edited = await client.rateLimits.edit(id, {
      zone_id,
      match: {},
      threshold: 4,
      period: 60,
      action: { mode: 'challenge' },
    });
    expect(limits(edited)).toMatchObject([{ id, threshold: 4, action: { mode: 'challenge' } }]);
    expect(limits(await client.rateLimits.delete(id, { zone_id }))).toEqual([{ id }]);
    const refused = client.post(path, {
      body: { match: {}, threshold: 0, period: 0, action: { mode: 'ban' } },
    });
    await expect(Promise.resolve(refused)).rejects.toBeInstanceOf(Cloudflare.BadRequestError);
  });

  test('walks page rules', async () => {
    const before = await client.pageRules.list({ zone_id });
    expect(before.map(({ actions }) => actions)).toEqual([
      [{ id: 'disable_security' }],
      [{ id: 'waf', value: 'off' }],
    ]);
    const targets = [
      { target: 'url' as const, constraint: { operator: 'matches' as const, value: 'blog.example/x' } },
    ];
    const made = await client.pageRules.create({
      zone_id,
      targets,
      actions: [{ id: 'ssl', value: 'full' }],
      priority: 9,
    });
    expect(await client.pageRules.get(made.id, { zone_id })).toEqual(made);
    const edited = await client.pageRules.edit(made.id, { zone_id, status: 'active' });
    expect(edited).toMatchObject({ status: 'active', priority: 9 });
    const put = await client.pageRules.update(made.id, {
      zone_id,
      targets,
      actions: [{ id: 'disable_security' }],
    });
    expect(put).toMatchObject({ status: 'disabled', priority: 1 });
    expect(await client.pageRules.delete(made.id, { zone_id })).toEqual({ id: made.id });
    expect(await client.pageRules.list({ zone_id })).toEqual(before);
  });

  test('walks lockdowns and user agent rules', async () => {
    expect(await all(client.firewall.lockdowns.list({ zone_id }))).toHaveLength(1);
    const made = await client.firewall.lockdowns.create({
      zone_id,
      urls: ['blog.example/y'],
      configurations: [{ target: 'ip', value: '192.0.2.1' }],
    });
    expect(await client.firewall.lockdowns.get(made.id, { zone_id })).toEqual(made);
    expect(await client.firewall.lockdowns.delete(made.id, { zone_id })).toEqual({ id: made.id });
    await client.firewall.uaRules.create({
      zone_id,
      mode: 'block',
      configuration: { target: 'ua', value: 'x' },
    });
    const rules = await all(client.firewall.uaRules.list({ zone_id }));
    expect(rules).toMatchObject([{ mode: 'block' }]);
  });
});
