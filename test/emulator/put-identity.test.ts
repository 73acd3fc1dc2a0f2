import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../property-runs.ts';
import { api, blockRule, entryPoint, refusalOf, startBench } from './bench.ts';
import type { RulesetView, Bench } from './bench.ts';

const path = entryPoint(api, 'http_request_firewall_custom');

async function withRules(bench: Bench, refs: readonly string[]): Promise<RulesetView> {
  await bench.ok('PUT', path, { rules: [] });
  return bench.ok('PUT', path, { rules: refs.map((ref) => blockRule({ ref, description: ref })) });
}

describe('a PUT matches its entries to rules', () => {
  test('by id: the definition is replaced, not merged; the ref stays', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b']);
    const [a, b] = before.rules ?? [];
    const after = await bench.ok('PUT', path, {
      rules: [{ id: a?.id, action: 'managed_challenge', expression: 'true' }, { id: b?.id }],
    });
    expect(after.rules?.[0]).toEqual({
      id: a?.id,
      version: '2',
      action: 'managed_challenge',
      expression: 'true',
      last_updated: after.last_updated,
      ref: 'a',
      enabled: true,
    });
    expect(after.rules?.[1]).toEqual(b);
  });

  test('an entry with only an id keeps its rule; read-only members are ignored', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b', 'c']);
    const [a, b, c] = before.rules ?? [];
    const after = await bench.ok('PUT', path, {
      rules: [{ id: c?.id }, { id: a?.id, version: '1', last_updated: 'x', ref: '' }],
    });
    expect(after.rules).toEqual([c, a]);
    expect(after.rules).not.toContainEqual(b);
  });

  test('by ref: the id is kept', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b']);
    const after = await bench.ok('PUT', path, {
      rules: [blockRule({ ref: 'new' }), blockRule({ ref: 'b', description: 'changed' })],
    });
    expect(after.rules?.[1]).toMatchObject({
      id: before.rules?.[1]?.id,
      version: '2',
      description: 'changed',
    });
    expect(after.rules?.[0]?.id).not.toBe(before.rules?.[0]?.id);
  });

  test('by ref also when the ref is the id that the service gave', async () => {
    const bench = await startBench();
    const [made] = (await bench.ok('PUT', path, { rules: [blockRule()] })).rules ?? [];
    const after = await bench.ok('PUT', path, { rules: [blockRule({ ref: made?.id, enabled: false })] });
    expect(after.rules?.[0]).toMatchObject({ id: made?.id, version: '2', enabled: false });
  });

  test('a ref beside an id replaces the ref of that rule', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const id = before.rules?.[0]?.id;
    const after = await bench.ok('PUT', path, { rules: [blockRule({ id, ref: 'z', description: 'a' })] });
    expect(after.rules?.[0]).toMatchObject({ id, ref: 'z', version: '2' });
  });

  test('without id and ref every rule is new', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const after = await bench.ok('PUT', path, { rules: [blockRule({ description: 'a' })] });
    expect(after.rules?.[0]?.id).not.toBe(before.rules?.[0]?.id);
    expect(after.rules?.[0]?.version).toBe('1');
  });

  test('empty strings for id, version and ref count as absent', async () => {
    const bench = await startBench();
    const after = await bench.ok('PUT', path, { rules: [blockRule({ id: '', version: '', ref: '' })] });
    expect(after.rules).toHaveLength(1);
    expect(after.rules?.[0]?.ref).toBe(after.rules?.[0]?.id);
  });

  test('an unknown id is refused', async () => {
    const bench = await startBench();
    const id = '0'.repeat(32);
    const reply = await bench.call('PUT', path, { rules: [blockRule(), { id }] });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: `could not find rule with ID ${id}`,
      pointer: '/rules/1/id',
    });
  });

  test('two entries for one rule are refused', async () => {
    const bench = await startBench();
    const [a] = (await withRules(bench, ['a', 'b'])).rules ?? [];
    const twice = await bench.call('PUT', path, { rules: [{ id: a?.id }, { id: a?.id }] });
    expect(refusalOf(twice)).toMatchObject({ status: 400, pointer: '/rules/1/id' });
    const mixed = await bench.call('PUT', path, { rules: [{ id: a?.id }, blockRule({ ref: 'a' })] });
    expect(refusalOf(mixed)).toMatchObject({ status: 400, code: 20021, pointer: '/rules/1/ref' });
  });

  test('two new rules with one ref are refused, and so are two entries that name one rule by ref and by id', async () => {
    const bench = await startBench();
    const reply = await bench.call('PUT', path, {
      rules: [blockRule({ ref: 'x' }), blockRule({ ref: 'x' })],
    });
    expect(refusalOf(reply)).toMatchObject({
      code: 20021,
      message: "'x' is not a valid value for ref because it is already used",
      pointer: '/rules/1/ref',
    });
    const [made] = (await bench.ok('PUT', path, { rules: [blockRule()] })).rules ?? [];
    const stolen = await bench.call('PUT', path, { rules: [blockRule({ ref: made?.id }), { id: made?.id }] });
    expect(refusalOf(stolen).pointer).toBe('/rules/1/id');
  });

  test('a swap of refs keeps both ids', async () => {
    const bench = await startBench();
    const [a, b] = (await withRules(bench, ['a', 'b'])).rules ?? [];
    const after = await bench.ok('PUT', path, {
      rules: [
        blockRule({ id: a?.id, ref: 'b', description: 'a' }),
        blockRule({ id: b?.id, ref: 'a', description: 'b' }),
      ],
    });
    expect(after.rules?.map((rule) => [rule.id, rule.ref])).toEqual([
      [a?.id, 'b'],
      [b?.id, 'a'],
    ]);
  });
});

describe('properties', () => {
  const refs = ['a', 'b', 'c', 'd', 'e'];
  const entry = fc.record({
    ref: fc.constantFrom(...refs),
    by: fc.constantFrom('id', 'bare', 'ref', 'new'),
    changed: fc.boolean(),
  });

  test('for any mix of entries, rules keep the order of the body, the matched ids, and count versions by change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(entry, { selector: ({ ref }) => ref, maxLength: 5 }),
        async (entries) => {
          const bench = await startBench();
          const before = await withRules(bench, refs.slice(0, 4));
          const live = new Map((before.rules ?? []).map((rule) => [rule.ref, rule]));
          const wanted = entries.map(({ ref, by, changed }) => {
            const known = live.get(ref);
            const definition = blockRule({ description: changed ? 'changed' : ref });
            if (known === undefined || by === 'new') {
              return { body: { ...definition, ref: `${ref}-new` }, known: undefined, changed };
            }
            if (by === 'bare') {
              return { body: { id: known.id }, known, changed: false };
            }
            return { body: { ...definition, ...(by === 'id' ? { id: known.id } : { ref }) }, known, changed };
          });
          const after = await bench.ok('PUT', path, { rules: wanted.map(({ body }) => body) });
          expect(after.version).toBe(String(Number(before.version) + 1));
          const old = before.rules?.map(({ id }) => id) ?? [];
          expect(
            after.rules?.map(({ id, version, last_updated: time }) => ({
              id: old.includes(id) ? id : 'new',
              version,
              time,
            })) ?? [],
          ).toEqual(
            wanted.map(({ known, changed }) => ({
              id: known?.id ?? 'new',
              version: known !== undefined && changed ? '2' : '1',
              time: known === undefined || changed ? after.last_updated : known.last_updated,
            })),
          );
        },
      ),
      { numRuns: propertyRuns() },
    );
  });
});
