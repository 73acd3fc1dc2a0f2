import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalContent } from '../../../src/model/normalise.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { checkPlan } from '../../../src/plan/document/check-plan.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { reverseAddresses, reverseScope } from '../../../src/plan/reverse/reverse-scope.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { propertyRuns } from '../../property-runs.ts';
import { liveRules, rulesetCases } from '../arbitraries.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import type { World } from '../world.ts';
import { carryOut, planned, read } from '../world.ts';

const ENTRY = { kind: 'entrypoint', phase: 'http_request_firewall_custom' } as const;
const MANAGED = { kind: 'entrypoint', phase: 'http_request_firewall_managed' } as const;
const LOGIN = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login protection' } as const;
const PLACE = 'zone:shop.example/http_request_firewall_custom';

const world = (...rulesets: readonly (readonly [Parameters<typeof addressKey>[0], LiveRuleset])[]): World =>
  new Map(rulesets.map(([address, ruleset]) => [addressKey(address), ruleset]));

function plan(before: World, wanted: readonly DesiredRuleset[]): PlannedScope {
  const addresses = wanted.map(({ address }) => address);
  return planned(
    planScope(
      {
        scope: { kind: 'zone', name: 'shop.example' },
        rulesetOwnership: 'declared',
        rulesets: wanted,
        cause: CAUSE,
      },
      read(before, addresses),
    ),
  );
}

const reverse = (forward: PlannedScope, live: World) =>
  reverseScope({ plan: forward, live: read(live, reverseAddresses(forward)), cause: CAUSE });

/** The content of a world, without ids and versions, which nobody can restore. */
function saying(rulesets: World) {
  return [...rulesets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { description, rules }]) => ({
      key,
      description,
      rules: rules.map((rule) => [rule.ref, canonicalContent(rule.content)]),
    }));
}

