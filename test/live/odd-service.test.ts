import { describe, expect, test } from 'vitest';
import type { ReadClient } from '../../src/api/client.ts';
import { readScope } from '../../src/live/read-scope.ts';
import { readLive } from './read-live.ts';
import type { DesiredRuleset } from '../../src/model/ruleset.ts';
import type { DesiredScope } from '../../src/model/state.ts';
import { ZONE, id, wireRule, wireRuleset } from '../api/builders.ts';
import { rulewrightError } from '../api/caught.ts';
import { failure, sendJson, startLoopback, success } from '../api/loopback.ts';
import { openReader } from '../api/open.ts';
import { custom, desiredScope, entrypoint } from './desired.ts';

const PHASE = 'http_request_origin';
/** Declared beside it where the list is to be read; nothing is there. */
const OTHER = custom('Other');
const ACCOUNT_ID = id(0xacc);
const NO_ENTRYPOINT = failure({ code: 10003, message: 'could not find entrypoint ruleset' });

type Answers = Readonly<Record<string, readonly [number, unknown]>>;

/** A service with one zone that answers by path below `/zones/{id}/rulesets`, and with 500 elsewhere. */
async function service(answers: Answers): Promise<ReadClient> {
  const server = await startLoopback(({ url }, response) => {
    const { pathname } = new URL(url, 'http://x');
    if (pathname === '/client/v4/zones') {
      sendJson(response, 200, success([{ id: ZONE.id, name: 'a.example', account: { id: ACCOUNT_ID } }]));
      return;
    }
    const path = pathname.replace(`/client/v4/zones/${ZONE.id}/rulesets`, '').replace('/client/v4', '');
    const [status, body] = answers[path] ?? [500, failure({ message: `nothing at ${path}` })];
    sendJson(response, status, body);
  });
  return openReader(server.baseUrl).client;
}

function reading(client: ReadClient, ...rulesets: readonly DesiredRuleset[]) {
  return readLive(client, desiredScope('zone:a.example', rulesets));
}

const list = (...rulesets: readonly unknown[]) => [200, success(rulesets)] as const;

describe('a read that fails is an error of the scope, never an empty ruleset', () => {
  test.each<[string, Answers, string]>([
    ['the list cannot be read', { '': [403, failure({ message: 'no' })] }, 'api/forbidden'],
    ['the list is a page', { '': [200, '<html>'] }, 'api/not-json'],
    ['the list stays away', {}, 'api/server-error'],
    [
      'a 404 is not about the entry point',
      {
        '': list(),
        [`/phases/${PHASE}/entrypoint`]: [404, failure({ code: 7003, message: 'Could not route' })],
      },
      'api/not-found',
    ],
    [
      'the entry point is of another phase',
      {
        '': list(),
        [`/phases/${PHASE}/entrypoint`]: [200, success(wireRuleset({ phase: 'http_ratelimit' }))],
      },
      'api/unexpected-answer',
    ],
    [
      'the entry point is that of an account',
      { '': list(), [`/phases/${PHASE}/entrypoint`]: [200, success(wireRuleset({ kind: 'root' }))] },
      'api/unexpected-answer',
    ],
    [
      'the ruleset has gone since the list',
      { '': list(wireRuleset()), [`/${id(1)}`]: [404, failure({ code: 10001, message: 'gone' })] },
      'live/changed-while-reading',
    ],
    [
      'the ruleset is another one',
      { '': list(wireRuleset()), [`/${id(1)}`]: [200, success(wireRuleset({ id: id(9) }))] },
      'api/unexpected-answer',
    ],
    [
      'the ruleset is of another phase',
      {
        '': list(wireRuleset()),
        [`/${id(1)}`]: [200, success(wireRuleset({ phase: 'http_ratelimit' }))],
      },
      'api/unexpected-answer',
    ],
    [
      'the ruleset is of another kind',
      { '': list(wireRuleset()), [`/${id(1)}`]: [200, success(wireRuleset({ kind: 'root' }))] },
      'api/unexpected-answer',
    ],
    [
      'a rule has no id',
      {
        '': list(wireRuleset()),
        [`/${id(1)}`]: [200, success(wireRuleset({ rules: [wireRule({ id: undefined })] }))],
      },
      'live/unusable-id',
    ],
    [
      'two entry points are of one phase',
      { '': list(wireRuleset(), wireRuleset({ id: id(2) })) },
      'live/ambiguous-ruleset',
    ],
  ])('%s', async (_title, answers, code) => {
    const error = await rulewrightError(reading(await service(answers), entrypoint(PHASE), OTHER));
    expect(error.code).toBe(code);
  });

  test('an entry point that the list leaves out is found by its own request', async () => {
    const client = await service({
      '': list(),
      [`/phases/${PHASE}/entrypoint`]: [200, success(wireRuleset({ rules: [wireRule()] }))],
    });
    const live = await reading(client, entrypoint(PHASE), OTHER);
    expect(live.entries[0]?.slot).toMatchObject({ kind: 'present', ruleset: { id: id(1) } });
  });

  test('rulesets of the account and of other phases in the list are not the entry point', async () => {
    const client = await service({
      '': list(
        wireRuleset({ id: id(1), kind: 'root' }),
        wireRuleset({ id: id(2), kind: 'managed' }),
        wireRuleset({ id: id(3), phase: 'http_ratelimit' }),
      ),
      [`/phases/${PHASE}/entrypoint`]: [404, NO_ENTRYPOINT],
    });
    const live = await reading(client, entrypoint(PHASE), OTHER);
    expect(live.entries[0]?.slot).toEqual({ kind: 'absent' });
  });
});

