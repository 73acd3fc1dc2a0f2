import { describe, expect, onTestFinished, test } from 'vitest';
import type { ListItemContent } from '../../src/api/list-requests.ts';
import {
  addListItems,
  awaitListOperation,
  createList,
  deleteList,
  deleteListItems,
  getList,
  getListItem,
  getListOperation,
  listListItems,
  listLists,
  replaceListItems,
  updateList,
} from '../../src/api/lists.ts';
import { fakeClock, scopeId, startEmulator } from '../../src/emulator/index.ts';
import { ACCOUNT, id } from './builders.ts';
import { serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const account = scopeId('account', 'Example Shop');

/** The embedded service on a clock that moves on while the client waits. */
async function start() {
  const time = fakeClock();
  const emulator = await startEmulator({ budget: 'off', clock: time });
  onTestFinished(() => emulator.close());
  const waits: number[] = [];
  const clock = {
    now: () => time.now(),
    sleep: (ms: number) => {
      waits.push(ms);
      time.advance(ms);
      return Promise.resolve();
    },
  };
  const { client } = openWriter(emulator.baseUrl, {
    credentials: { kind: 'token', token: emulator.token },
  });
  const until = (operation: string) =>
    awaitListOperation(client, account, operation, { clock, interval: 400 });
  return { client, until, waits };
}

describe('lists on the embedded service (api.md 9.8)', () => {
  test('from nothing to nothing', async () => {
    const { client } = await start();
    const before = await listLists(client, account);
    const made = await createList(client, account, { name: 'mine', kind: 'ip', description: 'Mine' });
    expect(made).toMatchObject({ name: 'mine', kind: 'ip', description: 'Mine', items: 0, uses: 0 });
    expect(await getList(client, account, made.id)).toEqual(made);
    expect(await listLists(client, account)).toEqual([...before, made]);
    expect((await updateList(client, account, made.id, 'Ours')).description).toBe('Ours');
    await deleteList(client, account, made.id);
    expect(await listLists(client, account)).toEqual(before);
  });

  test.each<[ListItemContent, ListItemContent]>([
    [
      { kind: 'ip', ip: '192.0.2.1', comment: 'One' },
      { kind: 'ip', ip: '2001:db8::/32' },
    ],
    [
      { kind: 'hostname', hostname: '*.shop.example' },
      { kind: 'hostname', hostname: 'shop.example' },
    ],
    [
      { kind: 'asn', asn: 64_496 },
      { kind: 'asn', asn: 64_497 },
    ],
    [
      {
        kind: 'redirect',
        redirect: { sourceUrl: 'a.example/', targetUrl: 'https://b.example', preserveQueryString: true },
      },
      {
        kind: 'redirect',
        redirect: { sourceUrl: 'c.example/', targetUrl: 'https://b.example', statusCode: 302 },
      },
    ],
  ])('items are added, replaced and deleted: %j', async (first, second) => {
    const { client, until } = await start();
    const { id: list } = await createList(client, account, { name: 'mine', kind: first.kind });
    expect(await until(await addListItems(client, account, list, [first]))).toMatchObject({
      status: 'completed',
    });
    const [one] = await listListItems(client, account, list);
    expect(one).toMatchObject(first);
    expect(await getListItem(client, account, list, one?.id ?? '')).toEqual(one);
    await until(await replaceListItems(client, account, list, [second]));
    const [other, ...rest] = await listListItems(client, account, list);
    expect([other, rest]).toEqual([
      expect.objectContaining(second.kind === 'redirect' ? { kind: 'redirect' } : second),
      [],
    ]);
    await until(await deleteListItems(client, account, list, [other?.id ?? '']));
    expect(await listListItems(client, account, list)).toEqual([]);
  });

  test('an operation is looked at until it is over', async () => {
    const { client, until, waits } = await start();
    const { id: list } = await createList(client, account, { name: 'mine', kind: 'ip' });
    const operation = await addListItems(client, account, list, [{ kind: 'ip', ip: '192.0.2.1' }]);
    expect(await getListOperation(client, account, operation)).toEqual({ id: operation, status: 'pending' });
    expect(await until(operation)).toEqual({ id: operation, status: 'completed' });
    expect(waits).toEqual([400, 400, 400]);
  });

  test('more items than a page holds', async () => {
    const { client, until } = await start();
    const { id: list } = await createList(client, account, { name: 'mine', kind: 'asn' });
    const items = Array.from({ length: 1001 }, (_, index) => ({ kind: 'asn' as const, asn: index }));
    await until(await addListItems(client, account, list, items));
    expect(
      (await listListItems(client, account, list)).map((item) => item.kind === 'asn' && item.asn),
    ).toEqual(items.map(({ asn }) => asn));
  });
});

describe('odd answers', () => {
  test('a failed operation says why', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 200, success({ id: id(1), status: 'failed', completed: 'x', error: 'too many' })),
    );
    const { client } = openReader(server.baseUrl);
    expect(await getListOperation(client, ACCOUNT.id, id(1))).toEqual({
      id: id(1),
      status: 'failed',
      error: 'too many',
    });
  });

  test.each([
    ['a list of no kind', [{ id: id(1), name: 'a' }], '/0/kind should be text and is missing'],
    ['a list without a name', [{ id: id(1), kind: 'ip' }], '/0/name should be text and is missing'],
    ['no list at all', { id: id(1) }, 'should be a list'],
  ])('%s is refused with its place', async (_, result, says) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(listLists(client, ACCOUNT.id));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toContain(says);
  });

  test('a list of a kind that is not known here is told as it is, among the others', async () => {
    const result = [
      { id: id(1), name: 'a', kind: 'urls' },
      { id: id(2), name: 'b', kind: 'ip' },
    ];
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openReader(server.baseUrl);
    const kinds = (await listLists(client, ACCOUNT.id)).map(({ kind }) => kind);
    expect(kinds).toEqual([{ unknown: 'urls' }, 'ip']);
  });

  test.each([
    ['an unknown status', { id: id(1), status: 'lost' }, '/status should be one of pending'],
    ['no id', { status: 'pending' }, '/id should be text'],
  ])('an operation with %s is refused', async (_, result, says) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openReader(server.baseUrl);
    expect((await serviceError(getListOperation(client, ACCOUNT.id, id(1)))).message).toContain(says);
  });

  test('an item without a value is refused with its place', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 200, success([{ id: id(1) }])),
    );
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(listListItems(client, ACCOUNT.id, id(2)));
    expect(error.message).toContain('/0/redirect should be an object and is missing');
  });

  test('a refusal names the permission of lists', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ message: 'request is not authorized' })),
    );
    const { client } = openReader(server.baseUrl);
    expect((await serviceError(listLists(client, ACCOUNT.id))).hint).toBe(
      'The token needs the permission "Account Filter Lists" Read for this account.',
    );
  });
});
