import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveDifference } from '../../../src/model/drift.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { differenceFromStep, liveDifference } from '../../../src/plan/difference/live-difference.ts';
import { propertyRuns } from '../../property-runs.ts';
import { liveRules, rulesetCases } from '../arbitraries.ts';
import { id, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

/** What somebody else may make of a ruleset: rules dropped, reordered, renamed, edited and added. */
function edited(live: LiveRuleset): fc.Arbitrary<LiveRuleset> {
  return fc.tuple(fc.shuffledSubarray([...live.rules]), liveRules(4)).map(([kept, others]) => {
    const renamed = kept.map((rule, index) => (index % 2 === 0 ? { ...rule, ref: `${rule.ref}-new` } : rule));
    const rules = new Map([...renamed, ...others].map((rule) => [rule.id, rule]));
    return { ...live, version: '2', rules: [...rules.values()] };
  });
}

interface Case {
  readonly live: LiveRuleset;
  readonly desired: DesiredRuleset;
  readonly after: LiveRuleset;
}

function byId<R extends { readonly id: string }>(rules: readonly R[]): readonly R[] {
  return rules.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

describe('liveDifference', () => {
  const [a, b, c] = [liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' }), liveRule(3, { ref: 'c' })];
  const before = liveRuleset([a, b, c], { description: 'ours' });

  it('lists rules that were added, removed, changed and moved', () => {
    const logs = liveRule(2, { ref: 'b', action: 'log' });
    const after = liveRuleset([c, logs, liveRule(4, { ref: 'd' })], { version: '3', description: 'ours' });
    expect(liveDifference(before, after)).toEqual({
      from: '1',
      to: '3',
      added: [{ id: id(4), ref: 'd' }],
      removed: [{ id: id(1), ref: 'a' }],
      changed: [
        {
          id: id(2),
          ref: 'b',
          fields: [{ kind: 'changed', path: '/action', before: 'block', after: 'log' }],
        },
      ],
      moved: [{ id: id(2), ref: 'b' }],
      complete: true,
    });
  });

  it('reports a changed description, but not when the ruleset itself came or went', () => {
    const described = { before: 'ours', after: 'theirs' };
    expect(liveDifference(before, { ...before, description: 'theirs' }).description).toEqual(described);
    expect(liveDifference(before, before)).not.toHaveProperty('description');
    expect(liveDifference(before, null)).not.toHaveProperty('description');
    expect(liveDifference(null, before)).not.toHaveProperty('description');
  });
});

it('liveDifference also gives the description of an unnamed rule', () => {
  const emergency = liveRule(4, { ref: id(4), description: 'on-call emergency' });
  const { added } = liveDifference(liveRuleset([]), liveRuleset([emergency]));
  expect(added).toEqual([{ id: id(4), ref: id(4), description: 'on-call emergency' }]);
});

describe('differenceFromStep', () => {
  const cases = rulesetCases(8).chain(({ live, desired }) =>
    fc.record({ live: fc.constant(live), desired: fc.constant(desired), after: edited(live) }),
  );

  /** What `differenceFromStep` says of each step of a plan, and what `liveDifference` would say of it. */
  function saidAndWhole({ live, desired, after }: Case): readonly Record<'said' | 'whole', LiveDifference>[] {
    const whole = liveDifference(live, after);
    return planOne(desired, live).steps.map((step) => {
      const touched = new Set(
        step.changes.flatMap((change) =>
          change.kind === 'patch' || change.kind === 'delete' ? [change.id] : [],
        ),
      );
      // A step has the refs of the rules that it changes; of all others it has only the ids.
      const named = new Set(step.changes.flatMap((change) => (change.kind === 'add' ? [] : [change.id])));
      const said = differenceFromStep(step, after);
      return {
        said: { ...said, removed: byId(said.removed), changed: byId(said.changed) },
        whole: {
          from: '1',
          to: '2',
          added: whole.added,
          removed: byId(
            whole.removed.map(({ id: rule, ref }) => ({ id: rule, ref: named.has(rule) ? ref : rule })),
          ),
          changed: byId(whole.changed.filter((rule) => touched.has(rule.id))),
          moved: [],
          complete: false,
        },
      };
    });
  }

  it('reports the rules that a step changes as liveDifference does, and all others by their ids', () => {
    fc.assert(
      fc.property(cases, (one) => {
        for (const { said, whole } of saidAndWhole(one)) {
          expect(said).toEqual(whole);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('is tried on changed rules, some of them renamed', () => {
    const steps = fc.sample(cases, { seed: 1, numRuns: 100 }).flatMap((one) => saidAndWhole(one));
    const changed = steps.flatMap(({ said }) => said.changed);
    const renamed = changed.filter(({ fields }) => fields.some(({ path }) => path === '/ref'));
    expect(renamed.length).toBeGreaterThan(0);
    expect(changed.length).toBeGreaterThan(renamed.length);
  });
});
