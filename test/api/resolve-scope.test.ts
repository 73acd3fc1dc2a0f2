import { describe, expect, test } from 'vitest';
import { chooserAmong, resolveScope } from '../../src/api/resolve-scope.ts';
import { verifyToken } from '../../src/api/tokens.ts';
import { findScopes } from '../../src/api/scopes.ts';
import { id } from './builders.ts';
import { rulewrightError, serviceError } from './caught.ts';
import { failure, sendJson, startLoopback, success } from './loopback.ts';
import { openReader } from './open.ts';

interface WireZone {
  readonly id: string;
  readonly name: string;
  readonly account: { readonly id: string };
}

const zone = (number: number, name: string, account = 1): WireZone => ({
  id: id(number),
  name,
  account: { id: id(0xacc000 + account) },
});

/** Starts a service that lists these zones and accounts in pages, filtered by name if a name is asked for, and reads one zone by id. */
async function directory(zones: readonly WireZone[], accounts: readonly { id: string; name: string }[] = []) {
  return startLoopback(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const all: readonly { readonly id: string; readonly name: string }[] = pathname.includes('/zones')
      ? zones
      : accounts;
    const one = /\/zones\/(.+)$/.exec(pathname)?.[1];
    if (one !== undefined) {
      const found = zones.find((candidate) => candidate.id === one);
      sendJson(
        response,
        found === undefined ? 404 : 200,
        found === undefined ? failure({ code: 1, message: 'no' }) : success(found),
      );
      return;
    }
    const name = searchParams.get('name');
    const page = Number(searchParams.get('page'));
    const perPage = Number(searchParams.get('per_page'));
    const matching = all.filter((candidate) => name === null || candidate.name.includes(name));
    sendJson(
      response,
      200,
      success(matching.slice((page - 1) * perPage, page * perPage), {
        result_info: {
          page,
          per_page: perPage,
          total_count: matching.length,
          total_pages: Math.ceil(matching.length / perPage),
        },
      }),
    );
  });
}

describe('resolveScope', () => {
  test('tells zones of the same name apart by their account, and keeps the account in the name', async () => {
    const server = await directory([zone(1, 'shop.example'), zone(2, 'shop.example', 2)]);
    const { client } = openReader(server.baseUrl);
    const inAccount = (account: number) => ({
      kind: 'zone' as const,
      name: `shop.example@${id(0xacc000 + account)}`,
    });
    for (const account of [1, 2]) {
      const ref = inAccount(account);
      expect(await resolveScope(client, ref)).toMatchObject({ id: id(account), name: ref.name });
    }
    expect(await rulewrightError(resolveScope(client, inAccount(3)))).toMatchObject({
      code: 'api/unknown-scope',
    });
    expect(await rulewrightError(resolveScope(client, { kind: 'zone', name: 'shop.example' }))).toMatchObject(
      {
        code: 'api/ambiguous-scope',
        hint: `write the one that is meant with the id of its account, such as shop.example@${id(0xacc001)}, or its own id`,
      },
    );
  });

  test('finds a zone by its name, and not one whose name only contains it', async () => {
    const server = await directory([zone(1, 'shop.example'), zone(2, 'www.shop.example')]);
    const { client } = openReader(server.baseUrl);
    expect(await resolveScope(client, { kind: 'zone', name: 'shop.example' })).toEqual({
      kind: 'zone',
      id: id(1),
      name: 'shop.example',
      accountId: id(0xacc001),
    });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/client/v4/zones?name=shop.example&per_page=50&page=1',
    ]);
  });

  test('finds a zone whose name differs in case only', async () => {
    const server = await directory([zone(1, 'shop.example')]);
    const { client } = openReader(server.baseUrl);
    expect(await resolveScope(client, { kind: 'zone', name: 'Shop.Example' })).toMatchObject({ id: id(1) });
  });

  test('fails if the only match merely contains the name', async () => {
    const server = await directory([zone(1, 'www.shop.example')]);
    const { client } = openReader(server.baseUrl);
    const error = await rulewrightError(resolveScope(client, { kind: 'zone', name: 'shop.example' }));
    expect(error.code).toBe('api/unknown-scope');
  });

  test('reads a zone by its id, and takes the id of an account without a request', async () => {
    const server = await directory([zone(1, 'shop.example')]);
    const { client } = openReader(server.baseUrl);
    expect(await resolveScope(client, { kind: 'zone', name: id(1) })).toMatchObject({
      name: 'shop.example',
      id: id(1),
    });
    expect(await resolveScope(client, { kind: 'account', name: id(5) })).toEqual({
      kind: 'account',
      id: id(5),
      name: id(5),
      accountId: id(5),
    });
    expect(server.seen.map(({ url }) => url)).toEqual([`/client/v4/zones/${id(1)}`]);
    expect((await serviceError(resolveScope(client, { kind: 'zone', name: id(7) }))).code).toBe(
      'api/not-found',
    );
  });

  test('finds an account by its name, and not one whose name only contains it', async () => {
    const server = await directory(
      [],
      [
        { id: id(8), name: 'Shop' },
        { id: id(9), name: 'Shop Test' },
      ],
    );
    const { client } = openReader(server.baseUrl);
    expect(await resolveScope(client, { kind: 'account', name: 'Shop' })).toEqual({
      kind: 'account',
      id: id(8),
      name: 'Shop',
      accountId: id(8),
    });
  });

  test('fails with the ids of all matches if several zones have the name', async () => {
    const server = await directory([zone(1, 'shop.example', 1), zone(2, 'shop.example', 2)]);
    const { client } = openReader(server.baseUrl);
    const error = await rulewrightError(resolveScope(client, { kind: 'zone', name: 'shop.example' }));
    expect(error).toMatchObject({ code: 'api/ambiguous-scope', fault: 'user' });
    expect(error.message).toBe(
      `zone:shop.example names 2 zones: ${id(1)} (account ${id(0xacc001)}), ${id(2)} (account ${id(0xacc002)})`,
    );
  });

  test('suggests similar names, with one more request, if no zone has the name', async () => {
    const server = await directory([zone(1, 'shop.example'), zone(2, 'other.test')]);
    const { client } = openReader(server.baseUrl);
    const error = await rulewrightError(resolveScope(client, { kind: 'zone', name: 'shpo.example' }));
    expect(error).toMatchObject({
      code: 'api/unknown-scope',
      fault: 'user',
      hint: 'did you mean shop.example? If the name is right, the token cannot read this zone',
    });
    expect(server.seen).toHaveLength(2);
  });

  test('names the missing permission if the lookup is forbidden', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 403, failure({ code: 9109, message: 'no' })),
    );
    const { client } = openReader(server.baseUrl);
    const zoneError = await serviceError(resolveScope(client, { kind: 'zone', name: 'a.example' }));
    expect(zoneError.hint).toContain('"Zone" Read');
    const accountError = await serviceError(resolveScope(client, { kind: 'account', name: 'A' }));
    expect(accountError.hint).toContain('"Account Settings" Read');
  });
});