describe('a single entry point', () => {
  const path = `/phases/${PHASE}/entrypoint`;

  test('is read without the list', async () => {
    const client = await service({ [path]: [200, success(wireRuleset({ rules: [wireRule()] }))] });
    const live = await reading(client, entrypoint(PHASE));
    expect(live.entries[0]?.slot).toMatchObject({ kind: 'present', ruleset: { id: id(1) } });
  });

  test('is absent when it says so itself', async () => {
    const client = await service({ [path]: [404, NO_ENTRYPOINT] });
    expect((await reading(client, entrypoint(PHASE))).entries[0]?.slot).toEqual({ kind: 'absent' });
  });

  test.each<[string, readonly [number, unknown], string]>([
    ['it may not be read', [403, failure({ message: 'no' })], 'api/forbidden'],
    ['nothing answers', [500, failure({ message: 'down' })], 'api/server-error'],
    ['a 404 is about something else', [404, failure({ code: 7003, message: 'route' })], 'api/not-found'],
    [
      'it is of another phase',
      [200, success(wireRuleset({ phase: 'http_ratelimit' }))],
      'api/unexpected-answer',
    ],
  ])('fails when %s', async (_title, answer, code) => {
    const error = await rulewrightError(reading(await service({ [path]: answer }), entrypoint(PHASE)));
    expect(error.code).toBe(code);
  });

  test('whose live rules name other rulesets takes the list, which knows their names', async () => {
    const run = wireRule({ action: 'execute', action_parameters: { id: id(7) } });
    const ruleset = success(wireRuleset({ rules: [run] }));
    const head = wireRuleset({ id: id(7), kind: 'managed', name: 'Managed' });
    const client = await service({
      [path]: [200, ruleset],
      '': list(wireRuleset(), head),
    });
    expect((await reading(client, entrypoint(PHASE))).catalogue.map(({ name }) => name)).toEqual(['Managed']);
  });
});

describe('several entry points of which nothing is known', () => {
  const phases = [PHASE, 'http_request_cache_settings', 'http_request_dynamic_redirect'] as const;
  const [first, second, third] = phases.map((phase) => `/phases/${phase}/entrypoint`);
  const read = (client: ReadClient) => readLive(client, declared);
  const declared = desiredScope(
    'zone:a.example',
    phases.map((phase) => entrypoint(phase)),
  );

  test('are read without the list', async () => {
    const client = await service({
      [`${first}`]: [200, success(wireRuleset({ rules: [wireRule()] }))],
      [`${second}`]: [404, NO_ENTRYPOINT],
      [`${third}`]: [404, NO_ENTRYPOINT],
    });
    const { entries, catalogue } = await read(client);
    expect(entries.map(({ slot }) => slot.kind)).toEqual(['present', 'absent', 'absent']);
    expect(catalogue).toEqual([]);
  });

  test('are no reason to ask for each when the scope as a whole cannot be read', async () => {
    const client = await service({ '': [404, failure({ code: 7003, message: 'no such zone' })] });
    const reading = await readScope(client, declared);
    expect(reading.kind === 'failed' ? reading.errors.map(({ message }) => message) : null).toEqual([
      expect.stringContaining('/rulesets?per_page=50: 404 no such zone'),
    ]);
  });

  test('are read with the list when the first one cannot be read', async () => {
    const client = await service({
      [`${first}`]: [403, failure({ message: 'no' })],
      [`${second}`]: [200, success(wireRuleset({ phase: phases[1], rules: [] }))],
      [`${third}`]: [404, NO_ENTRYPOINT],
      '': list(),
    });
    const reading = await readScope(client, declared);
    expect(reading.kind === 'failed' ? reading.errors.map(({ code }) => code) : null).toEqual([
      'api/forbidden',
    ]);
  });

  test('all tell what is wrong with them', async () => {
    const client = await service({
      [`${first}`]: [404, NO_ENTRYPOINT],
      [`${second}`]: [403, failure({ message: 'no' })],
      [`${third}`]: [404, failure({ code: 7003, message: 'route' })],
    });
    const reading = await readScope(client, declared);
    expect(reading.kind === 'failed' ? reading.errors.map(({ code }) => code) : null).toEqual([
      'api/forbidden',
      'api/not-found',
    ]);
  });

  test('take the list as well where a live rule names another ruleset', async () => {
    const run = wireRule({ action: 'execute', action_parameters: { id: id(7) } });
    const heads = ['managed', 'custom', 'root', 'zone'].map((kind, index) =>
      wireRuleset({ id: id(7 + index), kind, name: kind }),
    );
    const client = await service({
      [`${first}`]: [200, success(wireRuleset({ rules: [run] }))],
      [`${second}`]: [404, NO_ENTRYPOINT],
      [`${third}`]: [404, NO_ENTRYPOINT],
      '': list(...heads),
    });
    expect((await read(client)).catalogue.map(({ name }) => name)).toEqual(['managed', 'custom']);
  });
});

