import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { checkPlan } from '../../../src/plan/document/check-plan.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { owns } from '../../../src/plan/match/name-rules.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { onlyStrengthening } from '../../../src/plan/strengthen/only-strengthening.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { CAUSE } from '../build.ts';
import type { World } from '../world.ts';
import { carryOut, planned, read } from '../world.ts';

const ENTRY = { kind: 'entrypoint', phase: 'http_request_firewall_custom' } as const;
const KEY = addressKey(ENTRY);

function wanted(rulesets: readonly DesiredRuleset[]): DesiredScope {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
  };
}

/** The whole plan, and the part of it that only strengthens. */
function plans(world: World, desired: DesiredScope) {
  const live = read(
    world,
    desired.rulesets.map(({ address }) => address),
  );
  const plan = planned(planScope(desired, live));
  return { plan, part: planned(onlyStrengthening({ plan, desired, live })) };
}

/** Rulesets and what the files want of them, where some rules or fields may be ignored. */
const cases = fc
  .tuple(
    rulesetCases(7),
    fc.array(
      fc.record(
        {
          rule: fc.constantFrom('ours-*', 'ours-1*', '*2', 'ours-new-*'),
          field: fc.constantFrom('/enabled', '/description', '/action', '/expression'),
          reason: fc.constant('a test'),
          until: fc.constant('2030-12-31'),
          cause: fc.constant(CAUSE),
        },
        { requiredKeys: ['rule', 'reason', 'until', 'cause'] },
      ),
      { maxLength: 2 },
    ),
  )
  .map(([{ live, desired }, ignore]) => ({ live, desired: { ...desired, ignore } }));

const rulesIn = (world: World) => world.get(KEY)?.rules ?? [];

const leftOut = ({ notes }: PlannedScope) => notes.filter(({ kind }) => kind === 'left-out');

/** What the changes newly do to every request. */
const outages = ({ steps }: PlannedScope) =>
  steps.flatMap(({ changes }) => changes.flatMap(({ ends }) => ends?.forth ?? []));

/** What the change from one state to another does to protection, as the planner judges it. */
function kinds(before: World, after: LiveRuleset, desired: DesiredRuleset): readonly string[] {
  const again: DesiredRuleset = {
    ...desired,
    // Rules of others are listed too, so that ours keep their places, wherever the files want them.
    rules: after.rules.map(({ ref, content }) => ({
      ref,
      adopt: false,
      ...(owns(desired.ownership, { ref }) ? {} : { anchor: true as const }),
      content,
      cause: CAUSE,
    })),
  };
  const { steps } = planned(planScope(wanted([again]), read(before, [ENTRY])));
  return steps.flatMap(({ changes }) =>
    changes.map((change) => (change.kind === 'delete' ? 'delete' : change.protection.kind)),
  );
}

describe('the part of a plan that only strengthens', () => {
  it('deletes nothing, weakens nothing, ends no traffic, leaves rules of others, and is a valid plan', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom('auto', 'rules', 'ruleset'), (given, strategy) => {
        const before: World = new Map([[KEY, given.live]]);
        const desired = wanted([given.desired]);
        const { part } = plans(before, desired);
        const after = carryOut(before, part, strategy);
        const changes = part.steps.flatMap((step) => step.changes);
        expect(
          changes.filter(({ kind, protection }) => kind === 'delete' || protection.kind === 'weakening'),
        ).toEqual([]);
        expect(outages(part)).toEqual([]);
        const alive = new Set(rulesIn(after).map(({ id }) => id));
        expect(rulesIn(before).filter(({ id }) => !alive.has(id))).toEqual([]);
        const ruleset = after.get(KEY);
        expect(ruleset === undefined ? [] : kinds(before, ruleset, given.desired)).not.toContain('delete');
        expect(ruleset === undefined ? [] : kinds(before, ruleset, given.desired)).not.toContain('weakening');
        const foreign = (world: World) =>
          rulesIn(world).filter((rule) => !owns(given.desired.ownership, rule));
        expect(foreign(after)).toEqual(foreign(before));
        expect(checkPlan(JSON.parse(JSON.stringify(makePlan('emulator', [part])))).kind).toBe('valid');
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('leaves nothing for a second run, and has a note whenever something is left out', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const before: World = new Map([[KEY, given.live]]);
        const desired = wanted([given.desired]);
        const { part } = plans(before, desired);
        const after = carryOut(before, part, 'auto');
        const second = plans(after, desired);
        expect(second.part.steps).toEqual([]);
        expect(leftOut(part).length > 0).toBe(second.plan.steps.length > 0);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('is the whole plan if all of it strengthens and ends no traffic', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { plan, part } = plans(new Map([[KEY, given.live]]), wanted([given.desired]));
        const all = plan.steps.flatMap(({ changes }) => changes);
        fc.pre(all.every(({ kind, protection }) => kind !== 'delete' && protection.kind !== 'weakening'));
        fc.pre(all.every((change) => change.kind !== 'patch' || change.adopts === undefined));
        fc.pre(outages(plan).length === 0);
        expect(leftOut(part)).toEqual([]);
        expect(part.steps.map(({ changes }) => changes.length)).toEqual(
          plan.steps.map(({ changes }) => changes.length),
        );
      }),
      { numRuns: propertyRuns() },
    );
  });
});
