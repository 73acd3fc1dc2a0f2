import { describe, expect, test } from 'vitest';

import { refusalOf } from './bench.ts';
import { freshFilter, startFirewall } from './firewall-bench.ts';
import type { FilterView } from './firewall-bench.ts';

const UNKNOWN = '0'.repeat(32);

describe.each(['two_lists', 'one_list'] as const)('specification 2.5: filters (%s)', (world) => {
  test('exist without rules, with id, expression and paused', async () => {
    const bench = await startFirewall({ world });
    const made = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [
      { expression: 'ssl' },
      { expression: 'not ssl', paused: true, description: 'Plain', ref: 'F' },
    ]);
    expect(made).toEqual([
      { id: expect.any(String), paused: false, expression: 'ssl' },
      { id: expect.any(String), paused: true, description: 'Plain', ref: 'F', expression: 'not ssl' },
    ]);
    expect(await bench.filters()).toEqual(made);
    expect(await bench.ok('GET', `${bench.filtersPath}/${made[1]?.id}`)).toEqual(made[1]);
  });

  test('may be referenced by several rules and by other features', async () => {
    const filters = [{ id: 'a'.repeat(32), expression: 'ssl', used_elsewhere: 1 }];
    const bench = await startFirewall({ world, more: { filters } });
    const path = `${bench.filtersPath}/${'a'.repeat(32)}`;
    const rules = await bench.create({ filter: { id: 'a'.repeat(32) } }, { filter: { id: 'a'.repeat(32) } });
    expect(new Set(rules.map((rule) => rule.filter.id)).size).toBe(1);
    const [a, b] = rules;
    const wish = { delete_filter_if_unused: true };
    await bench.ok('DELETE', `${bench.rulesPath}/${a?.id}`, wish);
    await bench.ok('DELETE', `${bench.rulesPath}/${b?.id}`, wish);
    expect(refusalOf(await bench.call('DELETE', path)).message).toMatch(/used by other features/u);
    expect((await bench.filters()).map(({ id }) => id)).toEqual(['a'.repeat(32)]);
  });

  test('PUT changes all of a batch or none', async () => {
    const bench = await startFirewall({ world });
    const [a, b] = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [
      { expression: 'ssl', description: 'One' },
      { expression: 'not ssl' },
    ]);
    const swapped = [
      { id: a?.id, expression: 'not ssl' },
      { id: b?.id, expression: 'ssl', paused: true },
    ];
    const changed = await bench.ok('PUT', bench.filtersPath, swapped);
    expect(changed).toEqual([
      { id: a?.id, paused: false, expression: 'not ssl' },
      { id: b?.id, paused: true, expression: 'ssl' },
    ]);
    const before = bench.service.store.content();
    const bad = [
      [
        { id: a?.id, ...freshFilter() },
        { id: UNKNOWN, ...freshFilter() },
      ],
      [
        { id: a?.id, ...freshFilter() },
        { id: b?.id, expression: 'ssl and' },
      ],
      [{ id: a?.id, expression: 'ssl' }],
      [{ id: a?.id }],
      [freshFilter()],
    ];
    for (const body of bad) {
      expect((await bench.call('PUT', bench.filtersPath, body)).status).toBe(400);
      expect(bench.service.store.content()).toEqual(before);
    }
  });

  test('DELETE deletes all the filters it names or none, and ignores unknown ids', async () => {
    const bench = await startFirewall({ world });
    const [rule] = await bench.create({});
    const [a, b] = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [
      freshFilter(),
      freshFilter(),
    ]);
    const both = `${bench.filtersPath}?id=${a?.id}&id=${rule?.filter.id}`;
    expect((await bench.call('DELETE', both)).status).toBe(400);
    expect(await bench.filters()).toHaveLength(3);
    expect(await bench.ok('DELETE', `${bench.filtersPath}?id=${a?.id}&id=${UNKNOWN}`)).toEqual([
      { id: a?.id },
    ]);
    expect(await bench.ok('DELETE', bench.filtersPath)).toEqual([]);
    expect((await bench.filters()).map(({ id }) => id)).toEqual([rule?.filter.id, b?.id]);
  });

  test('a second filter with the same expression is refused', async () => {
    const bench = await startFirewall({ world });
    const body = [freshFilter()];
    await bench.ok('POST', bench.filtersPath, body);
    const duplicate = { status: 400, code: 10102, message: 'config duplicates an already existing config' };
    expect(refusalOf(await bench.call('POST', bench.filtersPath, body))).toMatchObject(duplicate);
    const twice = freshFilter();
    expect(refusalOf(await bench.call('POST', bench.filtersPath, [twice, twice]))).toMatchObject(duplicate);
  });

  test('api.md 1.3: lists are narrowed by id, expression, description, ref and paused', async () => {
    const bench = await startFirewall({ world });
    const [a, b] = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [
      { expression: 'http.host eq "Office.example"', description: 'The Office', ref: 'F-1' },
      { expression: 'ssl', paused: true, ref: 'F-10' },
    ]);
    const ids = async (query: string) =>
      (await bench.ok<readonly FilterView[]>('GET', `${bench.filtersPath}?${query}`)).map(({ id }) => id);
    expect(await ids(`id=${b?.id}`)).toEqual([b?.id]);
    expect(await ids('expression=office')).toEqual([a?.id]);
    expect(await ids('description=office')).toEqual([a?.id]);
    expect(await ids('ref=F-1')).toEqual([a?.id]);
    expect(await ids('paused=true')).toEqual([b?.id]);
  });

  test.each([
    ['blank', ' ', 20125],
    ['not parsed', 'http.host eq', undefined],
    ['too long', `http.host eq "${'x'.repeat(4100)}"`, undefined],
    ['more than the plan has', 'cf.bot_management.score lt 20', undefined],
  ])('an expression that is %s is refused with a pointer to it', async (_, expression, code) => {
    const bench = await startFirewall({ world });
    const refusal = refusalOf(await bench.call('POST', bench.filtersPath, [{ expression }]));
    expect(refusal).toMatchObject({ status: 400, pointer: '/0/expression', code });
    expect(await bench.filters()).toEqual([]);
  });
});

