import { describe, expect, test } from 'vitest';
import { scopeId } from '../../src/emulator/index.ts';
import { account, api, blockRule, entryPoint, refusalOf, startBench } from './bench.ts';
import type { Bench } from './bench.ts';

const CUSTOM = 'http_request_firewall_custom';
const path = entryPoint(api, CUSTOM);
const WINDOW = 'since=2025-01-01&before=2027-12-31';

interface Entry {
  readonly id: string;
  readonly action: { readonly time: string; readonly type: string };
  readonly actor: Readonly<Record<string, string>>;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly zone?: { readonly name: string };
}

/** A seed with the account and the zone of these tests. */
const seed = (members: object, ofAccount: object = {}) => ({
  version: 1,
  accounts: [{ name: 'Example Shop', plan: 'enterprise', ...ofAccount }, { name: 'Other' }],
  zones: [{ name: 'api.example', plan: 'enterprise' }],
  ...members,
});

const log = (bench: Bench, query = '') =>
  bench.ok<readonly Entry[]>('GET', `${account}/logs/audit?${WINDOW}${query}`);

const put = (bench: Bench, name: string, headers: Readonly<Record<string, string>> = {}) =>
  bench.call('PUT', path, { rules: [blockRule({ ref: name })] }, headers);

describe('the audit log (vendor: Audit Logs version 2; issue 35)', () => {
  test('says who changed what, by which token, and what the client calls itself', async () => {
    const bench = await startBench();
    const write = await put(bench, 'one', { 'user-agent': 'terraform/1.9' });
    const [entry, ...others] = await log(bench);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      id: write.headers.get('cf-auditlog-id'),
      action: { time: '2026-03-04T05:06:07.000Z', type: 'update', result: 'success' },
      actor: { email: 'owner@shop.example', context: 'api_token', token_name: 'emulator', type: 'user' },
      raw: { method: 'PUT', status_code: 200, uri: path, user_agent: 'terraform/1.9' },
      resource: {
        id: write.body.result.id,
        product: 'rulesets',
        response: { result: { version: write.body.result.version } },
      },
      zone: { name: 'api.example' },
    });
    expect(write.headers.get('cf-ray')).toMatch(new RegExp(`^${String(entry?.raw['cf_ray_id'])}-`, 'u'));
  });

  test('has no entry of reads, refusals, dry runs and other accounts', async () => {
    const bench = await startBench({ seed: seed({}) });
    await bench.call('GET', path);
    await bench.call('PUT', path, { rules: [{ action: 'nonsense' }] });
    await bench.call('PUT', `${path}?dry_run=true`, { rules: [] });
    await bench.ok('POST', `/accounts/${scopeId('account', 'Other')}/rules/lists`, { name: 'a', kind: 'ip' });
    expect(await log(bench)).toEqual([]);
  });

  test('knows the dashboard and who sat at it', async () => {
    const effect = {
      kind: 'edit',
      by: 'ann@shop.example',
      change: { kind: 'add', rule: blockRule({ ref: 'by-hand' }) },
    };
    const bench = await startBench({ faults: { method: 'GET', path, nth: 1, effect } });
    await put(bench, 'one');
    await bench.ok('GET', path);
    expect((await log(bench)).map(({ actor }) => [actor['context'], actor['email']])).toEqual([
      ['dash', 'ann@shop.example'],
      ['api_token', 'owner@shop.example'],
    ]);
  });

  test('is paged by cursor, in both directions, and narrowed', async () => {
    const bench = await startBench();
    for (const name of ['a', 'b', 'c']) {
      await put(bench, name);
      bench.clock.advance(60_000);
    }
    const all = await log(bench);
    expect(all.map(({ action }) => action.time.slice(11, 16))).toEqual(['05:08', '05:07', '05:06']);
    expect(await log(bench, '&direction=asc')).toEqual(all.toReversed());
    const first = await bench.call<readonly Entry[]>('GET', `${account}/logs/audit?${WINDOW}&limit=2`);
    expect(first.body.result).toEqual(all.slice(0, 2));
    const cursors = first.body.result_info?.['cursors'] as { readonly after: string };
    const rest = await bench.call('GET', `${account}/logs/audit?${WINDOW}&limit=2&cursor=${cursors.after}`);
    expect([rest.body.result, rest.body.result_info?.['cursors']]).toEqual([all.slice(2), {}]);
    expect(await log(bench, `&raw_cf_ray_id=${String(all[1]?.raw['cf_ray_id'])}`)).toEqual([all[1]]);
    const since = await bench.ok(
      'GET',
      `${account}/logs/audit?since=2026-03-04T05:06:30Z&before=2026-03-04T05:07:30Z`,
    );
    expect(since).toEqual([all[1]]);
  });

  test.each([
    ['without a period', '', 400],
    ['with a period that is none', '?since=yesterday&before=2027-01-01', 400],
    ['with too large a page', `?${WINDOW}&limit=5000`, 400],
    ['with a cursor of another list', `?${WINDOW}&cursor=abc`, 400],
  ])('is refused %s', async (_, query, status) => {
    const bench = await startBench();
    expect((await bench.call('GET', `${account}/logs/audit${query}`)).status).toBe(status);
  });

  test('is refused without the permission', async () => {
    const policies = [{ permissions: ['Zone WAF Write', 'Account Rulesets Write'], resources: ['*'] }];
    const bench = await startBench({ seed: seed({ tokens: { rules: policies } }) });
    const headers = { authorization: 'Bearer rules' };
    for (const where of [`${account}/logs/audit?${WINDOW}`, `${account}/audit_logs`]) {
      expect(refusalOf(await bench.call('GET', where, undefined, headers)).status).toBe(403);
    }
  });

  test('appears late if the switch says so, and goes after 18 months', async () => {
    const bench = await startBench({ switches: { auditDelay: 'minutes' } });
    await put(bench, 'one');
    bench.clock.advance(119_000);
    expect(await log(bench)).toEqual([]);
    bench.clock.advance(1_000);
    expect(await log(bench)).toHaveLength(1);
    bench.clock.advance(541 * 86_400_000);
    expect(await log(bench)).toEqual([]);
  });

  test('exists in the older version, by page, without path and token', async () => {
    const bench = await startBench({ switches: { auditLog: 'v1' } });
    const write = await put(bench, 'one');
    await bench.ok('PATCH', `${api}/settings/min_tls_version`, { value: '1.2' });
    expect((await bench.call('GET', `${account}/logs/audit?${WINDOW}`)).status).toBe(400);
    const page = await bench.call<readonly unknown[]>('GET', `${account}/audit_logs?per_page=1&page=2`);
    expect(page.body.result_info).toMatchObject({ page: 2, total_pages: 2, total_count: 2 });
    expect(page.body.result).toEqual([
      {
        id: write.headers.get('cf-auditlog-id'),
        action: { result: true, type: 'update_rulesets' },
        actor: expect.objectContaining({ email: 'owner@shop.example' }) as unknown,
        interface: 'API',
        metadata: { zone_name: 'api.example' },
        newValue: '',
        oldValue: '',
        owner: { id: account.slice('/accounts/'.length) },
        resource: { id: write.body.result.id, type: 'rulesets' },
        when: '2026-03-04T05:06:07.000Z',
      },
    ]);
    const [setting] = await bench.ok<readonly object[]>('GET', `${account}/audit_logs`);
    expect(setting).toMatchObject({
      action: { type: 'change_setting' },
      metadata: { zone_name: 'api.example', name: 'min_tls_version' },
    });
  });

  test('is in the state of a service, and a seed may bring one', async () => {
    const hostile = '<b>`\u001B[31m</b>';
    const audit_log = [
      { time: '2026-03-01T00:00:00Z', method: 'PUT', path, context: 'api_token', token_name: hostile },
    ];
    const bench = await startBench({ seed: seed({}, { audit_log }) });
    await put(bench, 'one');
    expect((await log(bench)).map(({ actor }) => actor['token_name'])).toEqual(['emulator', hostile]);
    await bench.control('POST', '/reset');
    expect(await log(bench)).toHaveLength(1);
  });
});
