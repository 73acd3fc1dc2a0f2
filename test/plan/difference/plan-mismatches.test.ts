import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { Step, UpdateStep } from '../../../src/model/plan.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { planMismatches } from '../../../src/plan/difference/plan-mismatches.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { desiredRule, desiredRuleset, liveRule, liveRuleset, SHOP } from '../build.ts';
import { planOne } from '../world.ts';

function stepsOf(desired: ReturnType<typeof desiredRuleset>, live: LiveRuleset | null): readonly Step[] {
  return planOne(desired, live).steps;
}

const LIVE = liveRuleset([
  liveRule(1, { ref: 'a', expression: 'http.host eq "a.example"' }),
  liveRule(2, { ref: 'b', expression: 'http.host eq "b.example"' }),
  liveRule(3, { ref: 'c', action: 'skip', expression: 'ssl' }),
  liveRule(4, { ref: 'd', expression: 'http.host eq "d.example"' }),
]);

const rule = (ref: string, action = 'block') =>
  desiredRule({ ref, action, expression: `http.host eq "${ref}.example"` });
const skip = desiredRule({ ref: 'c', action: 'skip', expression: 'ssl' });

/** The only step of a plan made from LIVE, an update. */
function stepTo(...rules: readonly ReturnType<typeof desiredRule>[]): UpdateStep {
  const [step] = stepsOf(desiredRuleset(rules), LIVE);
  if (step?.operation !== 'update') {
    throw new Error('an update');
  }
  return step;
}

function falsified(step: UpdateStep, change: (one: RuleChange) => RuleChange): UpdateStep {
  return { ...step, changes: step.changes.map(change) };
}