describe('api.md 9.2: validate-expr', () => {
  const path = '/filters/validate-expr';

  test('answers a valid expression with success and nothing but nulls', async () => {
    const bench = await startFirewall();
    const valid = { result: null, success: true, errors: null, messages: null };
    const query = encodeURIComponent('ip.src in {192.0.2.0/24}');
    expect((await bench.call('GET', `${path}?expression=${query}`)).body).toEqual(valid);
    expect((await bench.call('POST', path, { expression: 'ssl' })).body).toEqual(valid);
  });

  test.each([
    ['ip.src==34', 10, 2],
    ['ip.src in {2400:cb00::/32 2405:8100::/2000 2c0f:f248::/32 2a06:98c0::/29}', 40, 4],
  ])('marks the error in %s with carets', async (expression, blanks, carets) => {
    const bench = await startFirewall();
    const replies = [
      await bench.call('POST', path, { expression }),
      await bench.call('GET', `${path}?expression=${encodeURIComponent(expression)}`),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ result: null, success: false, messages: null });
      expect(body.errors).toHaveLength(1);
      expect(Object.keys(body.errors[0] ?? {})).toEqual(['message']);
      const lines = body.errors[0]?.message.split('\n');
      expect(lines?.slice(0, 2)).toEqual(['Filter parsing error:', `\`${expression}\``]);
      expect(lines?.[2]?.startsWith(`${' '.repeat(blanks)}${'^'.repeat(carets)} `)).toBe(true);
      expect(lines?.[3]).toBe('');
    }
  });

  test('refuses a request without an expression, or with an unknown field', async () => {
    const bench = await startFirewall();
    expect((await bench.call('GET', path)).status).toBe(400);
    expect(refusalOf(await bench.call('POST', path, {})).pointer).toBe('/expression');
    expect(refusalOf(await bench.call('POST', path, { expresion: 'ssl' })).message).toMatch(/unknown field/u);
  });
});
