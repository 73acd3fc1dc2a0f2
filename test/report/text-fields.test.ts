import { expect, it } from 'vitest';
import { layOut } from '../../src/report/layout.ts';
import { fieldLines } from '../../src/report/print-text-fields.ts';
import type { FieldRow } from '../../src/report/tree.ts';
import { CHANGE_SIDES } from '../../src/report/tree.ts';

it('aligns values beside labels of wide characters', () => {
  const row = (label: string): FieldRow => ({ label, group: '', value: { kind: 'is', value: 'x' } });
  const lines = fieldLines([row('例え'), row('path')], { indent: 0, width: 80, sides: CHANGE_SIDES });
  expect(layOut(lines, { width: 80, colour: false })).toBe('例え  x\npath  x\n');
});
