import { describe, expect, it } from 'vitest';
import { placeUses } from '../../../src/app/import/place-uses.ts';
import type { Follow } from '../../../src/plan/difference/follow-live.ts';
import { liveRule } from '../../plan/build.ts';

// The file says: a rule, the use of a pack of two rules, a rule, the use of a pack of one.
const ITEMS = [0, 1, 1, 2, 3];
const USES = new Set([1, 3]);

const LIVE = liveRule(9);
const keep = (desired: number): Follow => ({ kind: 'keep', desired, live: LIVE });
const insert: Follow = { kind: 'insert', live: LIVE };
const [fields, secret] = [new Set(['action']), new Set<string>()];
const edit = (desired: number): Follow => ({
  kind: 'edit',
  desired,
  live: LIVE,
  fields,
  paths: ['/action'],
  secret,
});

/**
 * The list that results, items of the file by their number and rules that only live has as `new`, what is astray, and what stands
 * between rules of a use.
 */
function placed(follows: readonly Follow[], items: readonly (number | undefined)[] = ITEMS): unknown {
  const { order, astray, parted } = placeUses({ uses: USES, items, follows });
  return [
    order.map((one) => (one.kind === 'use' ? `use ${one.item}` : one.item === -1 ? 'new' : one.item)),
    astray,
    ...(parted.length === 0
      ? []
      : [
          parted.map(({ item, between }) => [
            item,
            between.map((one) => (one.kind === 'insert' ? 'new' : one.desired)),
          ]),
        ]),
  ];
}

describe('the list of a file that uses packs', () => {
  it('stays as it is where live has what the packs say', () => {
    expect(placed([0, 1, 2, 3, 4].map(keep))).toEqual([[0, 'use 1', 2, 'use 3'], []]);
  });

  it('has each use where its first rule is live', () => {
    expect(placed([4, 1, 2, 3, 0].map(keep))).toEqual([['use 3', 'use 1', 2, 0], []]);
  });

  it('keeps a use of which nothing is live behind the items before it', () => {
    expect(placed([0, 3, 4].map(keep))).toEqual([
      [0, 'use 1', 2, 'use 3'],
      [1, 2],
    ]);
    expect(placed([3, 0, 1, 2].map(keep))).toEqual([[2, 0, 'use 1', 'use 3'], [4]]);
    expect(placed([insert])).toEqual([
      ['use 1', 'use 3', 'new'],
      [1, 2, 4],
    ]);
    expect(placed([insert, keep(0)])).toEqual([
      ['new', 0, 'use 1', 'use 3'],
      [1, 2, 4],
    ]);
  });

  it('names the rules of packs that live has elsewhere, otherwise, or not', () => {
    expect(placed([0, 2, 1, 3, 4].map(keep))).toEqual([
      [0, 'use 1', 2, 'use 3'],
      [1, 2],
    ]);
    expect(placed([0, 1, 3, 4].map(keep))).toEqual([[0, 'use 1', 2, 'use 3'], [2]]);
    expect(placed([keep(0), edit(1), keep(2), keep(3), keep(4)])).toEqual([[0, 'use 1', 2, 'use 3'], [1]]);
  });

  it('tells of rules that stand between those of a pack, which are right for all that', () => {
    expect(placed([0, 1, 3, 2, 4].map(keep))).toEqual([[0, 'use 1', 2, 'use 3'], [], [[1, [3]]]]);
    expect(placed([keep(0), keep(1), insert, keep(2), keep(3), keep(4)])).toEqual([
      [0, 'use 1', 'new', 2, 'use 3'],
      [],
      [[1, ['new']]],
    ]);
    expect(placed([keep(0), keep(1), insert, keep(4), edit(2), keep(3)])).toEqual([
      [0, 'use 1', 'new', 'use 3', 2],
      [2],
      [[1, ['new', 4]]],
    ]);
  });

  it('says nothing of rules that stand in no list', () => {
    expect(placed([0, 1].map(keep), [0, undefined])).toEqual([[0, 'use 1', 'use 3', 'new'], []]);
  });
});
