import { expect, it } from 'vitest';
import type { RuleChange } from '../../src/model/change.ts';
import type { OrderEntry } from '../../src/model/plan.ts';
import { ruleOrder } from '../../src/report/rule-order.ts';
import { add, move, patch, remove } from './plan-builder.ts';

function live(ref: string): OrderEntry {
  return { kind: 'live', id: ref.padEnd(32, '0'), ref };
}

it('the order before comes from the one after and the places of what moved and went', () => {
  const changes: readonly RuleChange[] = [
    add('new'),
    move('d', { move: { from: { index: 5, after: 'gone' }, to: { index: 1, after: null } } }),
    remove('gone', { place: { index: 4, after: 'c' } }),
    patch('b', { before: {}, after: { action: 'log' } }),
  ];
  const { before, after } = ruleOrder(
    [live('d'), live('a'), { kind: 'new', ref: 'new' }, live('b'), live('c')],
    changes,
  );
  expect(before.map(({ ref }) => ref)).toEqual(['a', 'b', 'c', 'gone', 'd']);
  expect(after.map(({ ref, change }) => [ref, change?.kind])).toEqual([
    ['d', 'move'],
    ['a', undefined],
    ['new', 'add'],
    ['b', 'patch'],
    ['c', undefined],
  ]);
});
