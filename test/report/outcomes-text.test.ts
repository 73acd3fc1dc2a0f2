import { expect, it } from 'vitest';
import { outcomesText } from '../../src/report/outcomes-text.ts';

const LOOK = { width: 80, colour: false };

it('tells what landed, what failed, what was not reached, and how to go on', () => {
  expect(
    outcomesText(
      {
        unplanned: 0,
        dryRun: false,
        next: 'rulewright apply',
        outcomes: [
          { kind: 'done', step: 'zone:a.example/http_ratelimit', version: '8', writes: 1 },
          {
            kind: 'failed',
            step: 'zone:b.example/http_ratelimit',
            code: 'api/server-error',
            message: 'PUT /zones/1: 500 without a reason',
            hint: 'Try again later.',
            writes: 2,
          },
          {
            kind: 'refused',
            step: 'zone:b.example/http_custom_errors',
            code: 'apply/stale',
            message: 'version 9 is live, the plan was made from 7',
            writes: 0,
          },
          {
            kind: 'conflict',
            step: 'zone:c.example/x/custom:login',
            message: 'somebody wrote in between',
            hint: 'look',
            writes: 1,
          },
          { kind: 'not-reached', step: 'zone:b.example/y', reason: 'a step before it failed' },
          { kind: 'skipped', step: 'zone:b.example/z', reason: 'already so' },
        ],
      },
      LOOK,
    ),
  ).toBe(`zone:a.example
  done         http_ratelimit  version 8, 1 write

zone:b.example
  failed       http_ratelimit  api/server-error
      PUT /zones/1: 500 without a reason
      2 writes of this step did land before.
      Try again later.
  refused      http_custom_errors  apply/stale
      version 9 is live, the plan was made from 7
  not reached  y
      a step before it failed
  skipped      z
      already so

zone:c.example
  conflict     x/custom:login
      somebody wrote in between
      1 write of this step did land before.
      look

Partly applied. 6 rulesets: 1 done, 1 skipped, 1 refused, 1 failed, 1 in
  conflict, 1 not reached.
To go on: rulewright apply
`);
});

it('says that a dry run wrote nothing', () => {
  expect(
    outcomesText(
      {
        dryRun: true,
        unplanned: 0,
        next: null,
        outcomes: [{ kind: 'skipped', step: 'zone:a/x', reason: 'dry run' }],
      },
      LOOK,
    ),
  ).toBe('zone:a\n  skipped      x\n      dry run\n\nDry run, nothing was written. 1 ruleset: 1 skipped.\n');
});
