import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ignored } from '../../src/model/ignored.ts';
import type { JsonObject } from '../../src/data/json.ts';
import { canonicalJson, textOf } from '../../src/data/json.ts';
import { canonicalContent } from '../../src/model/normalise.ts';
import type { Step } from '../../src/model/plan.ts';
import type { LiveRule, RuleContent } from '../../src/model/rule.ts';
import { isNamed } from '../../src/model/rule.ts';
import { orderAfter, orderBefore } from '../../src/model/rule-order.ts';
import type { DesiredRuleset, LiveRuleset } from '../../src/model/ruleset.ts';
import { deviations, expectAfter } from '../../src/plan/requests/expect-after.ts';
import { nameRules, owns } from '../../src/plan/match/name-rules.ts';
import { isAsWanted, planRuleset, planRules } from '../../src/plan/plan-ruleset.ts';
import { carryOver } from '../../src/plan/compare/carry.ts';
import { planMismatches } from '../../src/plan/difference/plan-mismatches.ts';
import type { WriteStrategy } from '../../src/plan/requests/writes.ts';
import { writesOf } from '../../src/plan/requests/writes.ts';
import { propertyRuns } from '../property-runs.ts';
import { rulesetCases } from './arbitraries.ts';
import { contents, plainly } from './contents.ts';
import { CAUSE, id, SHOP } from './build.ts';
import { serve } from './pure-service.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const STRATEGIES: readonly WriteStrategy[] = ['auto', 'rules', 'ruleset'];

function planOf(live: LiveRuleset, desired: DesiredRuleset) {
  return planRuleset({
    scope: SCOPE,
    desired,
    rules: nameRules(desired.rules),
    slot: { kind: 'present', ruleset: live },
  });
}

function run(live: LiveRuleset, desired: DesiredRuleset, strategy: WriteStrategy): LiveRuleset {
  const { step } = planOf(live, desired);
  return (step === null ? [] : writesOf(step, strategy)).reduce((state, write) => {
    const after = serve(state, write);
    if (after === null) {
      throw new Error('gone');
    }
    return after;
  }, live);
}

/** What a rule means, however its expressions are spelled. */
function meaningOf(content: RuleContent): JsonObject {
  const { ratelimit = {}, expression, ...rest } = content;
  const counted = textOf(ratelimit['counting_expression']);
  return canonicalContent({
    ...rest,
    expression: plainly(expression),
    ...(content.ratelimit === undefined
      ? {}
      : {
          ratelimit: { ...ratelimit, ...(counted === '' ? {} : { counting_expression: plainly(counted) }) },
        }),
  });
}

const runs = { numRuns: propertyRuns() };

