import { describe, expect, test } from 'vitest';
import type { ServiceResponse } from '../../src/api/response.ts';
import { dryRunOf } from '../../src/api/client.ts';
import type { ScopeAddress } from '../../src/api/paths.ts';
import { dryRun, probeDryRun } from '../../src/api/dry-run.ts';
import { getEntrypoint, getRuleset, getVersion, listRulesets, listVersions } from '../../src/api/rulesets.ts';
import { isMissingEntrypoint } from '../../src/api/service-error.ts';
import * as writes from './ruleset-writes.ts';
import { ACCOUNT, ZONE, id, wireRule, wireRuleset } from './builders.ts';
import { rulewrightError, serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openDryRunner, openReader, openWriter } from './open.ts';

const ZONE_PATH = `/client/v4/zones/${ZONE.id}/rulesets`;
const PHASE = 'http_request_origin';

async function answering(result: unknown) {
  return startLoopback((_seen, response) => sendJson(response, 200, success(result)));
}

describe('reading rulesets', () => {
  test.each([
    ['cursors.after', (after: string) => ({ cursors: { after } })],
    ['cursor', (cursor: string) => ({ cursor })],
  ])('a list is read as long as the service names a next page in %s', async (_title, info) => {
    const server = await startLoopback(({ url }, response) => {
      const cursor = new URL(url, 'http://x').searchParams.get('cursor');
      const number = cursor === null ? 1 : Number(cursor);
      const more = number < 3 ? { result_info: info(String(number + 1)) } : {};
      sendJson(response, 200, success([wireRuleset({ id: id(number) })], more));
    });
    const { client } = openReader(server.baseUrl);
    const heads = await listRulesets(client, ZONE);
    expect(heads.map((head) => head.id)).toEqual([id(1), id(2), id(3)]);
    expect(server.seen.map(({ url }) => url)).toEqual([
      `${ZONE_PATH}?per_page=50`,
      `${ZONE_PATH}?per_page=50&cursor=2`,
      `${ZONE_PATH}?per_page=50&cursor=3`,
    ]);
  });

  test.each([
    ['comes again', () => 'same', 2],
    ['leads on and on', (index: number) => `c${index}`, 201],
  ])('a list whose cursor %s is refused as endless', async (_title, cursor, requests) => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(response, 200, success([], { result_info: { cursor: cursor(index) } }));
    });
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(listRulesets(client, ZONE));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toContain('its list does not end');
    expect(server.seen).toHaveLength(requests);
  });

  test('a ruleset, its versions and one version are read from their paths', async () => {
    const server = await startLoopback(({ url }, response) => {
      sendJson(
        response,
        200,
        success(url.endsWith('versions') ? [wireRuleset()] : wireRuleset({ rules: [wireRule()] })),
      );
    });
    const { client } = openReader(server.baseUrl);
    await getRuleset(client, ZONE, id(1));
    await listVersions(client, ZONE, id(1));
    await getVersion(client, ZONE, id(1), '3');
    expect(server.seen.map(({ url }) => url)).toEqual([
      `${ZONE_PATH}/${id(1)}`,
      `${ZONE_PATH}/${id(1)}/versions`,
      `${ZONE_PATH}/${id(1)}/versions/3`,
    ]);
  });

  test('only a 404 with code 10003 says that there is no entry point', async () => {
    const answers = [
      [404, failure({ code: 10003, message: 'could not find entrypoint ruleset' })],
      [404, failure({ code: 10001, message: 'could not find ruleset' })],
      [404, failure({ message: 'could not find entrypoint ruleset' })],
      [403, failure({ code: 10003, message: 'could not find entrypoint ruleset' })],
      [404, '<html>10003</html>'],
      [200, success(null)],
    ] as const;
    const server = await startLoopback((_seen, response, index) => {
      const [status, body] = answers[index] ?? [500, ''];
      sendJson(response, status, body);
    });
    const { client } = openReader(server.baseUrl);
    expect(await getEntrypoint(client, ZONE, PHASE)).toBeNull();
    for (const code of [
      'api/not-found',
      'api/not-found',
      'api/forbidden',
      'api/not-json',
      'api/unexpected-answer',
    ]) {
      const error = await serviceError(getEntrypoint(client, ZONE, PHASE));
      expect(error.code).toBe(code);
      expect(isMissingEntrypoint(error)).toBe(false);
    }
  });

  test.each([
    [
      'zone',
      'http_request_origin',
      ZONE,
      'the token needs the permission "Origin" Read for this zone: phase http_request_origin asks for it',
    ],
    [
      'account',
      'http_ratelimit',
      ACCOUNT,
      'the token needs the permission "Account WAF" Read for this account: phase http_ratelimit asks for it',
    ],
    [
      'zone',
      'no_such_phase',
      ZONE,
      'the token needs Read of the permission of the phase (for WAF rules "Zone WAF"), for this zone',
    ],
  ])('a 403 in a %s names the permission for %s', async (_kind, phase, scope: ScopeAddress, hint) => {
    const server = await startLoopback((_seen, response) => {
      sendJson(response, 403, failure({ message: 'request is not authorized' }));
    });
    const { client } = openReader(server.baseUrl);
    expect((await serviceError(getEntrypoint(client, scope, phase))).hint).toBe(hint);
    expect((await serviceError(getRuleset(client, scope, id(1), { phase }))).hint).toBe(hint);
  });

  test('an answer that is not a ruleset is refused with its request and the place of what is wrong', async () => {
    const server = await answering(wireRuleset({ rules: [{ id: id(2) }] }));
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(getRuleset(client, ZONE, id(1)));
    expect(error).toMatchObject({ code: 'api/unexpected-answer', status: 200, effect: 'none' });
    expect(error.message).toContain('/rules/0/action should be text and is missing');
    expect(error.message).toContain(`/rulesets/${id(1)}`);
  });

  test.each([
    ['an empty id', ''],
    ['a path', '../../accounts'],
    ['a query', `${id(1)}?x=1`],
    ['capital letters', id(0xabc).toUpperCase()],
  ])('%s is never sent as an id', async (_title, bad) => {
    const server = await answering(null);
    const { client } = openWriter(server.baseUrl);
    const attempts = [
      async () => getRuleset(client, ZONE, bad),
      async () => getRuleset(client, { kind: 'zone', id: bad }, id(1)),
      async () => getVersion(client, ZONE, id(1), bad),
      async () => getEntrypoint(client, ZONE, bad),
      async () => writes.deleteRule(client, { ...RULESET_AT, ruleId: bad }),
      async () => writes.deleteRuleset(client, ZONE, bad),
    ];
    for (const attempt of attempts) {
      expect((await rulewrightError(attempt())).code).toBe('api/bad-path');
    }
    expect(server.seen).toEqual([]);
  });
});

