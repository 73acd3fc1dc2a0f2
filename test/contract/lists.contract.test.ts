import { beforeAll, describe, expect, test } from 'vitest';
import {
  createListRequest,
  deleteItemsRequest,
  deleteListRequest,
  describeListRequest,
  putItemsRequest,
} from '../../src/api/lists.ts';
import type { WriteRequest } from '../../src/api/request.ts';
import type { ServiceError } from '../../src/api/service-error.ts';
import type { ListWriteResult } from '../../src/apply/lists/send-list-write.ts';
import type { ListItem, LiveListItem } from '../../src/model/list.ts';
import { listItemKey } from '../../src/model/list-item.ts';
import { serviceError } from '../api/caught.ts';
import { openScratchAccount } from './scratch-lists.ts';
import type { ScratchAccount, ScratchList } from './scratch-lists.ts';
import { closing, PATIENCE } from './scratch-zone.ts';

// The facts about lists that the safety of a run rests on, told and run as those of service.contract.test.ts are. Items are addresses that
// nobody has (RFC 5737, RFC 3849).

let account: ScratchAccount;

beforeAll(async () => {
  account = await openScratchAccount(process.env);
  return closing(() => account.close(), account.zone);
}, PATIENCE);

function add(list: ScratchList, ...items: readonly ListItem[]): Promise<ListWriteResult> {
  return list.write(putItemsRequest(list.at, items, 'POST'));
}

function replace(list: ScratchList, ...items: readonly ListItem[]): Promise<ListWriteResult> {
  return list.write(putItemsRequest(list.at, items, 'PUT'));
}

async function filled(...addresses: readonly string[]): Promise<ScratchList> {
  const list = await account.make('ip');
  await add(list, ...addresses.map((ip) => ({ ip })));
  return list;
}

/** The items of a list by what identifies them, sorted: their order is the service's own. */
async function keys(list: ScratchList): Promise<readonly string[]> {
  return (await list.items()).map(({ item }) => listItemKey(item)).toSorted();
}

function idOf(items: readonly LiveListItem[], key: string): string {
  return items.find(({ item }) => listItemKey(item) === key)?.id ?? `no item ${key}`;
}

/** A rule that matches nothing; naming a list is all that it does. */
function ruleNaming(list: string) {
  const expression = `http.host eq "list.invalid" and ip.src in $${list}`;
  return { ref: `${account.zone.mark}-list`, action: 'block', expression, enabled: false };
}

function send(request: WriteRequest): Promise<unknown> {
  return account.zone.client.send(request);
}

function refusal({ status, effect, errors }: ServiceError) {
  return { status, effect, codes: errors.map(({ code }) => code) };
}

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '198.51.100.0/24'] as const;

describe('reads of lists', { timeout: PATIENCE }, () => {
  // Otherwise a plan would be carried out on a list that somebody has changed since, and the cache would keep old items.
  test('every write of a list changes modified_on, and its items show once the operation is over (api.md 9.8, assumed)', async () => {
    const list = await account.make('ip');
    const writes: readonly (readonly [() => Promise<unknown>, readonly string[]])[] = [
      [() => add(list, { ip: A }, { ip: B }), [A, B]],
      [() => add(list, { ip: A, comment: 'Commented' }), [A, B]],
      [() => replace(list, { ip: B }, { ip: C }), [B, C]],
      [async () => list.write(deleteItemsRequest(list.at, [idOf(await list.items(), C)])), [B]],
      [
        () => send(describeListRequest(list.at.accountId, list.at.listId, `${account.zone.mark}, changed`)),
        [B],
      ],
    ];
    const moments = [(await list.head()).modifiedOn];
    for (const [write, expected] of writes) {
      // The time of a change has whole seconds (recorded).
      await account.zone.clock.sleep(1100);
      await write();
      const { modifiedOn, itemCount } = await list.head();
      moments.push(modifiedOn);
      expect([await keys(list), itemCount]).toEqual([expected, expected.length]);
    }
    expect(new Set(moments).size).toBe(moments.length);
  });

  // Otherwise a list would be compared with a part of itself, and be filled up with what it has.
  test('the items of a list come by pages, each item once (api.md 1.3)', async () => {
    const items = Array.from({ length: 501 }, (_, index) => ({
      ip: `2001:db8::${(index + 1).toString(16)}`,
    }));
    const list = await account.make('ip');
    await add(list, ...items);
    expect(await keys(list)).toEqual(items.map(({ ip }) => ip).toSorted());
  });
});

