import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.ts';
import { outcomesDocument } from '../../../src/report/index.ts';
import { outcomesJson } from '../../../src/report/json-documents.ts';
import { outcomesAnnotations } from '../../../src/report/plan-annotations.ts';
import { outcomesMarkdown, outcomesText } from '../printed.ts';
import { plan } from '../plan-builder.ts';

const LOOK = { width: 80, colour: false };

it('shows what landed, what failed, what was not reached, and how to go on', () => {
  expect(
    outcomesText(
      {
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
  ).toBe(`zone:b.example
  failed       http_ratelimit  api/server-error
      PUT /zones/1: 500 without a reason
      2 writes of this step took effect.
      hint: Try again later.
  refused      http_custom_errors  apply/stale
      version 9 is live, the plan was made from 7
  not reached  y
      a step before it failed
  skipped      z
      already so

zone:c.example
  in conflict  x/custom:login
      somebody wrote in between
      1 write of this step took effect.
      hint: look

zone:a.example
  done         http_ratelimit  version 8, 1 write

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
        outcomes: [{ kind: 'skipped', step: 'zone:a/x', reason: 'dry run' }],
      },
      LOOK,
    ),
  ).toBe('zone:a\n  skipped      x\n      dry run\n\nDry run, nothing was written. 1 ruleset: 1 skipped.\n');
});

it('shows what a rollback put back, what it could not, and which rules have new ids', () => {
  expect(
    outcomesText(
      {
        dryRun: false,
        outcomes: [
          { kind: 'done', step: 'zone:a/x', version: '8', writes: 1 },
          { kind: 'failed', step: 'zone:a/y', code: 'api/refused', message: 'no', writes: 0 },
        ],
        rollback: {
          result: 'partial',
          outcomes: [
            { kind: 'done', step: 'zone:a/x', version: '9', writes: 1 },
            { kind: 'refused', step: 'zone:a/z', code: 'apply/touched', message: 'others wrote', writes: 0 },
          ],
          notes: [{ kind: 'id-lost', step: 'zone:a/x', rule: 'r', message: 'comes back with a new id' }],
        },
      },
      LOOK,
    ),
  ).toBe(`zone:a
  done         x  version 8, 1 write
  failed       y  api/refused
      no

Rollback
  zone:a
    put back     x  version 9, 1 write
    refused      z  apply/touched
        others wrote

  ! zone:a/x: r comes back with a new id

Partly applied: not all of it could be put back. 2 rulesets: 1 done, 1 failed.
`);
});

it('finds the scope of a step, whatever the names of account and ruleset', () => {
  const outcomes = ['account:A\nB/http_ratelimit', 'account:C/http_ratelimit/custom:'].map(
    (step): Outcome => ({ kind: 'done', step, version: '1', writes: 1 }),
  );
  const text = outcomesText({ outcomes, dryRun: false }, LOOK);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'account:A\\nB',
    '  done         http_ratelimit  version 1, 1 write',
    '',
    'account:C',
    '  done         http_ratelimit/custom:  version 1, 1 write',
  ]);
});

it('does not claim that nothing was written if that is not known', () => {
  const failed = {
    kind: 'failed',
    step: 'zone:a.example/http_ratelimit',
    code: 'api/timeout',
    message: 'PUT /zones/1: no answer. Live does not show it, but it may still land.',
    hint: 'wait a minute',
    writes: 0,
    inDoubt: true,
  } as const;
  const report = { outcomes: [failed], dryRun: false };
  expect(outcomesText(report, LOOK)).toContain('It is not known whether something was written. 1 ruleset');
  const doubt: Outcome = {
    ...failed,
    code: 'apply/in-doubt',
    message: 'is as it was before, but no answer came',
  };
  const rolled = (outcomes: readonly Outcome[]) =>
    outcomesText({ ...report, rollback: { result: 'partial', outcomes, notes: [] } }, LOOK);
  expect(rolled([doubt])).toContain(
    'Not applied, but it is not known whether a write still lands. 1 ruleset',
  );
  expect(rolled([doubt, failed])).toContain('Partly applied: not all of it could be put back. 1 ruleset');
});

it('names the changes of others that an unanswered write would undo', () => {
  const difference = {
    from: '5',
    to: '6',
    added: [
      { id: '1', ref: 'theirs' },
      { id: '2'.repeat(32), ref: '2'.repeat(32), description: 'on-call emergency' },
    ],
    removed: [],
    changed: [],
    moved: [],
    complete: true,
  };
  const outcome: Outcome = {
    kind: 'conflict',
    step: 'zone:a.example/http_ratelimit',
    message: 'no answer came',
    hint: 'wait a minute',
    writes: 0,
    inDoubt: true,
    others: [
      {
        version: '6',
        lastUpdated: '2026-11-20T10:00:00.000Z',
        difference,
        lost: [],
        atRisk: [{ id: '1', ref: 'theirs' }],
      },
    ],
  };
  const report = { outcomes: [outcome], dryRun: false };
  expect(outcomesText(report, LOOK)).toContain('undone if our write still lands: theirs');
  expect(outcomesText(report, LOOK)).toContain('+ “on-call emergency” (22222222');
});

it.each([
  ['apply', false, 'Rulewright apply'],
  ['rollback', false, 'Rulewright rollback'],
  ['rollback', true, 'Rulewright rollback --dry-run'],
] as const)('titles the result of %s (dry run: %s) with its command', (act, dryRun, title) => {
  const document = outcomesJson(plan(), { result: 'done', dryRun, refusals: [], outcomes: [] });
  expect(outcomesDocument(document, { act }).title).toBe(title);
});

describe('a run over many scopes that stopped', () => {
  const outcomes = Array.from({ length: 12 }, (_, index): Outcome => {
    const step = `zone:z${index + 1}.example/http_ratelimit`;
    return index === 6
      ? { kind: 'refused', step, code: 'apply/stale', message: 'version 9 is live', writes: 0 }
      : { kind: 'not-reached', step, reason: 'another ruleset moved' };
  });

  it('lists alike scopes that were not reached once, and names what stopped the run at the end', () => {
    expect(outcomesText({ dryRun: false, outcomes }, LOOK)).toBe(`zone:z7.example
  refused      http_ratelimit  apply/stale
      version 9 is live

Not reached · another ruleset moved
  zone:z1.example and 10 more zones alike  http_ratelimit
      z2.example, z3.example, z4.example, z5.example, z6.example, z8.example,
      z9.example, z10.example, z11.example, z12.example

Nothing was written. 12 rulesets: 1 refused, 11 not reached.
Stopped at zone:z7.example/http_ratelimit.
`);
  });

  it('lists alike scopes that were not reached once in Markdown', () => {
    const document = outcomesJson(plan(), { result: 'refused', dryRun: false, refusals: [], outcomes });
    expect(outcomesMarkdown(document)).toContain(
      '##### Not reached · another ruleset moved\n\n- **zone:z1.example** and 10 more zones alike · `http_ratelimit`<br>`z2.example`, ',
    );
  });
});

describe('outcomes of the same step in many scopes', () => {
  const done = (name: string, version: string, writes = 1): Outcome => ({
    kind: 'done',
    step: `zone:${name}/http_ratelimit`,
    version,
    writes,
  });
  const failed = (name: string, id: string, reason: string): Outcome => ({
    kind: 'failed',
    step: `zone:${name}/http_ratelimit`,
    code: 'api/forbidden',
    message: `PUT /zones/${id.repeat(32)}/rulesets: ${reason}`,
    writes: 0,
  });
  const outcomes = [
    done('a.example', '3'),
    failed('b.example', '1', 'not allowed'),
    done('c.example', '9'),
    done('d.example', '4', 2),
    failed('e.example', '2', 'not allowed'),
    failed('f.example', '3', 'not there'),
    done('g.example', '2'),
  ];
  const headings = (detail?: 'each'): readonly string[] =>
    outcomesText({ dryRun: false, outcomes }, { ...LOOK, ...(detail === undefined ? {} : { detail }) })
      .split('\n')
      .filter((line) => line.startsWith('zone:') || line.startsWith('    '));

  it('are shown once except for version and ids, but not if anything else differs or for only two', () => {
    expect(headings()).toEqual([
      'zone:b.example',
      `      PUT /zones/${'1'.repeat(32)}/rulesets: not allowed`,
      'zone:e.example',
      `      PUT /zones/${'2'.repeat(32)}/rulesets: not allowed`,
      'zone:f.example',
      `      PUT /zones/${'3'.repeat(32)}/rulesets: not there`,
      'zone:a.example and 2 more zones alike',
      '    c.example, g.example',
      'zone:d.example',
    ]);
  });

  it('are shown one by one with the detail “each”', () => {
    expect(headings('each').filter((line) => line.startsWith('zone:'))).toHaveLength(7);
  });
});

describe('a failed step of which some writes took effect', () => {
  const failed: Outcome = {
    kind: 'failed',
    step: 'zone:a.example/http_ratelimit',
    code: 'api/server-error',
    message: 'the third write failed',
    writes: 2,
  };
  const run = { result: 'partial', dryRun: false, refusals: [], outcomes: [failed] } as const;
  const document = outcomesJson(plan(), run);

  it.each([
    ['text', outcomesText({ dryRun: false, outcomes: [failed] }, LOOK)],
    ['Markdown', outcomesMarkdown(document)],
    ['annotations', outcomesAnnotations(plan(), document, '.')],
  ])('has the number of these writes in %s', (_format, told) => {
    expect(told).toContain('2 writes of this step took effect');
  });
});
