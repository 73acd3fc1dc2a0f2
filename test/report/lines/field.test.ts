import { expect, it } from 'vitest';
import type { FieldRow } from '../../../src/report/field-rows.ts';
import { layOut } from '../../../src/report/layout.ts';
import { fieldLines } from '../../../src/report/lines/rule-lines.ts';
import { PLAN } from '../../../src/report/telling.ts';

it('aligns values beside labels of wide characters', () => {
  const row = (label: string): FieldRow => ({ label, group: '', value: { kind: 'is', value: 'x' } });
  const lines = fieldLines([row('例え'), row('path')], { indent: 0, width: 80, telling: PLAN });
  expect(layOut(lines, { width: 80, colour: false })).toBe('例え  x\npath  x\n');
});