describe('writes of lists', { timeout: PATIENCE }, () => {
  // Otherwise two operations could overlap, and one undo the other; and a write that was refused could be half done.
  test('an account takes one operation of items at a time: another is answered with 429 and does nothing (api.md 9.8)', async ({
    skip,
  }) => {
    const list = await filled(A);
    await send(putItemsRequest(list.at, [{ ip: B }], 'POST'));
    const second = await send(putItemsRequest(list.at, [{ ip: C }], 'PUT')).catch((error: unknown) => error);
    skip(!(second instanceof Error), 'the first operation was over before the second was sent');
    expect(refusal(await serviceError(Promise.reject(second as Error)))).toMatchObject({
      status: 429,
      effect: 'none',
    });
    await add(list, { ip: B, comment: 'Waits for its turn' });
    expect(await keys(list)).toEqual([A, B]);
  });

  // Otherwise a new comment would delete the item and add it again, and for a moment its address would not be in the list.
  test('an item that is added again keeps its id, and takes the comment sent, also an empty one (api.md 9.8, assumed)', async () => {
    const list = await filled(A, B);
    const before = await list.items();
    await add(list, { ip: A, comment: 'First' }, { ip: B, comment: 'Second' });
    await add(list, { ip: B });
    const after = await list.items();
    expect(after).toHaveLength(2);
    expect(after.find(({ id }) => id === idOf(before, A))?.item).toEqual({ ip: A, comment: 'First' });
    expect(after.find(({ id }) => id === idOf(before, B))?.item).toEqual({ ip: B });
  });

  // Otherwise what looks the same in a plan would be two items, and each run would add one of them again.
  test('spellings of an address, and of a source URL, are one item (api.md 9.8, assumed)', async () => {
    const addresses = await filled('2001:db8::1');
    await addresses.write({
      ...putItemsRequest(addresses.at, [], 'POST'),
      body: [{ ip: '2001:DB8:0:0::1' }],
    });
    expect(await keys(addresses)).toEqual(['2001:db8::1']);
    const redirects = await account.make('redirect');
    const target = { target_url: 'https://list.invalid/new', status_code: 301 };
    await add(redirects, { source_url: 'list.invalid/', ...target });
    const other = { redirect: { source_url: 'LIST.invalid', ...target } };
    await redirects.write({ ...putItemsRequest(redirects.at, [], 'POST'), body: [other] });
    expect(await keys(redirects)).toEqual(['list.invalid/']);
  });

  // Otherwise a replacement would leave addresses that nobody wants, or a look-up of items by their ids would call it undone.
  test('a PUT of items deletes those that it does not name, and the others keep their ids (api.md 9.8; the ids assumed)', async () => {
    const list = await filled(A, B);
    const before = await list.items();
    await replace(list, { ip: C }, { ip: B });
    const after = await list.items();
    expect(await keys(list)).toEqual([B, C]);
    expect(idOf(after, B)).toBe(idOf(before, B));
    expect(before.map(({ id }) => id)).not.toContain(idOf(after, C));
  });

  // Otherwise a deletion that is sent again because its answer was lost would take away more than was planned.
  test('a deletion takes the items that it names by id, and one that names a missing id takes none (api.md 9.8; the latter assumed)', async () => {
    const list = await filled(A, B, C);
    const items = await list.items();
    await list.write(deleteItemsRequest(list.at, [idOf(items, A)]));
    expect(await keys(list)).toEqual([B, C]);
    const again = await list.write(deleteItemsRequest(list.at, [idOf(items, A), idOf(items, B)]));
    expect(again.kind).not.toBe('landed');
    expect(await keys(list)).toEqual([B, C]);
  });

  // Otherwise a part of the items would be live, and the run would call all of them refused.
  test('items of which two are the same are refused as a whole with code 10028 (api.md 9.8, assumed)', async () => {
    const list = await filled(A);
    const twice = await serviceError(
      send(putItemsRequest(list.at, [{ ip: B }, { ip: C }, { ip: B }], 'POST')),
    );
    expect(refusal(twice)).toEqual({ status: 400, effect: 'none', codes: [10028] });
    expect(await keys(list)).toEqual([A]);
  });

  // Otherwise a list would be filled in part, and a block of what it lacks be without effect.
  test('more items than an account may have are refused or fail as a whole (api.md 8.2, assumed)', async ({
    skip,
  }) => {
    const list = await filled(A);
    const items = Array.from({ length: 10_001 }, (_, index) => ({ ip: `2001:db8::1:${index.toString(16)}` }));
    const result = await add(list, ...items);
    skip(result.kind === 'landed', 'this account may have more than 10,000 items');
    expect(result).toMatchObject(
      result.kind === 'failed' ? { error: { effect: 'none' } } : { kind: 'not-carried-out', isOver: true },
    );
    expect(await keys(list)).toEqual([A]);
  });

  // Otherwise a second list could take the name by which rules know the first, and a creation without an answer could not be looked up.
  test('a list of a name that another one has is refused (api.md 9.8, assumed)', async () => {
    const { at, name } = await account.make('ip');
    const body = { name, kind: 'redirect', description: account.zone.mark } as const;
    const refused = await serviceError(send(createListRequest(at.accountId, body)));
    expect(refused.effect).toBe('none');
    expect((await account.own()).map(({ id }) => id)).toEqual([at.listId]);
  });

  // Otherwise a new description would cost the items, or what they say.
  test('a new description leaves the items of a list as they are (api.md 9.8)', async () => {
    const list = await filled(A, B);
    const before = await list.items();
    const description = `${account.zone.mark}, changed`;
    await send(describeListRequest(list.at.accountId, list.at.listId, description));
    expect(await list.head()).toMatchObject({ name: list.name, kind: 'ip', description, itemCount: 2 });
    expect(await list.items()).toEqual(before);
  });
});

describe('lists and rules', { timeout: PATIENCE }, () => {
  // Otherwise a rule would compare with a list that is gone, and what it blocks or lets through would be anything.
  test('a list that a rule names is not deleted, and its head counts the rule (api.md 9.8; the code assumed)', async () => {
    const { zone } = account;
    const list = await filled(A);
    await zone.make({ name: `${zone.mark} lists`, kind: 'custom', rules: [ruleNaming(list.name)] });
    const refused = await serviceError(send(deleteListRequest(list.at.accountId, list.at.listId)));
    expect(refusal(refused)).toEqual({ status: 400, effect: 'none', codes: [10031] });
    expect(await list.head()).toMatchObject({ itemCount: 1, referenceCount: 1 });
  });

  // Otherwise a rule that names a list by a slip would be live and match nothing; plans make a list before the rules that name it.
  test('a rule that names a list which is not there is refused (api.md 2.4, assumed)', async () => {
    const { zone } = account;
    const rules = [ruleNaming(`${zone.mark.replaceAll('-', '_')}_none`)];
    const refused = await serviceError(zone.make({ name: `${zone.mark} lists`, kind: 'custom', rules }));
    expect([refused.status, refused.effect]).toEqual([400, 'none']);
  });
});
