import { describe, expect, test } from 'vitest';

import { refusalOf, startBench } from './bench.ts';
import { oldZone, OVERRIDES } from './migration-zone.ts';

interface Override {
  readonly id: string;
  readonly urls: readonly string[];
  readonly priority: number;
}

const start = () => startBench({ seed: oldZone() });
const content = { urls: ['old.example/upload*', 'www.old.example'], rules: { '100203': 'disable' } };
const GROUP = 'de677e5818985db1285d0e80225f06e5';

describe('URI-based overrides (specification 9 row "Previous managed-rules WAF", api.md 9.5)', () => {
  test('are created with defaults, read, replaced and deleted', async () => {
    const bench = await start();
    const made = await bench.ok<Override>('POST', OVERRIDES, content);
    expect(made).toEqual({
      id: made.id,
      ...content,
      priority: 0,
      groups: {},
      rewrite_action: {},
      paused: false,
    });
    expect(made.id).toMatch(/^[0-9a-f]{32}$/u);
    const path = `${OVERRIDES}/${made.id}`;
    expect(await bench.ok('GET', path)).toEqual(made);
    const whole = {
      id: made.id,
      description: 'Uploads',
      urls: ['old.example/up*'],
      priority: -5,
      groups: { [GROUP]: 'simulate' },
      rules: {},
      rewrite_action: { default: 'simulate', block: 'challenge' },
      paused: true,
    };
    expect(await bench.ok('PUT', path, whole)).toEqual(whole);
    expect(await bench.ok('GET', OVERRIDES)).toEqual([whole]);
    expect(await bench.ok('DELETE', path)).toEqual({ id: made.id });
    expect((await bench.call('GET', path)).status).toBe(404);
    expect(await bench.ok('GET', OVERRIDES)).toEqual([]);
  });

  test.each([
    ['no urls', { rules: { 1: 'block' } }],
    ['an empty list of urls', { urls: [], rules: { 1: 'block' } }],
    ['a url with a scheme', { ...content, urls: ['https://old.example/'] }],
    ['neither groups nor rules', { urls: ['x'] }],
    ['an unknown action', { ...content, rules: { 1: 'log' } }],
    ['an unknown rewritten action', { ...content, rewrite_action: { log: 'block' } }],
    ['a priority out of bounds', { ...content, priority: 1_000_000_001 }],
    ['a priority that is no whole number', { ...content, priority: 1.5 }],
    ['a group that is no id', { ...content, groups: { x: 'block' } }],
    ['an unknown field', { ...content, url: 'x' }],
    ['a list', [content]],
  ])('POST refuses %s', async (_, body) => {
    const bench = await start();
    expect((await bench.call('POST', OVERRIDES, body)).status).toBe(400);
    expect(await bench.ok('GET', OVERRIDES)).toEqual([]);
  });

  test.each([-1_000_000_000, 1_000_000_000])('priority %i is within bounds', async (priority) => {
    const bench = await start();
    expect(await bench.ok('POST', OVERRIDES, { ...content, priority })).toMatchObject({ priority });
  });

  test.each(['id', 'urls', 'rules', 'rewrite_action'])('PUT needs %s', async (member) => {
    const bench = await start();
    const made = await bench.ok<Override>('POST', OVERRIDES, content);
    const { [member]: _, ...body }: Record<string, unknown> = { ...content, id: made.id, rewrite_action: {} };
    expect((await bench.call('PUT', `${OVERRIDES}/${made.id}`, body)).status).toBe(400);
    expect(await bench.ok('GET', `${OVERRIDES}/${made.id}`)).toEqual(made);
  });

  test('PUT refuses an id other than the one in the path', async () => {
    const bench = await start();
    const { id } = await bench.ok<Override>('POST', OVERRIDES, content);
    const body = { ...content, id: GROUP, rewrite_action: {} };
    expect(refusalOf(await bench.call('PUT', `${OVERRIDES}/${id}`, body)).pointer).toBe('/id');
  });

  test('are listed in pages with the counts', async () => {
    const bench = await start();
    for (let count = 0; count < 12; count += 1) {
      await bench.ok('POST', OVERRIDES, { ...content, priority: count });
    }
    const reply = await bench.call<readonly Override[]>('GET', `${OVERRIDES}?per_page=5&page=3`);
    expect(reply.body.result.map((each) => each.priority)).toEqual([10, 11]);
    expect(reply.body.result_info).toEqual({
      page: 3,
      per_page: 5,
      count: 2,
      total_count: 12,
      total_pages: 3,
    });
  });

  test('overrides of another zone are not found', async () => {
    const seed = {
      version: 1,
      accounts: [{ name: 'A' }],
      zones: [
        { name: 'old.example', plan: 'pro', waf: {} },
        { name: 'other.example', plan: 'pro', waf: { overrides: [{ ...content, id: GROUP }] } },
      ],
    };
    const bench = await startBench({ seed });
    expect((await bench.call('GET', `${OVERRIDES}/${GROUP}`)).status).toBe(404);
    expect((await bench.call('DELETE', `${OVERRIDES}/${GROUP}`)).status).toBe(404);
  });
});