describe('the reverse of a plan', () => {
  it.each(['auto', 'rules', 'ruleset'] satisfies WriteStrategy[])(
    'restores what was live, with the ids of surviving rules (%s)',
    (strategy) => {
      fc.assert(
        fc.property(rulesetCases(7), fc.boolean(), ({ live, desired }, described) => {
          const before = world([ENTRY, live]);
          const forward = plan(before, [described ? { ...desired, description: 'ours' } : desired]);
          const after = carryOut(before, forward, strategy);
          const back = planned(reverse(forward, after));
          const restored = carryOut(after, back, strategy);
          expect(saying(restored)).toEqual(saying(before));
          const survivors = new Set(after.get(addressKey(ENTRY))?.rules.map((rule) => rule.id));
          const ids = (one: World) => one.get(addressKey(ENTRY))?.rules.map((rule) => rule.id) ?? [];
          expect(ids(restored).filter((one) => survivors.has(one))).toEqual(
            ids(before).filter((one) => survivors.has(one)),
          );
        }),
        { numRuns: propertyRuns() },
      );
    },
  );

  it('is a valid plan, and empty if nothing was carried out', () => {
    fc.assert(
      fc.property(rulesetCases(6), ({ live, desired }) => {
        const before = world([ENTRY, live]);
        const forward = plan(before, [desired]);
        const back = planned(reverse(forward, carryOut(before, forward, 'auto')));
        expect(checkPlan(JSON.parse(JSON.stringify(makePlan('emulator', [back])))).kind).toBe('valid');
        expect(planned(reverse(forward, before)).steps).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('fails once somebody has changed what the plan left', () => {
    const cases = fc.tuple(liveRules(5), fc.nat(), fc.constantFrom('content', 'order', 'removed', 'added'));
    fc.assert(
      fc.property(cases, ([rules, pick, act]) => {
        fc.pre(rules.length > 1);
        const before = world([ENTRY, liveRuleset([])]);
        const wanted = rules.map(({ ref, content }) => ({ ref, adopt: false, content, cause: CAUSE }));
        const forward = plan(before, [desiredRuleset(wanted)]);
        const after = carryOut(before, forward, 'auto');
        const ruleset = after.get(addressKey(ENTRY));
        const at = pick % rules.length;
        const list = ruleset?.rules ?? [];
        const others = list.filter((_, index) => index !== at);
        const changed = {
          content: list.map((rule, index) =>
            index === at ? { ...rule, content: { ...rule.content, description: 'theirs' } } : rule,
          ),
          order: [...others, ...list.filter((_, index) => index === at)],
          removed: others,
          added: [...list, liveRule(0x777, { ref: 'theirs' })],
        }[act];
        fc.pre(act !== 'order' || at !== rules.length - 1);
        const moved = world([ENTRY, { ...liveRuleset([]), ...ruleset, rules: changed, version: '3' }]);
        expect(reverse(forward, moved)).toMatchObject({
          kind: 'failed',
          error: { code: 'plan/moved-since' },
        });
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('accepts a rule that the service respelled as what the plan left', () => {
    const forward = plan(new Map(), [
      desiredRuleset([desiredRule({ ref: 'a', expression: 'ssl and http.host eq "a"' })]),
    ]);
    const after = carryOut(new Map(), forward, 'auto');
    const left = after.get(addressKey(ENTRY)) ?? liveRuleset([]);
    const respelled = left.rules.map((rule) => ({
      ...rule,
      content: { ...rule.content, expression: '(http.host eq "a" and ssl)' },
    }));
    const live = world([ENTRY, { ...left, rules: respelled }]);
    expect(planned(reverse(forward, live)).steps).toMatchObject([{ operation: 'delete' }]);
  });

  it('deletes an entry point that the plan created, and notes on what condition', () => {
    const forward = plan(new Map(), [desiredRuleset([desiredRule({ ref: 'a' })])]);
    const after = carryOut(new Map(), forward, 'auto');
    const back = planned(reverse(forward, after));
    expect(back.steps).toMatchObject([{ operation: 'delete', target: { level: 'zone' } }]);
    expect(back.notes).toMatchObject([
      {
        kind: 'reversed',
        message: 'was created by the plan, and is deleted only while its content is still what the plan left',
      },
    ]);
    expect(carryOut(after, back, 'auto').size).toBe(0);
  });

  it('restores a deleted rule with its ref, and notes that its id is lost', () => {
    const before = world([ENTRY, liveRuleset([liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' })])]);
    const forward = plan(before, [desiredRuleset([desiredRule({ ref: 'b' })])]);
    const back = planned(reverse(forward, carryOut(before, forward, 'auto')));
    expect(back.steps[0]?.changes).toMatchObject([{ kind: 'add', ref: 'a', place: { index: 1 } }]);
    expect(back.notes).toMatchObject([{ kind: 'id-lost', rule: 'a', step: PLACE }]);
    expect(back.notes[0]?.message).toContain(id(1));
  });

  it('is guarded by the rules that the plan was about, not by rules of others beside them', () => {
    const theirs = Array.from({ length: 20 }, (_, index) => liveRule(index + 50, { ref: `x${index}` }));
    const before = world([ENTRY, liveRuleset(theirs)]);
    const ours = ['our-a', 'our-b'].map((ref) => desiredRule({ ref }));
    const forward = plan(before, [desiredRuleset(ours, { ownership: patterns('our-*') })]);
    const back = planned(reverse(forward, carryOut(before, forward, 'auto')));
    expect(guardScope(back, DEFAULT_SAFETY, '2026-06-01').findings).toContainEqual({
      kind: 'emptied',
      effect: 'refuse',
      step: PLACE,
      message: `${PLACE} would lose all our 2 rules`,
    });
  });

  it('restores a deleted ruleset, with its description, before the rules that execute it', () => {
    const login = liveRuleset([liveRule(9, { ref: 'l' })], {
      id: id(0xc),
      kind: 'custom',
      name: LOGIN.name,
      description: 'Ours',
    });
    const run = liveRule(1, {
      ref: 'run',
      action: 'execute',
      expression: 'true',
      action_parameters: { id: id(0xc) },
    });
    const before = world([LOGIN, login], [ENTRY, liveRuleset([run, liveRule(2, { ref: 'b' })])]);
    const forward = plan(before, [
      desiredRuleset([], { address: LOGIN, presence: 'absent' }),
      desiredRuleset([desiredRule({ ref: 'b' })]),
    ]);
    const after = carryOut(before, forward, 'auto');
    const back = planned(reverse(forward, after));
    expect(back.steps.map((step) => [step.operation, step.target.level, step.after])).toEqual([
      ['create', 'custom', []],
      ['update', 'zone', [`${PLACE}/custom:login-protection`]],
    ]);
    const restored = carryOut(after, back, 'auto');
    const made = restored.get(addressKey(LOGIN));
    expect(made?.description).toBe('Ours');
    expect(made?.id).not.toBe(id(0xc));
    expect(restored.get(addressKey(ENTRY))?.rules[0]?.content.action_parameters).toEqual({ id: made?.id });
  });

  it('removes a field that the plan added and this version does not know', () => {
    const before = world([ENTRY, liveRuleset([liveRule(1, { ref: 'a' })])]);
    const newer = desiredRule({ ref: 'a', extra: { colour: 'red' } });
    const forward = plan(before, [desiredRuleset([newer])]);
    const after = carryOut(before, forward, 'auto');
    expect(after.get(addressKey(ENTRY))?.rules[0]?.content.extra).toEqual({ colour: 'red' });
    const restored = carryOut(after, planned(reverse(forward, after)), 'auto');
    expect(saying(restored)).toEqual(saying(before));
  });

  it('makes a skip rule of another ruleset refer to the restored rule', () => {
    const login = liveRuleset([liveRule(9, { ref: 'l' }), liveRule(10, { ref: 'stays' })], {
      id: id(0xc),
      kind: 'custom',
      name: LOGIN.name,
    });
    const skip = liveRule(1, {
      ref: 's',
      action: 'skip',
      expression: 'true',
      action_parameters: { rules: { [id(0xc)]: [id(9), id(10)] } },
    });
    const managed = liveRuleset([skip], { id: id(0xd), phase: MANAGED.phase });
    const before = world([LOGIN, login], [MANAGED, managed]);
    const skipping = { ref: skip.ref, adopt: false, content: skip.content, cause: CAUSE };
    const forward = plan(before, [
      desiredRuleset([desiredRule({ ref: 'stays' })], { address: LOGIN }),
      desiredRuleset([skipping], { address: MANAGED }),
    ]);
    expect(forward.steps).toHaveLength(1);
    const after = carryOut(before, forward, 'auto');
    const back = planned(reverse(forward, after));
    expect(back.steps.map((step) => step.after.length)).toEqual([0, 1]);
    const restored = carryOut(after, back, 'auto');
    const returned = restored.get(addressKey(LOGIN))?.rules.find((rule) => rule.ref === 'l');
    expect(restored.get(addressKey(MANAGED))?.rules[0]?.content.action_parameters).toEqual({
      rules: { [id(0xc)]: [returned?.id, id(10)] },
    });
  });
});
