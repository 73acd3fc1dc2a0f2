import { describe, expect, it } from 'vitest';
import { placeUses } from '../../../src/app/import/place-uses.ts';
import type { Follow } from '../../../src/plan/difference/follow-live.ts';
import { liveRule } from '../../plan/build.ts';

// The items of the file: a rule, the use of a pack of two rules, a rule, the use of a pack of one rule.
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
 * The resulting list (items of the file by their number, rules that only live has as `new`), the pack rules that are astray, and
 * the rules that stand between the rules of a use, if any.
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

describe('placeUses', () => {
  it('keeps the list when live has the rules of the packs in the same order', () => {
    expect(placed([0, 1, 2, 3, 4].map(keep))).toEqual([[0, 'use 1', 2, 'use 3'], []]);
  });

  it('places each use where its first rule stands live', () => {
    expect(placed([4, 1, 2, 3, 0].map(keep))).toEqual([['use 3', 'use 1', 2, 0], []]);
  });

  it('keeps a use without any live rule behind the item before it, and reports its rules as astray', () => {
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

  it('reports as astray the pack rules that live has in another order, changed, or not at all', () => {
    expect(placed([0, 2, 1, 3, 4].map(keep))).toEqual([
      [0, 'use 1', 2, 'use 3'],
      [1, 2],
    ]);
    expect(placed([0, 1, 3, 4].map(keep))).toEqual([[0, 'use 1', 2, 'use 3'], [2]]);
    expect(placed([keep(0), edit(1), keep(2), keep(3), keep(4)])).toEqual([[0, 'use 1', 2, 'use 3'], [1]]);
  });

  it('reports rules that stand between the rules of a use, without calling the pack rules astray', () => {
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

  it('reports nothing about desired rules that no item of the list declares', () => {
    expect(placed([0, 1].map(keep), [0, undefined])).toEqual([[0, 'use 1', 'use 3', 'new'], []]);
  });
});
