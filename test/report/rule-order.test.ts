import { expect, it } from 'vitest';
import type { RuleChange } from '../../src/model/change.ts';
import { ruleOrder } from '../../src/report/shown-changes.ts';
import { add, move, patch, remove, update } from './plan-builder.ts';

const idOf = (ref: string): string => ref.repeat(32);

it('derives both orders from the rules that stay and the places of added, moved and deleted ones', () => {
  const changes: readonly RuleChange[] = [
    add('n', { place: { index: 3, after: 'a' } }),
    move('d', {
      id: idOf('d'),
      move: { from: { index: 5, after: 'e' }, to: { index: 1, after: null } },
    }),
    remove('e', { id: idOf('e'), place: { index: 4, after: 'c' } }),
    patch('b', { before: {}, after: { action: 'log' } }, { id: idOf('b') }),
  ];
  const { before, after } = ruleOrder(update(changes, { staying: ['a', 'b', 'c'].map(idOf) }));
  const told = (rules: typeof after) =>
    rules.map(({ key, change }) => `${key.split(' ')[1]?.slice(0, 1)} ${change?.kind ?? 'stays'}`);
  expect(told(before)).toEqual(['a stays', 'b patch', 'c stays', 'e delete', 'd move']);
  expect(told(after)).toEqual(['d move', 'a stays', 'n add', 'b patch', 'c stays']);
});
