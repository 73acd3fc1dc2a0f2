import { expect, it } from 'vitest';
import { rateLimitConversionDocument } from '../../../src/legacy/rate-limits/rate-limits-report.ts';
import { wholeText } from '../../../src/report/index.ts';
import { content } from '../../report/plan-builder.ts';

it.each([
  [1, '1 live rule stays before them.'],
  [2, '2 live rules stay before them.'],
])('counts live rules that stay before the converted ones: %i', (count, sentence) => {
  const existing = Array.from({ length: count }, (_, index) => ({
    id: String(index).repeat(32),
    ref: `own-${index}`,
    content: content(),
  }));
  const text = wholeText(
    rateLimitConversionDocument({
      scope: { kind: 'zone', id: 'e'.repeat(32), name: 'shop.example', accountId: 'f'.repeat(32) },
      limits: [],
      result: { kind: 'converted', rules: [], existing, warnings: [] },
      equivalence: null,
      yaml: null,
      file: null,
      claim: null,
    }),
    { width: 80, colour: false },
  );
  expect(text).toContain(sentence);
});
