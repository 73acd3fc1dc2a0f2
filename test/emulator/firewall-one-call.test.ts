import { describe, expect, test } from 'vitest';

import { refusalOf } from './bench.ts';
import { freshFilter, startFirewall } from './firewall-bench.ts';
import type { FilterView } from './firewall-bench.ts';

describe.each(['two_lists', 'one_list'] as const)('a rule and its filter in one call (%s)', (world) => {
  test('specification 4.2 rule 1: one POST makes both, and they refer only to each other', async () => {
    const bench = await startFirewall({ world });
    const [rule] = await bench.create({ filter: { expression: 'ssl', description: 'TLS' } });
    expect(await bench.filters()).toEqual([rule?.filter]);
    expect(await bench.rules()).toEqual([rule]);
  });

  test('specification 4.2 rule 2: neither is made when the filter or the rule is invalid', async () => {
    const bench = await startFirewall({ world });
    const before = bench.service.store.content();
    const good = { action: 'block', filter: freshFilter() };
    const bodies = [
      [good, { action: 'block', filter: { expression: 'http.host eq' } }],
      [good, { action: 'block', filter: { expression: '' } }],
      [good, { action: 'explode', filter: freshFilter() }],
      [good, { action: 'block', filter: good.filter }],
    ];
    for (const body of bodies) {
      expect((await bench.call('POST', bench.rulesPath, body)).status).toBe(400);
      expect(bench.service.store.content()).toEqual(before);
    }
  });

  test('specification 4.2 rule 3: over the quota the filters may stay without their rules', async () => {
    const bench = await startFirewall({ world, plan: 'free' });
    const kept = await bench.create({}, {}, {}, {});
    const filters = [freshFilter(), freshFilter()];
    const reply = await bench.call(
      'POST',
      bench.rulesPath,
      filters.map((filter) => ({ action: 'block', filter })),
    );
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 50001 });
    expect(await bench.rules()).toEqual(kept);
    const left = (await bench.filters()).slice(4);
    expect(left.map(({ expression }) => expression)).toEqual(filters.map(({ expression }) => expression));
    const again = await bench.call('POST', bench.rulesPath, [{ action: 'block', filter: filters[0] }]);
    expect(refusalOf(again).code).toBe(10202);
    expect((await bench.create({ filter: { id: left[0]?.id } }))[0]?.filter).toEqual(left[0]);
  });

  test('specification 4.2 rule 3: over the quota nothing is stored when filtersOverQuota is undone', async () => {
    const bench = await startFirewall({ world, plan: 'free', switches: { filtersOverQuota: 'undone' } });
    await bench.create({}, {}, {}, {}, {});
    const before = bench.service.store.content();
    const reply = await bench.call('POST', bench.rulesPath, [{ action: 'block', filter: freshFilter() }]);
    expect(refusalOf(reply).code).toBe(50001);
    expect(bench.service.store.content()).toEqual(before);
  });

  test('specification 4.2 rule 4: filters made this way refuse PUT and DELETE', async () => {
    const bench = await startFirewall({ world });
    const [rule] = await bench.create({});
    const path = `${bench.filtersPath}/${rule?.filter.id}`;
    const body = { id: rule?.filter.id, expression: 'ssl' };
    const attempts = [
      ['PUT', path, body],
      ['PUT', bench.filtersPath, [body]],
      ['DELETE', path, undefined],
      ['DELETE', `${bench.filtersPath}?id=${rule?.filter.id}`, undefined],
    ] as const;
    for (const [method, where, sent] of attempts) {
      expect((await bench.call(method, where, sent)).status).toBe(400);
    }
    expect(await bench.rules()).toEqual([rule]);
    await bench.ok('DELETE', `${bench.rulesPath}/${rule?.id}`);
    expect(refusalOf(await bench.call('DELETE', path)).message).toMatch(/created together/u);
    expect(await bench.filters()).toEqual([rule?.filter]);
  });

  test('specification 4.2 rule 5: in two calls, the filter is shared, and deleted after its rules', async () => {
    const bench = await startFirewall({ world });
    const [filter] = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [freshFilter()]);
    const path = `${bench.filtersPath}/${filter?.id}`;
    const [a, b] = await bench.create(
      { action: 'challenge', filter: { id: filter?.id } },
      { action: 'allow', filter: { id: filter?.id } },
    );
    expect([a?.filter, b?.filter]).toEqual([filter, filter]);
    await bench.ok('PUT', path, { ...filter, expression: 'ssl' });
    expect((await bench.rules()).map((rule) => rule.filter.expression)).toEqual(['ssl', 'ssl']);
    expect(refusalOf(await bench.call('DELETE', path)).message).toContain(`used by firewall rule ${a?.id}`);
    await bench.ok('DELETE', `${bench.rulesPath}/${a?.id}`);
    expect((await bench.call('DELETE', path)).status).toBe(400);
    await bench.ok('DELETE', `${bench.rulesPath}/${b?.id}`);
    expect(await bench.ok('DELETE', path)).toEqual([{ id: filter?.id }]);
    expect(await bench.filters()).toEqual([]);
  });

  test('specification 4.2 rule 6: the one call reports errors of the filter and of the rule', async () => {
    const bench = await startFirewall({ world });
    const [existing] = await bench.create({});
    const attempt = async (rule: unknown) => refusalOf(await bench.call('POST', bench.rulesPath, [rule]));
    const twin = { expression: existing?.filter.expression };
    expect(await attempt({ action: 'block', filter: twin })).toMatchObject({
      status: 400,
      code: 10202,
      message: 'filter at index 0 already exists',
    });
    expect(await attempt({ action: 'block', filter: { expression: 'ip.src==34' } })).toMatchObject({
      status: 400,
      message: expect.stringContaining('Filter parsing error:\n`ip.src==34`\n'),
      pointer: '/0/filter/expression',
    });
    expect(await attempt({ action: 'nothing', filter: freshFilter() })).toMatchObject({
      pointer: '/0/action',
    });
  });
});

