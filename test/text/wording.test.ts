import { expect, it } from 'vitest';
import { counted, duration, grouped } from '../../src/text/index.ts';

it.each([
  [counted(0, 'rule'), '0 rules'],
  [counted(1, 'rule'), '1 rule'],
  [counted(1000, 'rule'), '1,000 rules'],
  [counted(1, 'entry', 'entries'), '1 entry'],
  [counted(2, 'zone is', 'zones are'), '2 zones are'],
  [grouped(999), '999'],
  [grouped(1234567), '1,234,567'],
  [grouped(1234.5678), '1,234.5678'],
  [duration(1), '1 second'],
  [duration(90), '90 seconds'],
  [duration(86_400), '1 day'],
])('%s', (text, wanted) => {
  expect(text).toBe(wanted);
});
