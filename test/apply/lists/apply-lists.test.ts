import { describe, expect, test } from 'vitest';
import type { WriteClient } from '../../../src/api/client.ts';
import { listLists } from '../../../src/api/lists.ts';
import { listItemsPath, listsPath } from '../../../src/api/paths.ts';
import { isListStep } from '../../../src/model/object-step.ts';
import { afterFailure, memoryJournal } from '../run-against-service.ts';
import { ACCOUNT_ID as id, list, openLists as open } from './list-bench.ts';

const ITEMS = `${listsPath(id)}/*/items`;

/** The writes that the service was sent. */
function writes(entries: readonly { readonly kind: string; readonly write?: unknown }[]): readonly unknown[] {
  return entries.flatMap(({ kind, write }) => (kind === 'intent' ? [write] : []));
}

describe('lists are written with the fewest operations', () => {
  test.each([
    ['made and filled', null, ['192.0.2.1'], [{ kind: 'create-list' }, { kind: 'add-items', items: 1 }]],
    ['added to', ['192.0.2.1'], ['192.0.2.1', '192.0.2.2', '192.0.2.3'], [{ kind: 'add-items', items: 2 }]],
    ['taken from', ['192.0.2.1', '192.0.2.2'], ['192.0.2.2'], [{ kind: 'remove-items', items: 1 }]],
    ['replaced', ['192.0.2.1', '192.0.2.2'], ['192.0.2.3'], [{ kind: 'replace-items', items: 1 }]],
    [
      'added to and taken from',
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
      ['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'],
      [
        { kind: 'add-items', items: 1 },
        { kind: 'remove-items', items: 1 },
      ],
    ],
  ])('%s, and then a new plan finds nothing', async (_, before, after, sent) => {
    const bench = await open(before === null ? {} : { office: before });
    const { journal, entries } = memoryJournal();
    const { outcomes } = await bench.apply(await bench.plan(list(after)), { journal });
    expect(outcomes).toMatchObject([
      { kind: 'done', step: 'account:Example Shop/list:office', writes: sent.length },
    ]);
    expect(writes(entries)).toEqual(sent);
    expect(new Set(await bench.live())).toEqual(new Set(after));
    expect((await bench.plan(list(after))).objects).toBeUndefined();
  });

  test('a changed comment takes no deletion, and an item keeps its id', async () => {
    const bench = await open({ office: ['192.0.2.1'] });
    const { journal, entries } = memoryJournal();
    await bench.apply(await bench.plan(list([{ ip: '192.0.2.1', comment: 'one' }])), { journal });
    expect(writes(entries)).toEqual([{ kind: 'add-items', items: 1 }]);
    expect(await bench.live()).toEqual(['192.0.2.1 one']);
    await bench.apply(await bench.plan(list(['192.0.2.1'])));
    expect(await bench.live()).toEqual(['192.0.2.1']);
  });

  test('a replacement keeps an item whose comment changes once', async () => {
    const bench = await open({ office: ['192.0.2.1', '192.0.2.2'] });
    const { journal, entries } = memoryJournal();
    await bench.apply(await bench.plan(list([{ ip: '192.0.2.1', comment: 'one' }])), { journal });
    expect(writes(entries)).toEqual([{ kind: 'replace-items', items: 1 }]);
    expect(await bench.live()).toEqual(['192.0.2.1 one']);
  });

  test('a list is deleted, and a dry run writes nothing', async () => {
    const bench = await open({ office: ['192.0.2.1'] });
    const plan = await bench.plan(list([], { presence: 'absent' }));
    expect((await bench.apply(plan, { dryRun: true })).outcomes).toMatchObject([
      { kind: 'skipped', toWrite: 1 },
    ]);
    expect(await bench.live()).toEqual(['192.0.2.1']);
    expect((await bench.apply(plan)).outcomes).toMatchObject([{ kind: 'done' }]);
    expect(await bench.live()).toBeNull();
  });
});

