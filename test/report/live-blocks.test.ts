import { expect, test } from 'vitest';
import type { LiveDifference } from '../../src/model/drift.ts';
import { wholeText } from '../../src/report/index.ts';
import { liveDifferenceBlocks } from '../../src/report/live-blocks.ts';

const removed = ['a', 'b'].map((ref, index) => ({ id: String(index).repeat(32), ref }));
const gone: LiveDifference = {
  from: '3',
  to: null,
  added: [],
  removed,
  changed: [],
  moved: [],
  complete: false,
};

const texts = (difference: LiveDifference): readonly string[] =>
  wholeText({ title: '', body: liveDifferenceBlocks(difference) }, { width: 80, colour: false })
    .split('\n')
    .slice(0, -1);

test('reports a deleted ruleset once, not rule by rule', () => {
  expect(texts(gone)).toEqual(['- the ruleset was deleted live, with 2 rules']);
  expect(texts({ ...gone, removed: [], complete: true })).toEqual(['- the ruleset was deleted live']);
});

test('reports the removed rules of a ruleset that still exists', () => {
  expect(texts({ ...gone, to: '4', complete: true })).toEqual(['- a  removed live', '- b  removed live']);
});
