import { expect, it } from 'vitest';
import type { Outcome } from '../../src/model/outcome.ts';
import type { FailedScope } from '../../src/model/plan.ts';
import { outcomesSummary } from '../../src/report/outcomes-summary.ts';

const failed: FailedScope = {
  kind: 'failed',
  scope: { kind: 'zone', name: 'shop.example' },
  error: { code: 'api/unknown-scope', message: 'no such zone' },
};

it('counts no rulesets if no scope could be planned', () => {
  const summed = { outcomes: [], failedScopes: [failed] };
  expect(outcomesSummary({ ...summed, dryRun: false })).toBe(
    'Nothing was written. 1 scope could not be planned.',
  );
  expect(outcomesSummary({ ...summed, dryRun: true })).toBe(
    'Dry run, nothing was written. 1 scope could not be planned.',
  );
});

it('says that all was applied in spite of a conflict only if all of our writes landed', () => {
  const done = { kind: 'done', step: 'zone:a.example/x', version: '2', writes: 1 } as const;
  const conflict = { kind: 'conflict', step: 'zone:b.example/x', message: '', hint: '', writes: 1 } as const;
  const whole = { ...conflict, allLanded: true } as const;
  const summary = (...outcomes: readonly Outcome[]) => outcomesSummary({ outcomes, dryRun: false });
  expect(summary(done, conflict)).toMatch(/^Partly applied\. /u);
  expect(summary(done, whole)).toBe(
    'Applied, while somebody else wrote too. 2 rulesets: 1 done, 1 in conflict.',
  );
  expect(summary(whole, { kind: 'not-reached', step: 'zone:c.example/x', reason: '' })).toMatch(/^Partly/u);
});

it('does not say that live equals the files where no scope was compared', () => {
  const summary = {
    rules: { add: 0, patch: 0, move: 0, delete: 0 },
    rulesets: { create: 0, update: 0, delete: 0 },
  };
  const of = (scopes: number) =>
    outcomesSummary({ outcomes: [], dryRun: false, plan: { digest: '', summary, scopes } });
  expect([of(0), of(1)]).toEqual([
    'Nothing was compared: no scope changed, or none was chosen.',
    'Nothing to do. Live equals the files.',
  ]);
});
