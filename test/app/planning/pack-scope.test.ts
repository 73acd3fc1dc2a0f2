import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packScope } from '../../../src/app/planning/pack-scope.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { factsOf } from '../../../src/plan/document/make-plan.ts';
import { plannedScopes } from '../../plan/planned-scopes.ts';
import { propertyRuns } from '../../property-runs.ts';

const packed = (plan: PlannedScope): PlannedScope => packScope(plan, JSON.stringify(plan));

describe('packScope', () => {
  it('keeps the JSON, steps and facts of several plans that are read in turn, and of their copies', () => {
    fc.assert(
      fc.property(fc.array(plannedScopes, { minLength: 1, maxLength: 3 }), (some) => {
        const light = some.map(packed);
        for (const _turn of [1, 2]) {
          expect(light.map((plan) => JSON.stringify(plan))).toEqual(some.map((plan) => JSON.stringify(plan)));
          expect(light.map(({ steps }) => steps)).toEqual(some.map(({ steps }) => steps));
        }
        expect(light.map((plan) => ({ ...plan }))).toEqual(some);
        expect(light.map((plan) => factsOf(plan))).toEqual(some.map((plan) => factsOf(plan)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('restores each of many plans, both those compressed together and those not yet compressed', () => {
    const many = fc.sample(plannedScopes, { numRuns: 200, seed: 11 }).map((plan, at): PlannedScope => {
      const name = `zone-${at}.example`;
      const notes = [
        { kind: 'respelled' as const, step: name, rule: 'one', message: `ä\n${'–'.repeat(at)}` },
      ];
      return { ...plan, scope: { ...plan.scope, name }, notes };
    });
    const light = many.map(packed);
    const texts = many.map((plan) => JSON.stringify(plan));
    expect(texts.join('').length).toBeGreaterThan(300_000);
    expect(light.map((plan) => JSON.stringify(plan))).toEqual(texts);
    const backwards = light.toReversed().map(({ bases, steps }) => ({ bases, steps }));
    expect(backwards).toEqual(many.toReversed().map(({ bases, steps }) => ({ bases, steps })));
  });

  it('restores plans that are larger than one compressed block, and the plans next to them', () => {
    const [first] = fc.sample(plannedScopes, { numRuns: 1, seed: 3 });
    if (first === undefined) {
      throw new Error('there is a plan');
    }
    const many = [2000, 280_000, 2000, 800_000, 260_000, 2000].map((length): PlannedScope => {
      const message = 'é'.repeat(length / 2);
      return { ...first, notes: [{ kind: 'respelled', step: 'one', rule: 'one', message }] };
    });
    const light = many.map(packed);
    expect(light.map(({ bases, steps }) => ({ bases, steps }))).toEqual(
      many.map(({ bases, steps }) => ({ bases, steps })),
    );
  });

  it('makes new steps when a plan is read again after another one, and keeps the same steps in a copy', () => {
    const [one, two] = fc
      .sample(plannedScopes, { numRuns: 200, seed: 7 })
      .filter((plan) => JSON.stringify(plan).length > 2000)
      .map(packed);
    if (one === undefined || two === undefined) {
      throw new Error('there are large plans among so many');
    }
    const reading = (plan: PlannedScope): unknown => plan.steps[0];
    const before = reading(one);
    expect(reading(two)).not.toBe(before);
    expect(reading(one)).not.toBe(before);
    const copy = { ...one };
    const kept = reading(copy);
    expect(reading(two)).not.toBe(kept);
    expect(kept).toEqual(before);
    expect(reading(copy)).toBe(kept);
  });
});
