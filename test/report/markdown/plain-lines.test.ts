import { expect, it } from 'vitest';
import { line } from '../../../src/report/layout.ts';
import { plainBlocks } from '../../../src/report/markdown/block.ts';

it('begins no line in a fence with a command of a build service', () => {
  expect(plainBlocks([line(2, '::add-mask::x'), line(0, 'ip.src in {::1}')])).toMatchObject([
    { lines: [String.raw`  \::add-mask::x`, 'ip.src in {::1}'] },
  ]);
});
