import { describe, expect, test } from 'vitest';

import { startFirewall } from './firewall-bench.ts';

interface PageRuleView {
  readonly id: string;
  readonly priority: number;
  readonly status: string;
  readonly modified_on: string;
  readonly created_on: string;
}

const target = (value = 'z.example/*') => ({ target: 'url', constraint: { operator: 'matches', value } });
const rule = (members: Readonly<Record<string, unknown>> = {}) => ({
  targets: [target()],
  actions: [{ id: 'disable_security' }],
  ...members,
});

async function start(options: Parameters<typeof startFirewall>[0] = {}) {
  const bench = await startFirewall(options);
  return { ...bench, path: `${bench.zone}/pagerules` };
}

describe('api.md 9.7: page rules', () => {
  test('are created, read, replaced, edited and deleted', async () => {
    const bench = await start();
    const made = await bench.ok<PageRuleView>('POST', bench.path, rule());
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/u),
      ...rule(),
      priority: 1,
      status: 'disabled',
      created_on: expect.any(String),
      modified_on: made.created_on,
    });
    const path = `${bench.path}/${made.id}`;
    expect(await bench.ok('GET', path)).toEqual(made);
    bench.clock.advance(1000);
    const edited = await bench.ok<PageRuleView>('PATCH', path, { status: 'active' });
    expect(edited).toEqual({ ...made, status: 'active', modified_on: edited.modified_on });
    expect(edited.modified_on > made.modified_on).toBe(true);
    const put = await bench.ok<PageRuleView>(
      'PUT',
      path,
      rule({ actions: [{ id: 'waf', value: 'off' }], priority: 4 }),
    );
    expect(put).toMatchObject({ id: made.id, status: 'disabled', priority: 4, created_on: made.created_on });
    expect(await bench.ok('DELETE', path)).toEqual({ id: made.id });
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      expect((await bench.call(method, path, body)).status).toBe(404);
    }
  });

  test('api.md 1.3: come in one answer, the highest priority first, narrowed by status', async () => {
    const more = {
      page_rules: [
        rule({ priority: 1, status: 'active' }),
        rule({ priority: 3 }),
        rule({ priority: 2, status: 'active' }),
      ],
    };
    const bench = await start({ more });
    const reply = await bench.call<readonly PageRuleView[]>('GET', bench.path);
    expect(reply.body).not.toHaveProperty('result_info');
    const priorities = async (query: string) =>
      (await bench.ok<readonly PageRuleView[]>('GET', `${bench.path}?${query}`)).map(
        ({ priority }) => priority,
      );
    expect(await priorities('')).toEqual([3, 2, 1]);
    expect(await priorities('direction=asc')).toEqual([1, 2, 3]);
    expect(await priorities('status=active')).toEqual([2, 1]);
    expect(await priorities('order=status&direction=asc')).toEqual([1, 2, 3]);
    expect((await bench.call('GET', `${bench.path}?status=on`)).status).toBe(400);
  });

  test.each([
    ['waf', 'on'],
    ['waf', 'off'],
    ['security_level', 'essentially_off'],
    ['browser_check', 'off'],
    ['email_obfuscation', 'on'],
    ['server_side_exclude', 'off'],
    ['ssl', 'flexible'],
    ['cache_level', 'cache_everything'],
    ['edge_cache_ttl', 60],
    ['disable_apps', true],
    ['host_header_override', 'a.example'],
    ['forwarding_url', { url: 'https://a.example/', status_code: 301 }],
  ])('the action %s accepts %j', async (id, value) => {
    const bench = await start();
    const made = await bench.ok('POST', bench.path, rule({ actions: [{ id, value }] }));
    expect(made).toMatchObject({ actions: [{ id, value }] });
  });

  test.each([
    ['no target', { targets: [] }, 'exactly one target is required'],
    ['a blank url', { targets: [target('')] }, 'the url of a target cannot be blank'],
    [
      'another operator',
      { targets: [{ target: 'url', constraint: { operator: 'is', value: 'x' } }] },
      'operator must be matches',
    ],
    ['no actions', { actions: [] }, 'at least one action is required'],
    ['an unknown action', { actions: [{ id: 'explode' }] }, "'explode' is not a known action"],
    [
      'a value where there is none',
      { actions: [{ id: 'disable_security', value: 'on' }] },
      '"on" is not a valid value for disable_security',
    ],
    [
      'a wrong value',
      { actions: [{ id: 'waf', value: 'simulate' }] },
      '"simulate" is not a valid value for waf',
    ],
    ['no value', { actions: [{ id: 'ssl' }] }, 'null is not a valid value for ssl'],
    [
      'an action twice',
      {
        actions: [
          { id: 'waf', value: 'on' },
          { id: 'waf', value: 'off' },
        ],
      },
      'the action waf may stand in a rule once only',
    ],
    [
      'a redirect with more',
      { actions: [{ id: 'forwarding_url', value: {} }, { id: 'disable_security' }] },
      'forwarding_url cannot be combined with other actions',
    ],
    ['an unknown status', { status: 'on' }, 'status must be active or disabled'],
    ['priority 0', { priority: 0 }, 'priority must be at least 1'],
  ])('%s is refused with code 1004 and the reason among the messages', async (_, members, reason) => {
    const bench = await start();
    const reply = await bench.call('POST', bench.path, rule(members));
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toEqual([
      { code: 1004, message: 'Page Rule validation failed: See messages for details.' },
    ]);
    expect(reply.body.messages).toEqual([{ code: 1, message: reason, type: null }]);
    expect(await bench.ok('GET', bench.path)).toEqual([]);
  });

  test.each([
    ['free', 3],
    ['pro', 20],
    ['business', 50],
    ['enterprise', 125],
  ])('plan %s allows at most %i', async (plan, max) => {
    const bench = await start({ plan });
    for (let count = 0; count < max; count += 1) {
      await bench.ok('POST', bench.path, rule());
    }
    const reply = await bench.call('POST', bench.path, rule());
    expect(reply.body.messages).toMatchObject([
      { message: `the limit of ${max} page rules has been reached` },
    ]);
  });
});
