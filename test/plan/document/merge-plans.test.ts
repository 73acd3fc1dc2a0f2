import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import type { Safety } from '../../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { checkPlan } from '../../../src/plan/document/check-plan.ts';
import { guardRun, guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { makePlan, isInShard, planOfShard } from '../../../src/plan/document/make-plan.ts';
import type { MergedPlans } from '../../../src/plan/document/merge-plans.ts';
import { mergePlans } from '../../../src/plan/document/merge-plans.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { CAUSE, id } from '../build.ts';

const TODAY = '2026-06-01';
/** Limits so low that the guard of the whole run refuses where those of single scopes do not. */
const SAFETY: Safety = { ...DEFAULT_SAFETY, maxDeleted: { kind: 'count', count: 2 }, maxScopes: 2 };

interface Zone {
  readonly desired: DesiredScope;
  readonly live: Parameters<typeof planScope>[1];
}

const zones: fc.Arbitrary<readonly Zone[]> = fc.array(rulesetCases(4), { maxLength: 7 }).map((cases) =>
  cases.map(({ desired, live }, at): Zone => {
    const name = `zone-${at}.example`;
    return {
      desired: {
        scope: { kind: 'zone', name },
        rulesetOwnership: 'declared',
        rulesets: [desired],
        cause: CAUSE,
      },
      live: {
        scope: { kind: 'zone', id: id(at + 1), name, accountId: id(99) },
        entries: [{ address: desired.address, slot: { kind: 'present', ruleset: live } }],
        catalogue: [],
      },
    };
  }),
);

/** The plan that one run makes of these zones. */
function planOf(some: readonly Zone[]): Plan {
  const scopes = some
    .map(({ desired, live }) => planScope(desired, live))
    .map((plan) => (plan.kind === 'planned' ? guardScope(plan, SAFETY, TODAY) : plan));
  return makePlan('emulator', scopes, guardRun(scopes, SAFETY, TODAY));
}

/** The plans of all shards of a run, each with the name of its file. */
function shardsOf(all: readonly Zone[], count: number, version = '1.2.3') {
  const whole = all.map(({ desired }) => desired);
  return Array.from({ length: count }, (_, at) => {
    const shard = { index: at + 1, count, version };
    const own = all.filter(({ desired }) => isInShard(desired.scope, shard));
    return { file: `${at + 1}.json`, plan: planOfShard(planOf(own), { shard, whole, safety: SAFETY }) };
  });
}

const merge = (plans: ReturnType<typeof shardsOf>, partial = false): MergedPlans =>
  mergePlans(plans, { partial, today: TODAY });

const [SOME] = fc.sample(
  zones.filter((all) => all.length === 7),
  { numRuns: 1, seed: 7 },
);
const ZONES = SOME ?? [];

function problemsOf(merged: MergedPlans): string {
  return merged.kind === 'refused' ? merged.problems.join('\n') : 'merged';
}

describe('mergePlans', () => {
  it('makes the plan of the whole run from its shards, in any order', () => {
    fc.assert(
      fc.property(
        zones.chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: 6 }))),
        fc.infiniteStream(fc.nat()),
        ([all, count], random) => {
          const shards = shardsOf(all, count)
            .map((shard) => ({ shard, key: random.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ shard }) => shard);
          expect(merge(shards)).toEqual({ kind: 'merged', plan: planOf(all), missing: [] });
        },
      ),
      { numRuns: propertyRuns() },
    );
  });

  it('refuses shards in which two scopes have the same name', () => {
    const [zone] = ZONES;
    const twin = zone && { ...zone, live: { ...zone.live, scope: { ...zone.live.scope, id: id(77) } } };
    const shards = (twin === undefined ? [] : shardsOf([...ZONES, twin], 1)).slice(0, 1);
    expect(problemsOf(merge(shards))).toBe(
      'two scopes are called zone:zone-0.example: name these zones in the files as NAME@ACCOUNT_ID, not by their ids',
    );
  });

  it('is given shards that checkPlan accepts after a round trip through JSON', () => {
    const kinds = shardsOf(ZONES, 3).map(({ plan }) => checkPlan(JSON.parse(JSON.stringify(plan))).kind);
    expect(kinds).toEqual(['valid', 'valid', 'valid']);
  });

  it('refuses missing shards by number, or merges without them if that is allowed', () => {
    const [, second] = shardsOf(ZONES, 3);
    const some = second === undefined ? [] : [second];
    expect(problemsOf(merge(some))).toBe('the shards 1/3, 3/3 are missing');
    const merged = merge(some, true);
    expect(merged).toMatchObject({
      kind: 'merged',
      missing: [1, 3],
      plan: {
        findings: expect.arrayContaining([
          {
            kind: 'incomplete',
            effect: 'refuse',
            message: expect.stringMatching(/^the shards 1\/3, 3\/3 are missing: \d+ of the \d+ scopes/),
          },
        ]),
      },
    });
  });

  it('refuses the same shard twice', () => {
    const shards = shardsOf(ZONES, 2);
    expect(
      problemsOf(merge([...shards, ...shards.slice(0, 1).map((one) => ({ ...one, file: 'again.json' }))])),
    ).toBe('again.json and 1.json are both shard 1 of 2');
  });

  it.each([
    [
      'other files',
      shardsOf(ZONES.slice(1), 2),
      'were made from other files, settings or selections of scopes',
    ],
    ['another version', shardsOf(ZONES, 2, '2.0.0'), 'were made by different versions of rulewright'],
    ['another number of shards', shardsOf(ZONES, 3), 'are of runs with another number of shards'],
  ])('refuses shards of %s', (_name, others, problem) => {
    const mixed = [...shardsOf(ZONES, 2).slice(0, 1), ...others.slice(1, 2)];
    expect(problemsOf(merge(mixed))).toBe(`2.json and 1.json ${problem}`);
  });

  it('refuses shards of another service, and plans that are no shards', () => {
    const mixed = shardsOf(ZONES, 2).map((one, at) =>
      at === 0 ? one : { ...one, plan: { ...one.plan, baseUrl: 'https://other.example' } },
    );
    expect(problemsOf(merge(mixed))).toBe('2.json and 1.json were planned for different services');
    expect(problemsOf(merge([{ file: 'plan.json', plan: planOf(ZONES) }]))).toBe(
      'plan.json is not a shard: it was made without --shard',
    );
  });

  it('refuses shards that claim the same places of the run', () => {
    const forged = shardsOf(ZONES, 2).map(({ file, plan }) => ({
      file,
      plan: {
        ...plan,
        ...(plan.shard === undefined
          ? {}
          : { shard: { ...plan.shard, places: plan.shard.places.map(() => 0) } }),
      },
    }));
    expect(problemsOf(merge(forged))).toContain('place 0 of the run is taken');
  });
});