describe('planMismatches', () => {
  it('accepts a rule that is recreated under another ref, unless the new one protects less', () => {
    const again = desiredRule({ ref: 'renamed', action: 'block', expression: 'http.host eq "b.example"' });
    const step = stepTo(rule('a'), again, skip, rule('d'));
    expect(step.changes.map(({ kind, protection }) => [kind, protection.kind])).toEqual([
      ['add', 'neutral'],
      ['delete', 'neutral'],
    ]);
    expect(planMismatches(step, LIVE, { scope: SHOP })).toEqual([]);
    const less = falsified(step, (one) =>
      one.kind === 'add' ? { ...one, content: { ...one.content, action: 'log' } } : one,
    );
    expect(planMismatches(less, LIVE, { scope: SHOP })).toEqual([
      'rule b: that it does not weaken (no longer blocks what it matches)',
    ]);
  });

  it('finds nothing in a plan made from the same live rules, also after a round trip through JSON', () => {
    fc.assert(
      fc.property(rulesetCases(8), fc.boolean(), ({ live, desired }, isAbsent) => {
        const slot = isAbsent ? null : live;
        for (const step of stepsOf(desired, slot)) {
          expect(planMismatches(step, slot, { scope: SHOP })).toEqual([]);
          const saved: Step = JSON.parse(JSON.stringify(step));
          expect(planMismatches(saved, slot, { scope: SHOP })).toEqual([]);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('finds a changed rule that the plan says was weaker than it is', () => {
    const step = falsified(stepTo(rule('a', 'log'), rule('b'), skip, rule('d')), (change) =>
      change.kind === 'patch'
        ? {
            ...change,
            before: { ...change.before, action: 'log' },
            fields: [],
            protection: { kind: 'neutral' },
          }
        : change,
    );
    expect(planMismatches(step, LIVE, { scope: SHOP })).toEqual([
      'rule a: /action',
      'rule a: that it does not weaken (goes from block to log)',
    ]);
  });

  it('finds a list of fields that is not what changes', () => {
    const step = falsified(stepTo(rule('a', 'log'), rule('b'), skip, rule('d')), (change) =>
      change.kind === 'patch' ? { ...change, fields: [] } : change,
    );
    expect(planMismatches(step, LIVE, { scope: SHOP })).toEqual(['rule a: which fields change']);
  });

  it('finds a deleted rule that the plan says was switched off', () => {
    const step = falsified(stepTo(rule('a'), skip, rule('d')), (change) =>
      change.kind === 'delete'
        ? { ...change, before: { ...change.before, enabled: false }, protection: { kind: 'neutral' } }
        : change,
    );
    expect(planMismatches(step, LIVE, { scope: SHOP })).toEqual([
      'rule b: /enabled',
      'rule b: that it does not weaken (no longer blocks what it matches)',
    ]);
  });

  it('finds a move behind a skip that the plan calls neutral', () => {
    const honest = stepTo(rule('b'), skip, rule('a'), rule('d'));
    const step = falsified(honest, (change) => ({ ...change, protection: { kind: 'neutral' } }));
    expect(honest.changes.map(({ protection }) => protection.kind)).toContain('weakening');
    expect(planMismatches(step, LIVE, { scope: SHOP })).toEqual([
      expect.stringContaining('that it does not weaken'),
    ]);
  });

  it('finds an order that moves a rule without a change that says so', () => {
    const step = stepTo(rule('a', 'log'), rule('b'), skip, rule('d'));
    const [a, b, c, d] = step.staying;
    const staying = [a, b, d, c].flatMap((id) => id ?? []);
    expect(planMismatches({ ...step, staying }, LIVE, { scope: SHOP })).toEqual(['rule c: its place']);
  });

  it('finds a live rule that the plan leaves out, and a rule of the plan that is not live', () => {
    const step = stepTo(rule('a', 'log'), rule('b'), skip, rule('d'));
    expect(planMismatches({ ...step, staying: step.staying.slice(0, 3) }, LIVE, { scope: SHOP })).toEqual([
      'rule d: that it is not there',
    ]);
    expect(planMismatches(step, { ...LIVE, rules: LIVE.rules.slice(0, 3) }, { scope: SHOP })).toEqual([
      `rule ${LIVE.rules[3]?.id}: that it is there`,
    ]);
  });

  it('finds a wrong description of the live ruleset', () => {
    const step = stepTo(rule('a', 'log'), rule('b'), skip, rule('d'));
    const description = { before: 'not so', after: 'new' };
    expect(planMismatches({ ...step, description }, LIVE, { scope: SHOP })).toEqual(['its description']);
  });

  it('finds a place behind an unnamed rule with another description than live has', () => {
    const live = liveRuleset([liveRule(1, { description: 'Partners may pass' })]);
    const wanted = desiredRuleset([
      desiredRule({ id: live.rules[0]?.id ?? '', description: 'Partners may pass' }),
      desiredRule({ ref: 'new', expression: 'ssl' }),
    ]);
    const steps = stepsOf(wanted, live);
    const told = JSON.stringify(steps).replace('"Partners may pass"', '"Block all"');
    const [step]: readonly Step[] = JSON.parse(told);
    expect(steps.flatMap((one) => planMismatches(one, live, { scope: SHOP }))).toEqual([]);
    expect(step && planMismatches(step, live, { scope: SHOP })).toEqual(['rule new: its place']);
  });

  it('finds a new place that is not behind the rule it names', () => {
    const step = falsified(stepTo(rule('b'), skip, rule('a'), rule('d')), (change) =>
      change.kind === 'move'
        ? { ...change, move: { ...change.move, to: { ...change.move.to, after: 'b' } } }
        : change,
    );
    expect(planMismatches(step, LIVE, { scope: SHOP })).toEqual(['rule a: its place']);
  });

  describe('when live has what looks like a secret', () => {
    const wire = (key: string, host: string) => ({
      action: 'skip',
      expression: `http.request.headers["x-api-key"][0] eq "${key}" and http.host eq "${host}"`,
      action_parameters: { ruleset: 'current' },
    });
    const live = liveRuleset([liveRule(1, { ref: 'a', ...wire('correct horse', 'a.example') })]);
    const [step] = stepsOf(
      desiredRuleset([desiredRule({ ref: 'a', ...wire('other horse', 'b.example') })]),
      live,
    );
    const [hidden, after] = [
      wire('<looks like a secret>', 'a.example').expression,
      wire('<looks like another secret>', 'b.example').expression,
    ];

    it.each<[what: string, before: string, after: string, untrue: readonly string[]]>([
      ['takes what is hidden as it is', hidden, after, []],
      ['takes what files say in clear', hidden, wire('other horse', 'b.example').expression, []],
      ['finds another text beside it', hidden.replace('a.example', 'c.example'), after, ['/expression']],
      [
        'finds hidden what is no secret',
        hidden,
        after.replace('b.example', '<looks like another secret>'),
        ['which fields change'],
      ],
      ['finds all hidden', hidden, '<sensitive>', ['which fields change']],
    ])('%s', (_what, said, becomes, untrue) => {
      if (step?.operation !== 'update') {
        throw new Error('an update');
      }
      const told = falsified(step, (change) =>
        change.kind === 'patch'
          ? {
              ...change,
              before: { ...change.before, expression: said },
              fields: [{ kind: 'changed', path: '/expression', before: said, after: becomes }],
            }
          : change,
      );
      expect(planMismatches(told, live, { scope: SHOP })).toEqual(untrue.map((part) => `rule a: ${part}`));
    });
  });

  describe('when a sensitive value replaces a live text', () => {
    const KEY = `<sensitive:KEY:${'0'.repeat(32)}>`;
    const wire = (host: string, field: string) => ({
      action: 'log_custom_field',
      expression: `http.host eq "${host}"`,
      action_parameters: { cookie_fields: [{ name: 'session' }, { name: field }] },
    });
    const live = liveRuleset([liveRule(1, { ref: 'a', ...wire('a.example', 'old') })]);
    const [step] = stepsOf(desiredRuleset([desiredRule({ ref: 'a', ...wire(KEY, KEY) })]), live);
    const hidden = wire('<sensitive>', '<sensitive>');
    const fields = (...names: readonly string[]) => ({
      action_parameters: { cookie_fields: names.map((name) => ({ name })) },
    });

    it.each<[what: string, said: Partial<RuleContent>, untrue: readonly string[]]>([
      ['takes what is hidden as it is', {}, []],
      [
        'finds the same text around it twice',
        { expression: `${live.rules[0]?.content.expression}<sensitive>"` },
        ['/expression'],
      ],
      ['finds another text before it', { expression: 'ssl eq "<sensitive>"' }, ['/expression']],
      ['finds another text behind it', { expression: 'http.host eq "<sensitive>" or ssl' }, ['/expression']],
      ['finds another item', fields('other', '<sensitive>'), ['/action_parameters/cookie_fields']],
      ['finds an item more', fields('session', '<sensitive>', 'more'), ['/action_parameters/cookie_fields']],
      ['finds an item less', fields('session'), ['/action_parameters/cookie_fields']],
      ['finds another value', { enabled: false }, ['/enabled']],
      ['finds a field that is not there', { logging: { enabled: true } }, ['/logging']],
    ])('%s', (_what, said, untrue) => {
      if (step?.operation !== 'update') {
        throw new Error('an update');
      }
      const told = falsified(step, (change) =>
        change.kind === 'patch' ? { ...change, before: { ...change.before, ...hidden, ...said } } : change,
      );
      expect(planMismatches(told, live, { scope: SHOP })).toEqual(untrue.map((part) => `rule a: ${part}`));
    });
  });
});
