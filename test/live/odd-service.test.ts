import { describe, expect, test } from 'vitest';
import type { ReadClient } from '../../src/api/client.ts';
import { readScope } from '../../src/live/read-scopes.ts';
import type { DesiredRuleset } from '../../src/model/ruleset.ts';
import type { DesiredScope } from '../../src/model/state.ts';
import { ZONE, id, wireRule, wireRuleset } from '../api/builders.ts';
import { rulewrightError } from '../api/caught.ts';
import { failure, sendJson, startLoopback, success } from '../api/loopback.ts';
import { openReader } from '../api/open.ts';
import { readLive } from './read-live.ts';
import { custom, desiredScope, entrypoint } from './desired.ts';

const PHASE = 'http_request_origin';
/** Declared as well where the reader is to request the list; the service has no such ruleset. */
const OTHER = custom('Other');
const ACCOUNT_ID = id(0xacc);
const NO_ENTRYPOINT = failure({ code: 10003, message: 'could not find entrypoint ruleset' });

type Answers = Readonly<Record<string, readonly [number, unknown]>>;

/** A service with one zone that answers by path below `/zones/{id}/rulesets`, and with 500 to any other path. */
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

describe('reading a zone with its list', () => {
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
  ])('fails, and does not find an empty ruleset, if %s', async (_title, answers, code) => {
    const error = await rulewrightError(reading(await service(answers), entrypoint(PHASE), OTHER));
    expect(error.code).toBe(code);
  });

  test('finds an entry point that the list leaves out by requesting it', async () => {
    const client = await service({
      '': list(),
      [`/phases/${PHASE}/entrypoint`]: [200, success(wireRuleset({ rules: [wireRule()] }))],
    });
    const live = await reading(client, entrypoint(PHASE), OTHER);
    expect(live.entries[0]?.slot).toMatchObject({ kind: 'present', ruleset: { id: id(1) } });
  });

  test('takes no ruleset of the account or of another phase in the list for the entry point', async () => {
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

  test('is absent if its own request says so', async () => {
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

  test('is read with the list if its live rules name other rulesets, whose names only the list has', async () => {
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

describe('several entry points that are not cached', () => {
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

  test('fail with the error of the list if neither the first one nor the list can be read', async () => {
    const client = await service({ '': [404, failure({ code: 7003, message: 'no such zone' })] });
    const reading = await readScope(client, declared);
    expect(reading.kind === 'failed' ? reading.errors.map(({ message }) => message) : null).toEqual([
      expect.stringContaining('/rulesets?per_page=50: 404 no such zone'),
    ]);
  });

  test('fail only with the error of the first one if the list and the others can be read', async () => {
    const client = await service({
      [`${first}`]: [403, failure({ message: 'no' })],
      [`${second}`]: [200, success(wireRuleset({ phase: phases[1], rules: [wireRule()] }))],
      [`${third}`]: [404, NO_ENTRYPOINT],
      '': list(),
    });
    const reading = await readScope(client, declared);
    expect(reading.kind === 'failed' ? reading.errors.map(({ code }) => code) : null).toEqual([
      'api/forbidden',
    ]);
  });

  test('report the error of each one that cannot be read', async () => {
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

  test('are read with the list if a live rule names another ruleset', async () => {
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

describe('a ruleset that looks empty', () => {
  const entry = `/phases/${PHASE}/entrypoint`;
  const version = `/${id(1)}/versions/3`;
  const full = { rules: [wireRule()] };
  const gone = [404, failure({ code: 10003, message: 'could not find entrypoint ruleset' })] as const;

  test.each<[string, Readonly<Record<string, unknown>>, readonly [number, unknown]]>([
    ['its answer says so and its version has no rules', { rules: [] }, [200, success(wireRuleset())]],
    ['its answer has no rules and its version says so', {}, [200, success(wireRuleset({ rules: [] }))]],
  ])('is empty if %s', async (_title, shown, proof) => {
    const client = await service({ [entry]: [200, success(wireRuleset(shown))], [version]: proof });
    const live = await reading(client, entrypoint(PHASE));
    expect(live.entries[0]?.slot).toMatchObject({ kind: 'present', ruleset: { rules: [] } });
  });

  test.each<[string, Readonly<Record<string, unknown>>, readonly [number, unknown], string]>([
    [
      'its version has rules',
      { rules: [] },
      [200, success(wireRuleset(full))],
      'version 3 of this ruleset has 1 rule',
    ],
    [
      'it lost its rules on the way',
      {},
      [200, success(wireRuleset(full))],
      'version 3 of this ruleset has 1 rule',
    ],
    ['it says that they are null', { rules: null }, [200, success(wireRuleset(full))], 'it shows no rules'],
    [
      'the answer is about another version',
      {},
      [200, success(wireRuleset({ version: '2' }))],
      '/version should be 3',
    ],
    [
      'the answer is about another ruleset',
      {},
      [200, success(wireRuleset({ id: id(9) }))],
      `/id should be ${id(1)}`,
    ],
    ['the version is said not to exist', {}, gone, 'version 3 does not prove that there are none'],
    ['the version cannot be read', {}, [500, failure({ message: 'down' })], 'versions/3'],
    ['the version is a page', {}, [200, '<html>'], 'versions/3'],
  ])('is not read if %s', async (_title, shown, proof, message) => {
    const client = await service({ [entry]: [200, success(wireRuleset(shown))], [version]: proof });
    const error = await rulewrightError(reading(client, entrypoint(PHASE)));
    expect(error.message).toContain(message);
  });

  test('is not read from the list either', async () => {
    const client = await service({
      '': list(wireRuleset()),
      [`/${id(1)}`]: [200, success(wireRuleset())],
      [version]: [200, success(wireRuleset(full))],
    });
    const error = await rulewrightError(reading(client, entrypoint(PHASE), OTHER));
    expect(error.code).toBe('api/unexpected-answer');
  });
});

describe('custom rulesets', () => {
  const twice = list(
    wireRuleset({ id: id(1), kind: 'custom', name: 'Twice' }),
    wireRuleset({ id: id(2), kind: 'custom', name: 'Twice' }),
    wireRuleset({ id: id(3), kind: 'custom', name: 'Twice', phase: 'http_ratelimit' }),
  );
  const accountList = `/accounts/${ACCOUNT_ID}/rulesets`;

  test('are ambiguous if two have the same name and phase, and the error names both', async () => {
    const client = await service({ '': twice, [accountList]: list() });
    const error = await rulewrightError(reading(client, custom('Twice', PHASE)));
    expect(error.code).toBe('live/ambiguous-ruleset');
    expect(error.message).toBe(
      `zone:a.example: custom ruleset "Twice" of phase ${PHASE}: there are 2: ${id(1)}, ${id(2)}.`,
    );
  });

  test('are not ambiguous if one of the two belongs to the account', async () => {
    const client = await service({
      '': twice,
      [accountList]: list(wireRuleset({ id: id(2), kind: 'custom', name: 'Twice' })),
      [`/${id(1)}`]: [
        200,
        success(wireRuleset({ id: id(1), kind: 'custom', name: 'Twice', rules: [wireRule()] })),
      ],
    });
    const live = await reading(client, custom('Twice', PHASE));
    expect(live.entries[0]?.slot).toMatchObject({ kind: 'present', ruleset: { id: id(1) } });
  });

  test('cannot be read if the list of the account fails for another reason than a missing permission', async () => {
    const client = await service({ '': twice });
    expect((await rulewrightError(reading(client, custom('Twice', PHASE)))).code).toBe('api/server-error');
  });

  test('are ambiguous also if the files own all custom rulesets', async () => {
    const client = await service({ '': twice, [accountList]: list() });
    const desired = desiredScope('zone:a.example', [], { rulesetOwnership: 'all' });
    expect((await rulewrightError(readLive(client, desired))).code).toBe('live/ambiguous-ruleset');
  });
});

describe('an undeclared ruleset', () => {
  const inner = wireRuleset({ id: id(1), kind: 'custom', name: 'Inner', rules: [wireRule()] });
  const accountList = `/accounts/${ACCOUNT_ID}/rulesets`;
  const no = [403, failure({ message: 'no' })] as const;
  const down = [500, failure({ message: 'down' })] as const;
  const owning = (rulesetOwnership: 'all' | 'everything') =>
    desiredScope('zone:a.example', [], { rulesetOwnership });

  test.each<[string, DesiredScope, readonly [number, unknown], string]>([
    ['when it is to be deleted and may not be read', owning('all'), no, 'api/forbidden'],
    ['when it is to be shown and nothing answers', owning('everything'), down, 'api/server-error'],
  ])('fails the scope %s', async (_title, desired, answer, code) => {
    const client = await service({ '': list(inner), [accountList]: list(), [`/${id(1)}`]: answer });
    const reading = await readScope(client, desired);
    expect(reading.kind === 'failed' ? reading.errors.map((error) => error.code) : null).toEqual([code]);
  });

  test('fails the scope if it cannot be read and may name a custom ruleset that is to be deleted', async () => {
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

test('does not request the list if the first entry point was rate-limited', async () => {
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
