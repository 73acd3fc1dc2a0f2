import { describe, expect, onTestFinished, test } from 'vitest';
import { listListItems, listLists } from '../../src/api/lists.ts';
import { listItemsPath, listsPath } from '../../src/api/paths.ts';
import { fakeClock, scopeId, startEmulator } from '../../src/emulator/index.ts';
import { ACCOUNT, id } from './builders.ts';
import { serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openReader, openWriter } from './open.ts';

const account = scopeId('account', 'Example Shop');

/** Starts the embedded service with a list of this kind that holds these items. */
async function start(kind: string, items: readonly unknown[]) {
  const clock = fakeClock();
  const emulator = await startEmulator({ budget: 'off', clock });
  onTestFinished(() => emulator.close());
  const credentials = { kind: 'token', token: emulator.token } as const;
  const { client } = openWriter(emulator.baseUrl, { credentials });
  await client.send({ method: 'POST', path: listsPath(account), body: { name: 'mine', kind } });
  const lists = await listLists(client, account);
  const list = lists.find(({ name }) => name === 'mine')?.id ?? '';
  await client.send({ method: 'POST', path: listItemsPath(account, list), body: items });
  clock.advance(60_000);
  return { client, lists, list };
}

describe('lists on the embedded service (api.md 9.8)', () => {
  test.each([
    ['ip', { ip: '2001:DB8:0::/32', comment: 'One' }, { ip: '2001:db8::/32', comment: 'One' }],
    ['hostname', { hostname: { url_hostname: '*.a.example' } }, { hostname: '*.a.example' }],
    ['asn', { asn: 64_496 }, { asn: 64_496 }],
    [
      'redirect',
      { redirect: { source_url: 'a.example', target_url: 'https://b.example' } },
      { source_url: 'a.example/', target_url: 'https://b.example/', status_code: 301 },
    ],
  ] as const)('listListItems decodes an item of a list of kind %s', async (kind, item, expected) => {
    const { client, lists, list } = await start(kind, [item]);
    expect(lists).toContainEqual(expect.objectContaining({ id: list, name: 'mine', kind, itemCount: 0 }));
    expect(await listListItems(client, account, { id: list, kind })).toEqual([
      { id: expect.any(String), item: expected },
    ]);
  });

  test('listListItems returns all items of a list that takes more than one page', async () => {
    const items = Array.from({ length: 1001 }, (_, asn) => ({ asn }));
    const { client, list } = await start('asn', items);
    const found = await listListItems(client, account, { id: list, kind: 'asn' });
    expect(found.map(({ item }) => item)).toEqual(items);
  });
});

describe('unusual answers about lists', () => {
  test.each([
    ['a list of no kind', [{ id: id(1), name: 'a' }], '/0/kind should be text and is missing'],
    ['a list without a name', [{ id: id(1), kind: 'ip' }], '/0/name should be text and is missing'],
    ['no list at all', { id: id(1) }, 'should be a list'],
  ])('%s is refused with the place of what is wrong', async (_, result, says) => {
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(listLists(client, ACCOUNT.id));
    expect(error.code).toBe('api/unexpected-answer');
    expect(error.message).toContain(says);
  });

  test('a list of an unknown kind is returned with that kind, together with the others', async () => {
    const result = [
      { id: id(1), name: 'a', kind: 'urls', num_items: 0 },
      { id: id(2), name: 'b', kind: 'ip', num_items: 0 },
    ];
    const server = await startLoopback((_seen, response) => sendJson(response, 200, success(result)));
    const { client } = openReader(server.baseUrl);
    const kinds = (await listLists(client, ACCOUNT.id)).map(({ kind }) => kind);
    expect(kinds).toEqual([{ unknown: 'urls' }, 'ip']);
  });

  test('an item without a value is refused with the place of what is wrong', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 200, success([{ id: id(1) }])),
    );
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(listListItems(client, ACCOUNT.id, { id: id(2), kind: 'redirect' }));
    expect(error.message).toContain('/0 should be an item of a list of kind redirect');
  });

  test('a 403 names the permission to read lists', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ message: 'request is not authorized' })),
    );
    const { client } = openReader(server.baseUrl);
    expect((await serviceError(listLists(client, ACCOUNT.id))).hint).toBe(
      'the token needs the permission "Account Filter Lists" Read for this account',
    );
  });
});