describe('an account takes one operation at a time', () => {
  test('several lists wait for each other, and for an operation of somebody else', async () => {
    const bench = await open({ other: [] });
    const heads = await listLists(bench.client, id);
    const other = heads.find(({ name }) => name === 'other')?.id ?? '';
    const plan = await bench.plan(list(['192.0.2.1']), list(['192.0.2.2'], { name: 'second' }));
    await bench.client.send({ method: 'POST', path: listItemsPath(id, other), body: [{ ip: '192.0.2.9' }] });
    expect((await bench.apply(plan)).outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect([await bench.live(), await bench.live('second'), await bench.live('other')]).toEqual([
      ['192.0.2.1'],
      ['192.0.2.2'],
      ['192.0.2.9'],
    ]);
  });

  test('an operation that fails is told with the reason of the service, and nothing more is begun', async () => {
    const full = Array.from({ length: 9999 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const bench = await open({ full });
    const plan = await bench.plan(list(['192.0.2.1', '192.0.2.2']), list(['192.0.2.3'], { name: 'second' }));
    const { outcomes } = await bench.apply(plan);
    expect(outcomes).toMatchObject([
      {
        kind: 'failed',
        writes: 1,
        message: expect.stringContaining('exceeded the maximum number of list items'),
      },
      { kind: 'not-reached' },
    ]);
  });
});

test('a part that the service refuses after parts that landed is refused, and not in doubt', async () => {
  const bench = await open({});
  const many = Array.from({ length: 12_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const { outcomes } = await bench.apply(await bench.plan(list(many)));
  expect(outcomes).toMatchObject([
    {
      kind: 'failed',
      code: 'api/refused',
      writes: 3,
      message: expect.stringContaining('12000 out of 10000'),
    },
  ]);
});

describe('live that moved since the plan', () => {
  test('is refused, and nothing is written', async () => {
    const bench = await open({ office: ['192.0.2.1'] });
    const plan = await bench.plan(list(['192.0.2.1', '192.0.2.2']));
    await bench.apply(await bench.plan(list(['192.0.2.1', '192.0.2.7'])));
    expect((await bench.apply(plan)).outcomes).toMatchObject([
      { kind: 'refused', code: 'apply/stale', writes: 0 },
    ]);
    expect(await bench.live()).toEqual(['192.0.2.1', '192.0.2.7']);
  });

  test('is done already where somebody else did the same', async () => {
    const bench = await open();
    const plan = await bench.plan(list(['192.0.2.1']));
    await bench.apply(plan);
    expect((await bench.apply(plan)).outcomes).toMatchObject([
      { kind: 'skipped', reason: 'live already matches this step' },
    ]);
  });

  test('a saved plan that shows one item and removes another is refused', async () => {
    const bench = await open({ office: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] });
    const plan = await bench.plan(list(['192.0.2.1', '192.0.2.2', '192.0.2.3']));
    const objects = (plan.objects ?? []).map((step) =>
      isListStep(step)
        ? {
            ...step,
            items: {
              ...step.items,
              remove: step.items.remove.map((one) => ({ ...one, item: { ip: '192.0.2.1' } })),
            },
          }
        : step,
    );
    expect((await bench.apply({ ...plan, objects }, { origin: 'saved' })).outcomes).toMatchObject([
      {
        kind: 'refused',
        code: 'apply/plan-mismatch',
        message: expect.stringContaining('192.0.2.1: that it is in the list, and under this id'),
      },
    ]);
    expect(await bench.live()).toHaveLength(4);
    expect((await bench.apply(plan, { origin: 'saved' })).outcomes).toMatchObject([{ kind: 'done' }]);
  });

  test('a saved plan of several lists is refused as a whole', async () => {
    const bench = await open({ office: ['192.0.2.1'] });
    const plan = await bench.plan(list(['192.0.2.1', '192.0.2.2']), list(['192.0.2.3'], { name: 'second' }));
    await bench.apply(await bench.plan(list(['192.0.2.1', '192.0.2.7'])));
    expect((await bench.apply(plan, { origin: 'saved' })).outcomes.map(({ kind }) => kind)).toEqual([
      'refused',
      'not-reached',
    ]);
    expect(await bench.live('second')).toBeNull();
  });
});

describe('a replacement of all items', () => {
  const [before, after] = [['192.0.2.1', '192.0.2.2'], ['192.0.2.3']] as const;

  async function added(bench: Awaited<ReturnType<typeof open>>): Promise<void> {
    const [head] = await listLists(bench.client, id);
    const path = listItemsPath(id, head?.id ?? '');
    await bench.client.send({
      method: 'POST',
      path,
      body: [{ ip: '192.0.2.9' }],
    });
  }

  test('keeps what an operation added for which it had to wait: it is refused', async () => {
    const bench = await open({ office: before });
    const plan = await bench.plan(list(after));
    await added(bench);
    expect((await bench.apply(plan)).outcomes).toMatchObject([
      { kind: 'failed', code: 'apply/stale', writes: 0 },
    ]);
    expect(await bench.live()).toEqual([...before, '192.0.2.9']);
  });

  test('keeps what somebody added before it is sent again', async () => {
    const bench = await open({ office: before }, [
      {
        method: 'PUT',
        path: ITEMS,
        nth: 1,
        effect: { kind: 'cut', moment: 'before' },
      },
    ]);
    const plan = await bench.plan(list(after));
    const client = afterFailure(bench.client, async () => {
      await added(bench);
      bench.clock.advance(2000);
    });
    expect((await bench.apply(plan, { client })).outcomes).toMatchObject([
      { kind: 'failed', code: 'apply/stale', writes: 0 },
    ]);
    expect(await bench.live()).toEqual([...before, '192.0.2.9']);
  });

  test.each(['before', 'after'] as const)('is looked up when it was cut %s it was taken', async (moment) => {
    const bench = await open({ office: before }, [
      { method: 'PUT', path: ITEMS, nth: 1, effect: { kind: 'cut', moment } },
    ]);
    expect((await bench.apply(await bench.plan(list(after)))).outcomes).toMatchObject([{ kind: 'done' }]);
    expect(await bench.live()).toEqual([...after]);
  });
});

describe('a write without an answer is looked up', () => {
  test.each([
    ['before it was taken', 'before'],
    ['after it was taken', 'after'],
  ])('cut %s', async (_, moment) => {
    for (const [method, path] of [
      ['POST', listsPath(id)],
      ['POST', `${listsPath(id)}/*/items`],
      ['DELETE', `${listsPath(id)}/*/items`],
    ] as const) {
      const fault = { method, path, nth: 1, effect: { kind: 'cut', moment } };
      const bench = await open({ second: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] }, [fault]);
      const wanted = [
        list(['192.0.2.1']),
        list(['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'], { name: 'second' }),
      ];
      const { outcomes } = await bench.apply(await bench.plan(...wanted));
      expect([method, path, outcomes.map(({ kind }) => kind)]).toEqual([method, path, ['done', 'done']]);
      expect((await bench.plan(...wanted)).objects).toBeUndefined();
    }
  });
});

test('an operation that fails after a part of it is in doubt, and a run that is to leave nothing behind puts it back', async () => {
  const bench = await open({ office: ['192.0.2.1'] });
  const plan = await bench.plan(list(['192.0.2.1', '192.0.2.2']));
  const result = { id: 'a', status: 'failed', error: 'stopped half-way' };
  // The embedded service carries operations out as a whole; the vendor does not say whether the real one does.
  let isFirst = true;
  const client: WriteClient = {
    ...bench.client,
    get: async (path, options) => {
      const answer = await bench.client.get(path, options);
      const isOver = path.includes('bulk_operations') && JSON.stringify(answer).includes('completed');
      const fails = isOver && isFirst;
      isFirst &&= !isOver;
      return fails ? { ...answer, result } : answer;
    },
  };
  const { outcomes, rollback } = await bench.apply(plan, { client, onFailure: 'rollback' });
  expect(outcomes).toMatchObject([
    { kind: 'failed', inDoubt: true, message: expect.stringContaining('stopped half-way') },
  ]);
  expect(rollback?.result).toBe('as-before');
  expect(await bench.live()).toEqual(['192.0.2.1']);
});

test('a write without an answer that cannot be looked up either is in doubt', async () => {
  const bench = await open({ office: ['192.0.2.1'] }, [
    { method: 'POST', path: ITEMS, effect: { kind: 'cut', moment: 'after' } },
    { method: 'GET', path: ITEMS, nth: [2, 3, 4, 5], effect: { kind: 'error', status: 500 } },
  ]);
  const { outcomes } = await bench.apply(await bench.plan(list(['192.0.2.1', '192.0.2.2'])));
  expect(outcomes).toMatchObject([{ kind: 'failed', inDoubt: true }]);
});

describe('a run that fails and is to leave nothing behind', () => {
  test('puts back the lists that it made, filled and changed', async () => {
    const full = Array.from({ length: 9996 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const bench = await open({ full, office: ['192.0.2.1', '192.0.2.2'] });
    const plan = await bench.plan(
      list(['192.0.2.1', '192.0.2.3']),
      list(['192.0.2.7'], { name: 'made' }),
      list(['192.0.2.8', '192.0.2.9', '192.0.2.10'], { name: 'too_many' }),
    );
    const { outcomes, rollback } = await bench.apply(plan, { onFailure: 'rollback' });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'failed']);
    expect(rollback?.result).toBe('as-before');
    // The newest goes first: it may need what was made before it.
    expect(rollback?.outcomes.map(({ step }) => step)).toEqual(outcomes.map(({ step }) => step).toReversed());
    expect(new Set(await bench.live())).toEqual(new Set(['192.0.2.1', '192.0.2.2']));
    expect([await bench.live('made'), await bench.live('too_many')]).toEqual([null, null]);
  });
});