const RULESET_AT = { scope: ZONE, rulesetId: id(1) };
const RULE_AT = { ...RULESET_AT, ruleId: id(2) };
const RULE = { action: 'block', expression: 'true' };

/** Every write, with the method, path and body that are sent. */
const OPERATIONS = [
  {
    name: 'createRuleset',
    write: (client: Writer) =>
      writes.createRuleset(client, ZONE, { name: 'n', kind: 'custom', phase: PHASE, rules: [] }),
    sends: ['POST', '', { name: 'n', kind: 'custom', phase: PHASE, rules: [] }],
  },
  {
    name: 'updateRuleset',
    write: (client: Writer) => writes.updateRuleset(client, ZONE, id(1), { description: 'd' }),
    sends: ['PUT', `/${id(1)}`, { description: 'd' }],
  },
  {
    name: 'updateEntrypoint',
    write: (client: Writer) => writes.updateEntrypoint(client, ZONE, PHASE, { rules: [{ id: id(2) }] }),
    sends: ['PUT', `/phases/${PHASE}/entrypoint`, { rules: [{ id: id(2) }] }],
  },
  {
    name: 'deleteRuleset',
    write: (client: Writer) => writes.deleteRuleset(client, ZONE, id(1)),
    sends: ['DELETE', `/${id(1)}`, null],
  },
  {
    name: 'deleteRulesetVersion',
    write: (client: Writer) => writes.deleteRulesetVersion(client, ZONE, id(1), '2'),
    sends: ['DELETE', `/${id(1)}/versions/2`, null],
  },
  {
    name: 'addRule',
    write: (client: Writer) => writes.addRule(client, RULESET_AT, RULE, { after: id(3) }),
    sends: ['POST', `/${id(1)}/rules`, { ...RULE, position: { after: id(3) } }],
  },
  {
    name: 'updateRule',
    write: (client: Writer) => writes.updateRule(client, RULE_AT, RULE),
    sends: ['PATCH', `/${id(1)}/rules/${id(2)}`, RULE],
  },
  {
    name: 'updateRule with a position alone',
    write: (client: Writer) => writes.updateRule(client, RULE_AT, null, { before: '' }),
    sends: ['PATCH', `/${id(1)}/rules/${id(2)}`, { position: { before: '' } }],
  },
  {
    name: 'deleteRule',
    write: (client: Writer) => writes.deleteRule(client, RULE_AT),
    sends: ['DELETE', `/${id(1)}/rules/${id(2)}`, null],
  },
] as const;

type Writer = ReturnType<typeof openWriter>['client'];