describe('custom rulesets', () => {
  const twice = list(
    wireRuleset({ id: id(1), kind: 'custom', name: 'Twice' }),
    wireRuleset({ id: id(2), kind: 'custom', name: 'Twice' }),
    wireRuleset({ id: id(3), kind: 'custom', name: 'Twice', phase: 'http_ratelimit' }),
  );
  const accountList = `/accounts/${ACCOUNT_ID}/rulesets`;

  test('two of one name and phase are an error that names them', async () => {
    const client = await service({ '': twice, [accountList]: list() });
    const error = await rulewrightError(reading(client, custom('Twice', PHASE)));
    expect(error.code).toBe('live/ambiguous-ruleset');
    expect(error.message).toBe(
      `zone:a.example: custom ruleset "Twice" of phase ${PHASE}: there are 2: ${id(1)}, ${id(2)}.`,
    );
  });

  test('one of them being the account’s is none', async () => {
    const client = await service({
      '': twice,
      [accountList]: list(wireRuleset({ id: id(2), kind: 'custom', name: 'Twice' })),
      [`/${id(1)}`]: [200, success(wireRuleset({ id: id(1), kind: 'custom', name: 'Twice' }))],
    });
    const live = await reading(client, custom('Twice', PHASE));
    expect(live.entries[0]?.slot).toMatchObject({ kind: 'present', ruleset: { id: id(1) } });
  });

  test('a list of the account that fails otherwise than by permission is an error', async () => {
    const client = await service({ '': twice });
    expect((await rulewrightError(reading(client, custom('Twice', PHASE)))).code).toBe('api/server-error');
  });

  test('two of one name are an error too when all are ours', async () => {
    const client = await service({ '': twice, [accountList]: list() });
    const desired = desiredScope('zone:a.example', [], { rulesetOwnership: 'all' });
    expect((await rulewrightError(readLive(client, desired))).code).toBe('live/ambiguous-ruleset');
  });
});

describe('what no file declares fails the scope', () => {
  const inner = wireRuleset({ id: id(1), kind: 'custom', name: 'Inner', rules: [] });
  const accountList = `/accounts/${ACCOUNT_ID}/rulesets`;
  const no = [403, failure({ message: 'no' })] as const;
  const down = [500, failure({ message: 'down' })] as const;
  const owning = (rulesetOwnership: 'all' | 'everything') =>
    desiredScope('zone:a.example', [], { rulesetOwnership });

  test.each<[string, DesiredScope, readonly [number, unknown], string]>([
    ['when it is to be deleted and may not be read', owning('all'), no, 'api/forbidden'],
    ['when it is to be shown and nothing answers', owning('everything'), down, 'api/server-error'],
  ])('%s', async (_title, desired, answer, code) => {
    const client = await service({ '': list(inner), [accountList]: list(), [`/${id(1)}`]: answer });
    const reading = await readScope(client, desired);
    expect(reading.kind === 'failed' ? reading.errors.map((error) => error.code) : null).toEqual([code]);
  });

  test('when it may name a custom ruleset that is to go, and cannot be read', async () => {
    const client = await service({
      '': list(inner, wireRuleset({ id: id(2) })),
      [accountList]: list(),
      [`/${id(1)}`]: [200, success(inner)],
      [`/${id(2)}`]: no,
    });
    const gone = custom('Inner', PHASE, { presence: 'absent' });
    const reading = await readScope(client, desiredScope('zone:a.example', [gone]));
    expect(reading.kind === 'failed' ? reading.errors.map((error) => error.code) : null).toEqual([
      'api/forbidden',
    ]);
  });
});

test('a service that takes no more requests is not asked for the list after the first entry point', async () => {
  const asked = new Set<string>();
  const server = await startLoopback(({ url }, response) => {
    const { pathname } = new URL(url, 'http://x');
    asked.add(pathname.replace(/^.*\/rulesets/, ''));
    sendJson(response, 429, failure({ code: 971, message: 'too many' }));
  });
  const { client } = openReader(server.baseUrl);
  const desired = desiredScope('zone:a.example', [entrypoint(PHASE), entrypoint('http_ratelimit')]);
  const reading = await readScope(client, desired, {
    scope: { ...ZONE, kind: 'zone', name: 'a.example', accountId: ACCOUNT_ID },
  });
  expect(reading).toMatchObject({ kind: 'failed', errors: [{ code: 'api/rate-limited' }] });
  expect([...asked]).toEqual([`/phases/${PHASE}/entrypoint`]);
});