describe('chooserAmong', () => {
  test.each([10, 1000])(
    'reads the name of each of %i scopes once, however many names are looked up',
    (count) => {
      let looks = 0;
      const names = Array.from({ length: count }, (_, index) => `zone-${index}.example`);
      const choose = chooserAmong(
        names.map((name, index) => ({
          kind: 'zone',
          id: id(index),
          accountId: id(count),
          get name() {
            looks += 1;
            return name;
          },
        })),
      );
      const chosen = names.map((name) => choose({ kind: 'zone', name: name.toUpperCase() })?.id);
      expect(chosen).toEqual(names.map((_, index) => id(index)));
      expect(looks).toBe(count);
      expect(choose({ kind: 'zone', name: 'other.example' })).toBeNull();
    },
  );

  test('prefers a name in the same case to one that differs in case only', () => {
    const choose = chooserAmong(
      ['Shop.example', 'shop.example'].map((name, index) => ({
        kind: 'account',
        id: id(index),
        accountId: id(index),
        name,
      })),
    );
    expect(choose({ kind: 'account', name: 'shop.example' })?.id).toBe(id(1));
    expect(() => choose({ kind: 'account', name: 'SHOP.example' })).toThrow('names 2 accounts');
  });
});

describe('a list in numbered pages', () => {
  test('is read up to the last page that the service names', async () => {
    const many = Array.from({ length: 120 }, (_, index) => zone(index + 1, `same.example`));
    const server = await directory(many);
    const { client } = openReader(server.baseUrl);
    expect(await findScopes(client, 'zone', 'same.example')).toHaveLength(120);
    expect(server.seen).toHaveLength(3);
  });

  test('ends at an empty page, whatever number of pages the service claims', async () => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(
        response,
        200,
        success(index < 2 ? [zone(index, 'a.example')] : [], { result_info: { total_pages: 99 } }),
      );
    });
    const { client } = openReader(server.baseUrl);
    expect(await findScopes(client, 'zone', 'a.example')).toHaveLength(2);
    expect(server.seen).toHaveLength(3);
  });

  test('is read up to the total number of items if no number of pages is named, even with smaller pages', async () => {
    const server = await startLoopback((_seen, response, index) => {
      sendJson(
        response,
        200,
        success([zone(index, 'a.example')], { result_info: { total_count: 3, per_page: 1 } }),
      );
    });
    const { client } = openReader(server.baseUrl);
    expect(await findScopes(client, 'zone', 'a.example')).toHaveLength(3);
  });

  test('is taken for a single page if the service says nothing about pages', async () => {
    const server = await startLoopback((_seen, response) =>
      sendJson(response, 200, success([zone(1, 'a.example')])),
    );
    const { client } = openReader(server.baseUrl);
    expect(await findScopes(client, 'zone', 'a.example')).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
  });
});

test('verifyToken returns the id, status and dates of the token', async () => {
  const server = await startLoopback((_seen, response) => {
    const messages = [{ code: 10000, message: 'This API Token is valid and active', type: null }];
    sendJson(
      response,
      200,
      success({ id: id(3), status: 'active', expires_on: '2027-01-01T00:00:00Z' }, { messages }),
    );
  });
  const { client } = openReader(server.baseUrl);
  expect(await verifyToken(client)).toEqual({
    id: id(3),
    status: 'active',
    expiresOn: '2027-01-01T00:00:00Z',
    notBefore: null,
  });
});
