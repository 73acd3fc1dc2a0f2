import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { Plan, PlannedScope, Step, UpdateStep } from '../../../src/model/plan.ts';
import { PLAN_NOTE_KINDS } from '../../../src/model/plan.ts';
import { GUARD_KINDS, DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { checkPlan } from '../../../src/plan/document/check-plan.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { planOne } from '../world.ts';

function planOf(desired: ReturnType<typeof desiredRuleset>, live: ReturnType<typeof liveRuleset>): Plan {
  return makePlan('emulator', [
    guardScope(planOne(desired, live), DEFAULT_SAFETY, '2026-06-01'),
    {
      kind: 'failed',
      scope: { kind: 'zone', name: 'other.example' },
      error: { code: 'api/forbidden', message: 'no' },
    },
  ]);
}

const sample = (): Plan =>
  planOf(
    desiredRuleset(
      [desiredRule({ ref: 'b', action: 'log' }), desiredRule({ ref: 'a' }), desiredRule({ ref: 'new' })],
      {
        description: 'ours',
      },
    ),
    liveRuleset([liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' }), liveRule(3, { ref: 'gone' })]),
  );

/** The sample, edited by somebody after it was made. */
function tampered(
  change: (
    step: Record<string, unknown>,
    scope: Record<string, unknown>,
    plan: Record<string, unknown>,
  ) => void,
): unknown {
  const plan = JSON.parse(JSON.stringify(sample())) as Record<string, unknown>;
  const [scope] = plan['scopes'] as Record<string, unknown>[];
  const [step] = (scope?.['steps'] ?? []) as Record<string, unknown>[];
  change(step ?? {}, scope ?? {}, plan);
  return plan;
}

/** The changes of a step, with another index for the place of one rule. */
function placed({ changes }: UpdateStep, ref: string, index: number): readonly RuleChange[] {
  return changes.map((change) =>
    change.ref === ref && change.kind !== 'move' ? { ...change, place: { ...change.place, index } } : change,
  );
}

/** The change without its move. */
function unmoved(change: RuleChange): RuleChange {
  if (change.kind !== 'patch') {
    return change;
  }
  const { move: _move, ...rest } = change;
  return rest;
}

describe('the schema of plans', () => {
  it('has the same kinds of notes and findings as the model', async () => {
    const schema = JSON.parse(await readFile('schemas/plan.schema.json', 'utf8')) as {
      definitions: Record<'note' | 'finding', { properties: { kind: { enum: unknown } } }>;
    };
    expect(schema.definitions.note.properties.kind.enum).toEqual(PLAN_NOTE_KINDS);
    expect(schema.definitions.finding.properties.kind.enum).toEqual(GUARD_KINDS);
  });
});

describe('checkPlan', () => {
  it('refuses a plan with valid digests that contains a scope twice', () => {
    const { baseUrl, scopes } = sample();
    expect(checkPlan(makePlan(baseUrl, [...scopes, ...scopes]))).toEqual({
      kind: 'invalid',
      problems: ['a scope is in it twice'],
    });
  });

  it('refuses a plan with valid digests in which two scopes have the same name', () => {
    const { baseUrl, scopes } = sample();
    const first = scopes.find((one) => one.kind === 'planned');
    const twins = first === undefined ? [] : [{ ...first, scope: { ...first.scope, id: '9'.repeat(32) } }];
    expect(checkPlan(makePlan(baseUrl, [...scopes, ...twins]))).toEqual({
      kind: 'invalid',
      problems: [`two scopes are called zone:${first?.scope.name}`],
    });
  });

  it('accepts every plan that we make, after a round trip through JSON', () => {
    fc.assert(
      fc.property(rulesetCases(6), ({ live, desired }) => {
        const plan = planOf(desired, live);
        expect(checkPlan(JSON.parse(JSON.stringify(plan)))).toEqual({ kind: 'valid', plan });
      }),
      { numRuns: propertyRuns() },
    );
  });

  it.each([
    ['another target', (step) => Object.assign(step['target'] as object, { phase: 'http_ratelimit' })],
    [
      'another rule content',
      (step) =>
        Object.assign(((step['changes'] as object[])[0] as { content: object }).content, { enabled: false }),
    ],
    ['a rule that stays left out', (step) => (step['staying'] as unknown[]).pop()],
    [
      'a rule that stays twice',
      (step) => (step['staying'] as unknown[]).push((step['staying'] as unknown[])[0]),
    ],
    ['another digest', (_step, _scope, plan) => Object.assign(plan, { digest: '0'.repeat(64) })],
    ['a step taken away', (_step, scope) => Object.assign(scope, { steps: [] })],
    ['another scope', (_step, scope) => Object.assign(scope['scope'] as object, { id: id(77) })],
    [
      'another summary',
      (_step, _scope, plan) =>
        Object.assign(plan['summary'] as object, { rules: { add: 0, patch: 0, move: 0, delete: 0 } }),
    ],
    ['an unknown key', (step) => Object.assign(step, { exec: 'rm' })],
    ['a base that fits no update', (step) => Object.assign(step, { base: { kind: 'absent' } })],
    ['a path for an id', (step) => Object.assign(step['base'] as object, { id: '../../zones' })],
    ['deletions put first', (step) => Object.assign(step, { deletesFirst: true })],
    ['deletions put first in other words', (step) => Object.assign(step, { deletesFirst: 1 })],
    [
      'an unknown kind of note',
      (_step, scope) => Object.assign(scope, { notes: [{ kind: 'x', step: '', rule: '', message: '' }] }),
    ],
    [
      'findings of an unknown kind',
      (_step, _scope, plan) => Object.assign(plan, { findings: [{ kind: 'x' }] }),
    ],
  ] satisfies readonly (readonly [string, Parameters<typeof tampered>[0]])[])(
    'refuses a plan with %s',
    (_name, change) => {
      const checked = checkPlan(tampered(change));
      expect(checked.kind).toBe('invalid');
      expect(checked.kind === 'invalid' && checked.problems.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['a rule that stays and is deleted', ({ staying }) => ({ staying: [...staying, id(3)] })],
    ['a rule that stays and moves', ({ staying }) => ({ staying: [...staying, id(1)] })],
    ['a rule that changes in its place and has none', ({ changes }) => ({ changes: changes.map(unmoved) })],
    ['a new rule behind the end', (step) => ({ changes: placed(step, 'new', 9) })],
    ['a new rule in the place of another one', (step) => ({ changes: placed(step, 'new', 1) })],
    ['a changed rule that stays elsewhere', (step) => ({ changes: placed(step, 'b', 2) })],
    [
      'a deleted rule that stood in the place of another one',
      (step) => ({ changes: placed(step, 'gone', 2) }),
    ],
    ['two changes of one rule', ({ changes }) => ({ changes: [...changes, ...changes.slice(0, 1)] })],
  ] satisfies readonly (readonly [string, (step: UpdateStep) => Partial<UpdateStep>])[])(
    'refuses %s, even with valid digests',
    (_name, edit) => {
      const { baseUrl, scopes } = sample();
      const edited = scopes.map((scope) =>
        scope.kind === 'planned'
          ? {
              ...scope,
              steps: scope.steps.map((step) =>
                step.operation === 'update' ? { ...step, ...edit(step) } : step,
              ),
            }
          : scope,
      );
      expect(checkPlan(makePlan(baseUrl, scopes)).kind).toBe('valid');
      expect(checkPlan(makePlan(baseUrl, edited))).toEqual({
        kind: 'invalid',
        problems: [expect.stringMatching(/: the places of its rules do not agree$/)],
      });
    },
  );

  /** The problems of a plan whose steps were edited and whose digests were then computed again. */
  function sealed(plan: PlannedScope, edit: (step: Step) => Step): readonly string[] {
    expect(checkPlan(makePlan('emulator', [plan])).kind).toBe('valid');
    const checked = checkPlan(makePlan('emulator', [{ ...plan, steps: plan.steps.map(edit) }]));
    return checked.kind === 'invalid' ? checked.problems : [];
  }

  const STEP = 'zone:shop.example/http_request_firewall_custom';
  const live = liveRuleset([liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' })]);

  it('refuses a move to a place that does not fit the order, even with valid digests', () => {
    const moving = planOne(desiredRuleset([desiredRule({ ref: 'b' }), desiredRule({ ref: 'a' })]), live);
    const problems = sealed(moving, (step) => ({
      ...step,
      changes: step.changes.map((change) =>
        change.kind === 'move'
          ? { ...change, move: { ...change.move, to: { ...change.move.to, index: 9 } } }
          : change,
      ),
    }));
    expect(problems).toEqual([`${STEP}: the places of its rules do not agree`]);
  });

  it.each([
    ['changes in its place', [id(2)]],
    ['moves', [id(1)]],
    ['deletes', [id(3)]],
    ['names twice', [id(4), id(4)]],
    ['does not have', [id(5)]],
  ])(
    'refuses a step that lists as a rule of others one that it %s, even with valid digests',
    (_name, others) => {
      const plan = planOne(
        desiredRuleset(
          [desiredRule({ ref: 'our-b', action: 'log' }), desiredRule({ ref: 'our-a', action: 'log' })],
          {
            ownership: patterns('our-*'),
          },
        ),
        liveRuleset([
          liveRule(1, { ref: 'our-a' }),
          liveRule(2, { ref: 'our-b' }),
          liveRule(3, { ref: 'our-c' }),
          liveRule(4, { ref: 'x' }),
        ]),
      );
      expect(plan.steps).toMatchObject([
        { others: [id(4)], changes: [{ ref: 'our-b' }, { ref: 'our-a' }, { ref: 'our-c' }] },
      ]);
      expect(sealed(plan, (step) => ({ ...step, others }))).toEqual([
        `${STEP}: it changes rules that it says are not ours`,
      ]);
    },
  );

  it('refuses a base that does not fit the operation, and a deletion that does more, even with valid digests', () => {
    const making = planOne(desiredRuleset([desiredRule({ ref: 'a' })]), null);
    const base = { kind: 'version', id: id(5), version: '1', lastUpdated: '2026-01-01T00:00:00Z' } as const;
    expect(sealed(making, (step) => ({ ...step, base }))).toEqual([`${STEP}: its base fits no create`]);
    const changing = planOne(desiredRuleset([desiredRule({ ref: 'a', action: 'log' })]), live);
    expect(sealed(changing, (step) => ({ ...step, base: { kind: 'absent' } }))).toEqual([
      `${STEP}: its base fits no update`,
    ]);
    const address = { kind: 'custom', phase: live.phase, name: live.name } as const;
    const gone = desiredRuleset([], { address, presence: 'absent' });
    const deleting = planOne(gone, { ...live, kind: 'custom' });
    const { changes } = changing.steps[0] ?? { changes: [] };
    expect(
      sealed(deleting, (step) => ({ ...step, changes: [...step.changes.slice(1), ...changes.slice(0, 1)] })),
    ).toEqual([`${STEP}/custom:default: a ruleset that is deleted can only lose rules`]);
    expect(sealed(deleting, (step) => ({ ...step, others: [id(99)] }))).toEqual([
      `${STEP}/custom:default: it names rules of others that it does not delete`,
    ]);
  });

  it.each([
    ['digest', { digest: '0'.repeat(64) }, 'the digest is not that of the effect'],
    [
      'summary',
      { summary: { ...sample().summary, rules: { add: 0, patch: 0, move: 0, delete: 0 } } },
      'the summary does not count what the steps change',
    ],
  ])('names the problem when the %s was edited', (_name, edit, problem) => {
    expect(checkPlan({ ...sample(), ...edit })).toMatchObject({
      problems: expect.arrayContaining([problem]),
    });
  });

  it('reports a plan of another format version as such', () => {
    expect(checkPlan(tampered((_step, _scope, plan) => Object.assign(plan, { formatVersion: 2 })))).toEqual({
      kind: 'other-format',
      problem: 'made by another version of rulewright (format 2; this one reads 3)',
    });
  });

  it('refuses values that are no plan, with at most ten problems', () => {
    for (const value of [null, 1, 'plan', [], {}, { kind: 'plan' }]) {
      const checked = checkPlan(value);
      expect(checked.kind === 'invalid' && checked.problems.length).toBeLessThanOrEqual(10);
    }
  });

  it.each([
    [
      'base URL',
      (_step: Record<string, unknown>, _scope: Record<string, unknown>, plan: Record<string, unknown>) =>
        Object.assign(plan, { baseUrl: 'https://elsewhere.example/client/v4' }),
    ],
    [
      'key, moved within its object',
      (step: Record<string, unknown>) => {
        const { target } = step;
        delete step['target'];
        Object.assign(step, { target });
      },
    ],
    ['base', (step: Record<string, unknown>) => Object.assign(step['base'] as object, { version: '99' })],
    [
      'finding',
      (_step: Record<string, unknown>, scope: Record<string, unknown>) =>
        Object.assign(scope, { findings: [] }),
    ],
  ])('detects an edit of a %s, which the digest of the effect does not cover', (_name, change) => {
    const plan = sample();
    expect(plan.scopes[0]?.kind === 'planned' && plan.scopes[0].findings.length).toBeGreaterThan(0);
    expect(checkPlan(tampered(change))).toEqual({
      kind: 'invalid',
      problems: ['it was changed after it was made'],
    });
  });
});