describe('writing rulesets', () => {
  test.each(OPERATIONS)('$name sends its request', async ({ write, sends: [method, path, body] }) => {
    const server = await answering(wireRuleset());
    const { client } = openWriter(server.baseUrl);
    await write(client);
    expect(server.seen).toMatchObject([
      { method, url: `${ZONE_PATH}${path}`, body: body === null ? '' : JSON.stringify(body) },
    ]);
  });

  const REQUEST = {
    method: 'PUT',
    path: `/zones/${ZONE.id}/rulesets/${id(1)}`,
    body: { rules: [] },
  } as const;

  test('a dry run sends the request of its write with the parameter dry_run', async () => {
    const server = await answering(null);
    const { client } = openDryRunner(server.baseUrl);
    await dryRun(client, REQUEST);
    expect(server.seen).toMatchObject([
      { method: 'PUT', url: `${ZONE_PATH}/${id(1)}?dry_run=true`, body: '{"rules":[]}' },
    ]);
  });

  test('a dry run that is answered with a result fails, because it has written', async () => {
    const server = await answering(wireRuleset());
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(dryRun(dryRunOf(client), REQUEST));
    expect(error).toMatchObject({ code: 'api/dry-run-wrote', effect: 'unknown', status: 200 });
    expect(server.seen[0]?.url).toMatch(/\?dry_run=true$/);
  });

  test('the deletion of a rule is answered with the ruleset or an empty body', async () => {
    const server = await startLoopback((_seen, response, index) => {
      if (index === 0) {
        sendJson(response, 200, success(wireRuleset({ rules: [wireRule()] })));
      } else {
        response.writeHead(204).end();
      }
    });
    const { client } = openWriter(server.baseUrl);
    expect((await writes.deleteRule(client, { ...RULESET_AT, ruleId: id(9) }))?.rules).toHaveLength(1);
    expect(await writes.deleteRule(client, { ...RULESET_AT, ruleId: id(9) })).toBeNull();
  });

  test('the effect of a write whose answer is malformed is unknown', async () => {
    const server = await answering(wireRuleset({ version: 'x' }));
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(writes.updateRuleset(client, ZONE, id(1), { rules: [] }));
    expect(error).toMatchObject({ code: 'api/unexpected-answer', effect: 'unknown' });
  });

  test('a write that is answered with 403 names the permission to write', async () => {
    const server = await startLoopback((_seen, response) => {
      sendJson(response, 403, failure({ code: 10000, message: 'Authentication error' }));
    });
    const { client } = openWriter(server.baseUrl);
    const error = await serviceError(writes.updateEntrypoint(client, ZONE, 'http_ratelimit', { rules: [] }));
    expect(error).toMatchObject({ code: 'api/forbidden', effect: 'none' });
    expect(error.hint).toContain('"Zone WAF" Write');
  });
});

describe('a client for dry runs', () => {
  test('has no function to read or write', async () => {
    const { client } = openDryRunner('http://127.0.0.1:1');
    expect(Object.keys(client).sort()).toEqual(['baseUrl', 'check', 'close', 'probe']);
    expect(Object.keys(dryRunOf(openWriter('http://127.0.0.1:1').client)).sort()).toEqual([
      'baseUrl',
      'check',
      'probe',
    ]);
  });

  test("refuses a caller's own dry_run, a WAF migration and a probe at a wrong path", async () => {
    const server = await answering(null);
    const { client } = openDryRunner(server.baseUrl);
    const attempts: (() => Promise<ServiceResponse>)[] = [
      () => client.check({ method: 'PUT', path: '/a', query: { dry_run: 'false' } }),
      () => client.check({ method: 'PUT', path: '/a', query: { waf_migration: 'validation' } }),
      () => client.check({ method: 'PUT', path: '/a?dry_run=false' }),
      () => client.probe(`${ZONE_PATH}/${id(1)}/rules/${id(2)}`, 'invalid'),
    ];
    for (const attempt of attempts) {
      expect(await rulewrightError(attempt())).toMatchObject({ code: 'api/misuse', fault: 'bug' });
    }
    expect(server.seen).toEqual([]);
  });

  const notFound = [404, failure({ code: 10001, message: 'could not find rule' })] as const;
  const noRoute = failure({ code: 7003, message: 'Could not route' }, { code: 7000, message: 'No route' });
  const badValue = [400, failure({ message: "'invalid' is not a valid value for dry_run" })] as const;
  test.each([
    ['honours them', notFound, badValue, 'honoured', 2],
    ['ignores them', notFound, notFound, 'unknown', 2],
    ['does not route them', notFound, [400, noRoute], 'unknown', 2],
    ['has no route at all', [404, noRoute], badValue, 'unknown', 1],
    ['answers with a page', [404, 'nothing here'], badValue, 'unknown', 1],
    ['does not permit writing', [403, failure({ message: 'no' })], badValue, 'forbidden', 1],
    ['takes everything', [200, success(null)], badValue, 'unknown', 1],
  ] as const)('probeDryRun on a service that %s', async (_title, right, wrong, expected, requests) => {
    const server = await startLoopback(({ url }, response) => {
      const [status, body] = url.endsWith('dry_run=true') ? right : wrong;
      sendJson(response, status, body);
    });
    const { client } = openDryRunner(server.baseUrl);
    expect(await probeDryRun(client, ZONE, id(1))).toBe(expected);
    expect(server.seen).toHaveLength(requests);
    expect(new Set(server.seen.map(({ method }) => method))).toEqual(new Set(['DELETE']));
  });
});