describe.each(['two_lists', 'one_list'] as const)('deleting a rule (%s)', (world) => {
  test('api.md 9.1: the filter stays, unless the body asks to delete an unused one', async () => {
    const bench = await startFirewall({ world });
    const [a, b] = await bench.create({}, {});
    const [c] = await bench.create({ filter: { id: b?.filter.id } });
    const wish = { delete_filter_if_unused: true };
    await bench.ok('DELETE', `${bench.rulesPath}/${a?.id}`, wish);
    expect((await bench.filters()).map(({ id }) => id)).toEqual([b?.filter.id]);
    await bench.ok('DELETE', `${bench.rulesPath}/${b?.id}`, wish);
    expect((await bench.filters()).map(({ id }) => id)).toEqual([b?.filter.id]);
    await bench.ok('DELETE', `${bench.rulesPath}/${c?.id}`, { delete_filter_if_unused: false });
    expect(await bench.filters()).toHaveLength(1);
  });
});

describe.each([
  ['free', 5],
  ['pro', 20],
  ['business', 100],
  ['enterprise', 1000],
])('specification 8: the rule quota of %s', (plan, max) => {
  test('creation beyond it fails; deleting makes room', async () => {
    const bench = await startFirewall({ plan });
    const [shared] = await bench.ok<readonly FilterView[]>('POST', bench.filtersPath, [freshFilter()]);
    const rule = { action: 'block', filter: { id: shared?.id } };
    for (let made = 0; made < max; made += Math.min(25, max - made)) {
      const length = Math.min(25, max - made);
      await bench.ok(
        'POST',
        bench.rulesPath,
        Array.from({ length }, () => rule),
      );
    }
    expect(refusalOf(await bench.call('POST', bench.rulesPath, [rule]))).toMatchObject({
      status: 400,
      message: `exceeded the maximum number of firewall rules: ${max + 1} out of ${max}`,
    });
    const [first] = await bench.rules();
    await bench.ok('DELETE', `${bench.rulesPath}/${first?.id}`);
    expect((await bench.call('POST', bench.rulesPath, [rule])).status).toBe(200);
  });
});