describe('a plan of one ruleset', () => {
  it.each(STRATEGIES)(
    'makes our live rules and the description equal to the file, in its order (%s)',
    (strategy) => {
      fc.assert(
        fc.property(rulesetCases(8), ({ live, desired }) => {
          const { rules, description } = run(live, desired, strategy);
          const ours = rules.filter((rule) => owns(desired.ownership, rule));
          expect(description).toBe(desired.description ?? live.description);
          expect(ours.map((rule) => rule.ref)).toEqual(desired.rules.map((rule) => rule.ref));
          ours.forEach(({ content }, index) => {
            const before = live.rules.find(({ id: ruleId }) => ruleId === ours[index]?.id);
            const wanted = desired.rules[index]?.content ?? content;
            expect(meaningOf(content)).toEqual(
              meaningOf(carryOver(wanted, before?.content ?? wanted).content),
            );
          });
        }),
        runs,
      );
    },
  );

  const inPlace = fc.record({
    drawn: rulesetCases(8),
    ignore: fc.constantFrom<readonly Ignored[]>(
      [],
      [{ rule: 'ours-1*', field: '/action', reason: 'trial', until: '2030-01-01', cause: CAUSE }],
      [{ rule: '*', reason: 'trial', until: '2030-01-01', cause: CAUSE }],
    ),
    edit: fc.func(contents),
  });

  type InPlace = typeof inPlace extends fc.Arbitrary<infer Drawn> ? Drawn : never;

  /** Plans of the rules on three live states, and whether `isAsWanted` says of each that there is nothing to plan. */
  function plansOf({ drawn: { live, desired }, ignore, edit }: InPlace) {
    const done = run(live, desired, 'auto').rules;
    const edited = done.map((rule) =>
      owns(desired.ownership, rule) ? { ...rule, content: edit(rule.id) } : rule,
    );
    const rules = nameRules(desired.rules);
    return [live.rules, done, edited].map((state) => ({
      isDone: isAsWanted(rules, state, desired.ownership),
      plan: planRules(rules, state, {
        ...desired,
        ignore,
        context: { scope: SHOP, phase: desired.address.phase },
      }),
    }));
  }

  it('has no changes, notes or problems when live is as wanted', () => {
    fc.assert(
      fc.property(inPlace, (one) => {
        for (const { isDone, plan } of plansOf(one)) {
          const quiet = plan.changes.length + plan.notes.length + plan.problems.length === 0;
          expect(quiet || !isDone).toBe(true);
        }
      }),
      runs,
    );
  });

  it('is tried on many live states that are as wanted and many that are not', () => {
    const seen = fc
      .sample(inPlace, { seed: 1, numRuns: 50 })
      .flatMap((one) => plansOf(one).map(({ isDone }) => isDone));
    expect(seen.filter((isDone) => isDone).length).toBeGreaterThan(10);
    expect(seen.filter((isDone) => !isDone).length).toBeGreaterThan(10);
  });

  it('is tried on many rules that are respelled and many with fields that only live has', () => {
    const notes = fc
      .sample(rulesetCases(8), { seed: 1, numRuns: 200 })
      .map(({ live, desired }) => new Set(planOf(live, desired).notes.map(({ kind }) => kind)));
    for (const kind of ['respelled', 'carried'] as const) {
      expect(notes.filter((kinds) => kinds.has(kind)).length).toBeGreaterThan(10);
    }
  });

  it('has no step when it is made again after its writes', () => {
    fc.assert(
      fc.property(rulesetCases(8), ({ live, desired }) => {
        expect(planOf(run(live, desired, 'auto'), desired).step).toBeNull();
      }),
      runs,
    );
  });

  it('keeps the id of every rule whose ref was live before', () => {
    fc.assert(
      fc.property(rulesetCases(8), ({ live, desired }) => {
        const before = new Map(live.rules.map((rule) => [rule.ref, rule.id]));
        for (const rule of run(live, desired, 'auto').rules) {
          expect(rule.id).toBe(before.get(rule.ref) ?? rule.id);
        }
      }),
      runs,
    );
  });

  it('never deletes an unnamed live rule while adding one with the same canonical content', () => {
    fc.assert(
      fc.property(rulesetCases(8), ({ live, desired }) => {
        const after = run(live, desired, 'auto').rules;
        const textOf = (rule: LiveRule) => canonicalJson(canonicalContent(rule.content));
        const old = new Set(live.rules.map((rule) => rule.id));
        const now = new Set(after.map((rule) => rule.id));
        const came = new Set(after.filter((rule) => !old.has(rule.id)).map(textOf));
        for (const rule of live.rules.filter((one) => !isNamed(one) && !now.has(one.id))) {
          expect(came).not.toContain(textOf(rule));
        }
      }),
      runs,
    );
  });

  it.each(STRATEGIES)('leaves rules of others unchanged and in their order (%s)', (strategy) => {
    fc.assert(
      fc.property(rulesetCases(8), ({ live, desired }) => {
        const foreign = (ruleset: LiveRuleset) =>
          ruleset.rules.filter((rule) => !owns(desired.ownership, rule));
        expect(foreign(run(live, desired, strategy))).toEqual(foreign(live));
      }),
      runs,
    );
  });

  it('leads to the same state with every write strategy', () => {
    fc.assert(
      fc.property(rulesetCases(8), ({ live, desired }) => {
        const [first, ...others] = STRATEGIES.map((strategy) =>
          run(live, desired, strategy).rules.map((rule) => [rule.ref, canonicalContent(rule.content)]),
        );
        expect(others).toEqual([first, first]);
      }),
      runs,
    );
  });

  it.each(STRATEGIES)(
    'tells the order that its writes start from, and the order and places that they lead to (%s)',
    (strategy) => {
      fc.assert(
        fc.property(rulesetCases(8), ({ live, desired }) => {
          const { step } = planOf(live, desired);
          fc.pre(step !== null);
          const saved: Step = JSON.parse(JSON.stringify(step));
          expect(orderBefore(saved)).toEqual(live.rules.map((rule) => rule.id));
          const { rules } = run(live, desired, strategy);
          const living = new Set(orderBefore(saved));
          expect(orderAfter(saved)).toEqual(
            rules.map(({ id: ruleId, ref }) =>
              living.has(ruleId) ? { kind: 'live', id: ruleId } : { kind: 'new', ref },
            ),
          );
          for (const change of saved.changes.filter(({ kind }) => kind !== 'delete')) {
            const place = change.kind === 'move' ? change.move.to : change.place;
            expect(rules[place.index - 1]?.ref).toBe(change.ref);
            expect(rules[place.index - 2]?.ref ?? null).toBe(place.after);
          }
          expect(planMismatches(saved, live, { scope: SHOP })).toEqual([]);
        }),
        runs,
      );
    },
  );

  it('has the fewest changes: one for each rule added, changed, deleted, or moved without another change', () => {
    fc.assert(
      fc.property(rulesetCases(7), ({ live, desired }) => {
        const { step } = planOf(live, desired);
        expect(step?.changes.length ?? 0).toBe(fewestOperations(live, desired));
      }),
      runs,
    );
  });

  it('predicts exactly what the service holds after each write', () => {
    fc.assert(
      fc.property(rulesetCases(8), fc.constantFrom(...STRATEGIES), ({ live, desired }, strategy) => {
        const { step } = planOf(live, desired);
        let state = live;
        for (const write of step === null ? [] : writesOf(step, strategy)) {
          const expected = expectAfter(state, write);
          const after = serve(state, write);
          if (expected === null || after === null) {
            throw new Error('gone');
          }
          expect(deviations(expected, after)).toEqual([]);
          expect(deviations(expected, { ...after, rules: after.rules.slice(1) }).length).toBe(
            after.rules.length > 0 ? 1 : 0,
          );
          state = after;
        }
      }),
      runs,
    );
  });
});

