import { describe, expect, test } from 'vitest';

import { account, api, blockRule, entryPoint, refusalOf, shop, startBench } from './bench.ts';
import type { Bench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const lists = `${account}/rules/lists`;

const put = (bench: Bench, path: string, ...rules: readonly unknown[]) => bench.call('PUT', path, { rules });
const expression = (text: string) => blockRule({ expression: text });
const redirect = (name: string) => ({
  action: 'redirect',
  expression: `http.request.full_uri in $${name}`,
  action_parameters: { from_list: { name, key: 'http.request.full_uri' } },
});

async function benchWithLists(): Promise<Bench> {
  const bench = await startBench();
  for (const [name, kind] of [
    ['hosts', 'hostname'],
    ['networks', 'asn'],
    ['moved', 'redirect'],
  ]) {
    await bench.ok('POST', lists, { name, kind });
  }
  return bench;
}

describe('lists that rules name (api.md 2.4, 9.8)', () => {
  test.each([
    'ip.src in $office_networks',
    'ip.src in $cf.open_proxies',
    'not (http.host in $hosts) or ip.src.asnum in $networks',
    'any(http.request.headers["x"][*] contains "$nothing")',
  ])('%s is accepted', async (text) => {
    const bench = await benchWithLists();
    expect((await put(bench, entryPoint(shop, CUSTOM), expression(text))).status).toBe(200);
  });

  test.each([
    ['ip.src in $nowhere', 'the list $nowhere does not exist'],
    ['ip.src in $cf.nowhere', 'the list $cf.nowhere does not exist'],
    ['ip.src in $hosts', 'the list $hosts holds items of the kind hostname, not ip'],
    ['http.host in $networks', 'the list $networks holds items of the kind asn, not hostname'],
    ['ip.src.asnum in $office_networks', 'the list $office_networks holds items of the kind ip, not asn'],
    ['ip.src.asnum in $cf.vpn', 'the list $cf.vpn holds items of the kind ip, not asn'],
  ])('%s is refused: %s', async (text, reason) => {
    const bench = await benchWithLists();
    const rules = [blockRule(), expression(text)];
    expect(refusalOf(await put(bench, entryPoint(shop, CUSTOM), ...rules))).toEqual({
      status: 400,
      code: undefined,
      message: `'${text}' is not a valid value for expression because ${reason}`,
      pointer: '/rules/1/expression',
    });
  });

  test('bulk redirects may name only existing lists of redirects', async () => {
    const bench = await benchWithLists();
    const path = entryPoint(account, 'http_request_redirect');
    expect((await put(bench, path, redirect('moved'))).status).toBe(200);
    expect(refusalOf(await put(bench, path, redirect('nowhere'))).message).toContain('does not exist');
    const wrong = { ...redirect('moved'), expression: 'true' };
    const kind = {
      ...wrong,
      action_parameters: { from_list: { name: 'hosts', key: 'http.request.full_uri' } },
    };
    expect(refusalOf(await put(bench, path, kind))).toMatchObject({
      status: 400,
      pointer: '/rules/0/action_parameters/from_list/name',
    });
  });

  test('a dry run checks lists as well', async () => {
    const bench = await benchWithLists();
    const path = `${entryPoint(shop, CUSTOM)}?dry_run=true`;
    expect((await put(bench, path, expression('ip.src in $nowhere'))).status).toBe(400);
    expect((await put(bench, path, expression('ip.src in $office_networks'))).status).toBe(200);
  });

  test('POST and PATCH check the lists in the rule they write, and not those in other rules', async () => {
    const bench = await startBench({ switches: { lists: 'any' } });
    const { id } = await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [expression('ip.src in $gone')] });
    await bench.control('PUT', '/switches', { lists: 'known' });
    const path = `${api}/rulesets/${id}/rules`;
    expect((await bench.call('POST', path, expression('ip.src in $nowhere'))).status).toBe(400);
    const added = await bench.ok('POST', path, blockRule({ ref: 'ours' }));
    const ours = `${path}/${added.rules?.[1]?.id}`;
    expect((await bench.call('PATCH', ours, expression('ip.src in $nowhere'))).status).toBe(400);
    expect((await bench.call('PATCH', ours, expression('ip.src in $office_networks'))).status).toBe(200);
  });

  test('rate limits restrict where lists may be named (api.md 8.3)', async () => {
    const bench = await benchWithLists();
    const limit = {
      characteristics: ['ip.src', 'cf.colo.id'],
      period: 60,
      requests_per_period: 5,
      mitigation_timeout: 600,
    };
    const path = entryPoint(shop, 'http_ratelimit');
    const rule = (ratelimit: object, text = 'ip.src in $office_networks') =>
      blockRule({ expression: text, ratelimit: { ...limit, ...ratelimit } });
    expect((await put(bench, path, rule({}))).status).toBe(200);
    expect(refusalOf(await put(bench, path, rule({ requests_to_origin: true }))).pointer).toBe(
      '/rules/0/ratelimit/requests_to_origin',
    );
    const counting_expression = 'http.response.code eq 401 and ip.src in $office_networks';
    expect(refusalOf(await put(bench, path, rule({ counting_expression }, 'true'))).pointer).toBe(
      '/rules/0/ratelimit/counting_expression',
    );
    // At account level the rules inside may do both, but not the condition of the rule that executes them.
    const counting = { counting_expression: 'http.response.code eq 401' };
    const inside = await bench.ok('POST', `${account}/rulesets`, {
      name: 'c',
      kind: 'custom',
      phase: 'http_ratelimit',
      rules: [rule({}), rule(counting, 'true')],
    });
    const scoped = (condition: string) => ({
      action: 'execute',
      action_parameters: { id: inside.id },
      expression: `(${condition}) and cf.zone.plan eq "ENT"`,
    });
    const root = entryPoint(account, 'http_ratelimit');
    expect((await put(bench, root, scoped('http.host eq "a.example"'))).status).toBe(200);
    for (const condition of ['ip.src in $office_networks', 'http.response.code eq 401']) {
      expect(refusalOf(await put(bench, root, scoped(condition))).pointer).toBe('/rules/0/expression');
    }
  });
});

describe('the use of lists', () => {
  test('is counted by rules, over the account and its zones', async () => {
    const bench = await benchWithLists();
    await bench.ok('PUT', entryPoint(shop, CUSTOM), {
      rules: [
        expression('ip.src in $office_networks or not ip.src in $office_networks'),
        expression('ip.src in $office_networks and http.host in $hosts'),
      ],
    });
    await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [expression('ip.src in $office_networks')] });
    await bench.ok('PUT', entryPoint(account, 'http_request_redirect'), { rules: [redirect('moved')] });
    const all = await bench.ok<readonly { name: string; num_referencing_filters: number }[]>('GET', lists);
    expect(Object.fromEntries(all.map((list) => [list.name, list.num_referencing_filters]))).toEqual({
      office_networks: 3,
      hosts: 1,
      networks: 0,
      moved: 1,
    });
  });

  test('keeps a list from being deleted until the latest version no longer names it', async () => {
    const bench = await startBench();
    const [list] = await bench.ok<readonly { id: string }[]>('GET', lists);
    await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [expression('ip.src in $office_networks')] });
    expect(refusalOf(await bench.call('DELETE', `${lists}/${list?.id}`))).toMatchObject({
      status: 400,
      code: 10031,
    });
    await bench.ok('PUT', entryPoint(api, CUSTOM), { rules: [] });
    expect((await bench.call('DELETE', `${lists}/${list?.id}`)).status).toBe(200);
  });
});
