import { expect, test } from 'vitest';
import type { HealthResult, WindowCounts } from '../../src/model/index.ts';
import { healthBlocks, printMarkdown, printText } from '../../src/report/index.ts';
import type { Look } from '../../src/report/index.ts';
import { whole } from './printed.ts';

const LOOK: Look = { colour: false, width: 100 };

function counts(requests: number, counted: number): WindowCounts {
  const percent = (100 * counted) / requests;
  return { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:10:00Z', requests, counted, percent };
}

const RESULT: HealthResult = {
  verdict: 'fails',
  checked_at: '2026-01-01T01:00:00Z',
  measures: [
    {
      measure: 'probe',
      url: 'https://shop.example/<health>',
      verdict: 'holds',
      why: null,
      expect: [200, 204],
      limit: { attempts: 3, window_seconds: 10 },
      attempts: [
        { at: '2026-01-01T00:00:00Z', status: null, problem: 'no answer (ECONNREFUSED)' },
        { at: '2026-01-01T00:00:05Z', status: 204, problem: null },
      ],
    },
    {
      measure: 'errors',
      verdict: 'fails',
      why: 'the share of 5xx answers is 5%, and may be 1% at most',
      limit: { max: 1, above_before: 0.5, above_others: 0.5, window_seconds: 600, min_requests: 1000 },
      wave: { before: counts(2000, 4), after: counts(2000, 100) },
      others: counts(5000, 10),
      others_note: '2 of 2 zones without the change',
      zones: [
        { zone: 'blog.example', verdict: 'no_data', why: 'the service said no', windows: null },
        {
          zone: 'shop.example',
          verdict: 'fails',
          why: 'the share of 5xx answers is 5%, and may be 1% at most',
          windows: { before: counts(2000, 4), after: counts(2000, 100) },
        },
      ],
    },
  ],
};

test('the numbers of a check are shown', () => {
  const document = { title: 'Health', body: healthBlocks(RESULT) };
  expect(whole(printText(document, LOOK))).toMatchInlineSnapshot(`
    "✓ https://shop.example/<health>  expected 200 or 204
        no answer (ECONNREFUSED), 2026-01-01T00:00:00Z
        status 204, 2026-01-01T00:00:05Z
    ✗ share of 5xx answers  at most 1%, and 0.5 points above before, and 0.5 points above zones without
        the change
        the share of 5xx answers is 5%, and may be 1% at most
        the wave: 5% (100 of 2,000 requests), before 0.2% (4 of 2,000 requests)
        from 2026-01-01T00:00:00Z to 2026-01-01T00:10:00Z, and before from 2026-01-01T00:00:00Z to
          2026-01-01T00:10:00Z
        2 of 2 zones without the change: 0.2% (10 of 5,000 requests)
        ? blog.example
          the service said no
        ✗ shop.example  5% (100 of 2,000 requests), before 0.2% (4 of 2,000 requests)
          the share of 5xx answers is 5%, and may be 1% at most
    "
  `);
  const page = whole(printMarkdown(document, { base: '' }));
  expect(page).toContain('5&#37; (100 of 2,000 requests)');
  expect(page).toContain('`https://shop.example/<health>`');
});
