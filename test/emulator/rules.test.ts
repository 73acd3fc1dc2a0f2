import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../property-runs.ts';
import { api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { Bench, RulesetView } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';

async function withRules(bench: Bench, refs: readonly string[]): Promise<RulesetView> {
  return bench.ok('PUT', entryPoint(api, CUSTOM), { rules: refs.map((ref) => blockRule({ ref })) });
}

function refsOf(ruleset: RulesetView): readonly string[] {
  return (ruleset.rules ?? []).map((rule) => rule.ref);
}

function idOf(ruleset: RulesetView, ref: string): string {
  return ruleset.rules?.find((rule) => rule.ref === ref)?.id ?? '';
}

describe('POST rule', () => {
  test('appends the rule and answers with the whole ruleset', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const after = await bench.ok('POST', `${api}/rulesets/${before.id}/rules`, blockRule({ ref: 'b' }));
    expect(refsOf(after)).toEqual(['a', 'b']);
    expect(after.version).toBe(String(Number(before.version) + 1));
    expect(after.rules?.[0]).toEqual(before.rules?.[0]);
  });

  test.each([
    [{ before: '' }, ['n', 'a', 'b', 'c']],
    [{ after: '' }, ['a', 'b', 'c', 'n']],
    [{ before: 'b' }, ['a', 'n', 'b', 'c']],
    [{ after: 'b' }, ['a', 'b', 'n', 'c']],
    [{ index: 1 }, ['n', 'a', 'b', 'c']],
    [{ index: 4 }, ['a', 'b', 'c', 'n']],
  ])('puts the rule where its position says: %j', async (position, expected) => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b', 'c']);
    const placed = Object.fromEntries(
      Object.entries(position).map(([key, value]) => [key, value === 'b' ? idOf(before, 'b') : value]),
    );
    const path = `${api}/rulesets/${before.id}/rules`;
    const after = await bench.ok('POST', path, blockRule({ ref: 'n', position: placed }));
    expect(refsOf(after)).toEqual(expected);
  });

  test.each([
    ['no key', {}, '/position'],
    ['two keys', { before: '', after: '' }, '/position'],
    ['index 0', { index: 0 }, '/position/index'],
    ['an index beyond the end', { index: 5 }, '/position/index'],
    ['an unknown neighbour', { before: '0'.repeat(32) }, '/position/before'],
  ])('refuses a position with %s', async (_, position, pointer) => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b', 'c']);
    const content = bench.service.store.content();
    const path = `${api}/rulesets/${before.id}/rules`;
    const reply = await bench.call('POST', path, blockRule({ position }));
    expect(refusalOf(reply)).toMatchObject({ status: 400, pointer });
    expect(bench.service.store.content()).toEqual(content);
  });

  test('refuses an unknown key and a fractional index in a position', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const path = `${api}/rulesets/${before.id}/rules`;
    const unknown = await bench.call('POST', path, blockRule({ position: { first: true } }));
    expect(refusalOf(unknown).message).toBe('invalid JSON: unknown field "first"');
    expect((await bench.call('POST', path, blockRule({ position: { index: 1.5 } }))).status).toBe(400);
  });

  test('refuses a ref that another rule has', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const path = `${api}/rulesets/${before.id}/rules`;
    const reply = await bench.call('POST', path, blockRule({ ref: 'a', position: { before: '' } }));
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 20021, pointer: '/ref' });
  });

  test('an unknown ruleset is 404 with code 10001', async () => {
    const bench = await startBench();
    const id = '0'.repeat(32);
    const reply = await bench.call('POST', `${api}/rulesets/${id}/rules`, blockRule());
    expect(refusalOf(reply)).toMatchObject({
      status: 404,
      code: 10001,
      message: `could not find ruleset with ID ${id}`,
    });
  });
});