/** Tries every set of rules that can stay in place. Every rule here has a `ref`: it matches a live one, or names an unnamed live rule. */
function fewestOperations(live: LiveRuleset, desired: DesiredRuleset): number {
  const position = new Map(live.rules.map((rule, index) => [rule.ref, index]));
  const wanted = new Set(desired.rules.map((rule) => rule.ref));
  const gone = live.rules.filter((rule) => owns(desired.ownership, rule) && !wanted.has(rule.ref));
  const named = new Set<LiveRule>();
  for (const { ref = '', content } of desired.rules.filter((rule) => !position.has(rule.ref ?? ''))) {
    const found = gone.find(
      (rule) => !named.has(rule) && !isNamed(rule) && saysTheSame(content, rule.content),
    );
    if (found !== undefined) {
      named.add(found);
      position.set(ref, live.rules.indexOf(found));
    }
  }
  const matched = desired.rules.filter((rule) => position.has(rule.ref ?? ''));
  const added = desired.rules.length - matched.length;
  const deleted = gone.length - named.size;
  const list = matched.map((rule) => {
    const at = position.get(rule.ref ?? '') ?? -1;
    const same = live.rules[at]?.ref === rule.ref && saysTheSame(rule.content, live.rules[at]?.content);
    return { at, same };
  });
  const patched = list.filter((rule) => !rule.same).length;
  const others = live.rules.flatMap((rule, at) => (owns(desired.ownership, rule) ? [] : [at]));
  const fits = (at: number): boolean =>
    desired.place === 'any' || others.every((other) => (desired.place === 'first' ? at < other : at > other));
  let moves = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < 1 << list.length; mask += 1) {
    const staying = list.filter((_rule, index) => (mask >> index) & 1);
    if (staying.every(({ at }, index) => fits(at) && (index === 0 || at > (staying[index - 1]?.at ?? -1)))) {
      moves = Math.min(moves, list.filter((rule) => rule.same && !staying.includes(rule)).length);
    }
  }
  return added + deleted + patched + moves;
}

/** Whether a live rule says what is wanted, and otherwise only what no file could say. */
function saysTheSame(wanted: RuleContent, live: RuleContent | undefined): boolean {
  return (
    live !== undefined &&
    canonicalJson(meaningOf(carryOver(wanted, live).content)) === canonicalJson(meaningOf(live))
  );
}
