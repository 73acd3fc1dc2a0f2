import { expect, it } from 'vitest';
import type { FailedScope } from '../../src/model/plan.ts';
import { outcomesSummary } from '../../src/report/outcomes-summary.ts';

const failed: FailedScope = {
  kind: 'failed',
  scope: { kind: 'zone', name: 'shop.example' },
  error: { code: 'api/unknown-scope', message: 'no such zone' },
};

it('counts no rulesets where no scope could be planned', () => {
  const summed = { outcomes: [], failedScopes: [failed] };
  expect(outcomesSummary({ ...summed, dryRun: false })).toBe(
    'Nothing was written. 1 scope could not be planned.',
  );
  expect(outcomesSummary({ ...summed, dryRun: true })).toBe(
    'Dry run, nothing was written. 1 scope could not be planned.',
  );
});