describe('PATCH rule', () => {
  test('replaces the whole definition', async () => {
    const bench = await startBench();
    const before = await bench.ok('PUT', entryPoint(api, CUSTOM), {
      rules: [blockRule({ ref: 'a', description: 'A', enabled: false }), blockRule({ ref: 'b' })],
    });
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, 'a')}`;
    const after = await bench.ok('PATCH', path, { action: 'js_challenge', expression: 'true' });
    expect(after.rules?.[0]).toEqual({
      id: idOf(before, 'a'),
      version: '2',
      action: 'js_challenge',
      expression: 'true',
      last_updated: after.last_updated,
      ref: 'a',
      enabled: true,
    });
    expect(after.rules?.[1]).toEqual(before.rules?.[1]);
    expect(after.version).toBe(String(Number(before.version) + 1));
  });

  test('a change from skip to block makes logging disappear', async () => {
    const bench = await startBench();
    const seeded = await bench.ok('GET', entryPoint(shop, CUSTOM));
    const path = `${shop}/rulesets/${seeded.id}/rules/${seeded.rules?.[0]?.id}`;
    const after = await bench.ok('PATCH', path, blockRule());
    expect(seeded.rules?.[0]).toHaveProperty('logging');
    expect(after.rules?.[0]).not.toHaveProperty('logging');
  });

  test('a position alone moves the rule and changes neither its version nor last_updated', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['1', '2', '3', '4']);
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, '1')}`;
    const after = await bench.ok('PATCH', path, { position: { index: 3 } });
    expect(refsOf(after)).toEqual(['2', '3', '1', '4']);
    expect(after.rules?.[2]).toEqual(before.rules?.[0]);
  });

  test('a definition with a position changes and moves the rule', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b', 'c']);
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, 'c')}`;
    const after = await bench.ok('PATCH', path, blockRule({ enabled: false, position: { before: '' } }));
    expect(refsOf(after)).toEqual(['c', 'a', 'b']);
    expect(after.rules?.[0]).toMatchObject({ enabled: false, version: '2' });
  });

  test('a definition without a position leaves the rule in its place', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b', 'c']);
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, 'b')}`;
    expect(refsOf(await bench.ok('PATCH', path, blockRule({ enabled: false })))).toEqual(['a', 'b', 'c']);
  });

  test('refuses an index greater than the number of rules, since the moved rule leaves its old place', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b']);
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, 'a')}`;
    expect(refsOf(await bench.ok('PATCH', path, { position: { index: 2 } }))).toEqual(['b', 'a']);
    expect((await bench.call('PATCH', path, { position: { index: 3 } })).status).toBe(400);
  });

  test('refuses a position relative to the rule itself', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b']);
    const id = idOf(before, 'a');
    const path = `${api}/rulesets/${before.id}/rules/${id}`;
    const reply = await bench.call('PATCH', path, { position: { after: id } });
    expect(refusalOf(reply)).toMatchObject({ status: 400, pointer: '/position/after' });
  });

  test('refuses a definition without an action, with the known message if it has action parameters', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, 'a')}`;
    const reply = await bench.call('PATCH', path, { action_parameters: { response: {} } });
    expect(refusalOf(reply)).toMatchObject({
      status: 400,
      message: 'action is required for action parameters',
    });
    expect((await bench.call('PATCH', path, { enabled: false })).status).toBe(400);
    expect((await bench.call('PATCH', path, {})).status).toBe(400);
  });

  test('refuses a ref that another rule has, and an id other than the one in the path', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b']);
    const path = `${api}/rulesets/${before.id}/rules/${idOf(before, 'a')}`;
    expect(refusalOf(await bench.call('PATCH', path, blockRule({ ref: 'b' }))).pointer).toBe('/ref');
    const other = blockRule({ id: idOf(before, 'b') });
    expect(refusalOf(await bench.call('PATCH', path, other)).pointer).toBe('/id');
  });

  test('an unknown rule is 404', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const path = `${api}/rulesets/${before.id}/rules/${'0'.repeat(32)}`;
    expect((await bench.call('PATCH', path, blockRule())).status).toBe(404);
  });
});

describe('DELETE rule', () => {
  test('answers with the remaining rules, and keeps an entry point that becomes empty', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a', 'b']);
    const one = await bench.ok('DELETE', `${api}/rulesets/${before.id}/rules/${idOf(before, 'a')}`);
    expect(one.rules).toEqual([before.rules?.[1]]);
    const none = await bench.ok('DELETE', `${api}/rulesets/${before.id}/rules/${idOf(before, 'b')}`);
    expect(none.version).toBe(String(Number(before.version) + 2));
    expect(await bench.ok('GET', entryPoint(api, CUSTOM))).toEqual(none);
  });

  test('an unknown rule is 404 and changes nothing', async () => {
    const bench = await startBench();
    const before = await withRules(bench, ['a']);
    const path = `${api}/rulesets/${before.id}/rules/${'0'.repeat(32)}`;
    expect((await bench.call('DELETE', path)).status).toBe(404);
    expect(await bench.ok('GET', entryPoint(api, CUSTOM))).toEqual(before);
  });
});

describe('properties', () => {
  const move = fc.record({
    rule: fc.nat(4),
    target: fc.nat(4),
    key: fc.constantFrom('before', 'after', 'index', 'first', 'last'),
  });

  test('moving a rule equals removing it from a list and inserting it at the new place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 8 }), async (moves) => {
        const bench = await startBench();
        let ruleset = await withRules(bench, ['a', 'b', 'c', 'd', 'e']);
        let model = [...refsOf(ruleset)];
        for (const { rule, target, key } of moves) {
          const moved = model[rule] ?? '';
          const neighbour = model[target] ?? '';
          const rest = model.filter((ref) => ref !== moved);
          const positions = {
            first: [{ before: '' }, 0],
            last: [{ after: '' }, rest.length],
            index: [{ index: target + 1 }, target],
            before: [{ before: idOf(ruleset, neighbour) }, rest.indexOf(neighbour)],
            after: [{ after: idOf(ruleset, neighbour) }, rest.indexOf(neighbour) + 1],
          } as const;
          const [position, place] = positions[key];
          const path = `${api}/rulesets/${ruleset.id}/rules/${idOf(ruleset, moved)}`;
          const reply = await bench.call('PATCH', path, { position });
          const itself = neighbour === moved && (key === 'before' || key === 'after');
          expect(reply.status).toBe(itself ? 400 : 200);
          model = itself ? model : [...rest.slice(0, place), moved, ...rest.slice(place)];
          ruleset = await bench.ok('GET', entryPoint(api, CUSTOM));
          expect(refsOf(ruleset)).toEqual(model);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
