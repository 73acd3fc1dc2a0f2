import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalContent } from '../../../src/model/normalise.ts';
import type { Step } from '../../../src/model/plan.ts';
import type { LiveRule, RuleContent } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { endAlike, isPartOf } from '../../../src/plan/difference/compare-plans.ts';
import { planRuleset } from '../../../src/plan/plan-ruleset.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import type { Write } from '../../../src/plan/requests/writes.ts';
import { owns, nameRules } from '../../../src/plan/match/name-rules.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { contents, plainly } from '../contents.ts';
import { desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { serve } from '../pure-service.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;

function stepOf(live: LiveRuleset, desired: DesiredRuleset): Step | null {
  const slot = { kind: 'present', ruleset: live } as const;
  return planRuleset({ scope: SCOPE, desired, rules: nameRules(desired.rules), slot }).step;
}

function served(live: LiveRuleset, writes: readonly Write[]): LiveRuleset {
  return writes.reduce((state, write) => serve(state, write) ?? state, live);
}

const done = (live: LiveRuleset, step: Step | null) =>
  served(live, step === null ? [] : writesOf(step, 'ruleset'));

/** Whether the fresh step is the rest of the reviewed one. */
function isRest(
  [on, reviewed]: readonly [LiveRuleset | null, Step | null],
  [now, fresh]: readonly [LiveRuleset, Step | null],
): boolean {
  return (
    reviewed !== null &&
    fresh !== null &&
    isPartOf(fresh, reviewed) &&
    endAlike({ step: reviewed, on }, { step: fresh, on: now })
  );
}

/** Live rules after somebody else changed one of them. */
function drifted(
  rules: readonly LiveRule[],
  { at, said, drift }: { readonly at: number; readonly said: RuleContent; readonly drift: string },
): readonly LiveRule[] {
  const index = at % Math.max(1, rules.length);
  switch (drift) {
    case 'edit':
      return rules.map((rule, place) => (place === index ? { ...rule, content: said } : rule));
    case 'spell':
      return rules.map((rule, place) =>
        place === index
          ? { ...rule, content: { ...rule.content, expression: `(${rule.content.expression})` } }
          : rule,
      );
    case 'add':
      return [
        ...rules.slice(0, index),
        { id: id(0xbeef), ref: 'team-beef', content: said },
        ...rules.slice(index),
      ];
    case 'drop':
      return rules.filter((_rule, place) => place !== index);
    default:
      return rules;
  }
}

describe('the rest of a reviewed step', () => {
  const LIVE = liveRuleset([liveRule(1, { ref: 'theirs' }), liveRule(2, { ref: 'a' })]);
  const ours = (...refs: readonly string[]) =>
    desiredRuleset(
      refs.map((ref) => desiredRule({ ref })),
      { ownership: { kind: 'patterns', patterns: ['a', 'b', 'c'] } },
    );
  const WANTED = ours('a', 'b', 'c');
  const reviewed = [LIVE, stepOf(LIVE, WANTED)] as const;
  const restOn = (now: LiveRuleset, wanted = WANTED) => isRest(reviewed, [now, stepOf(now, wanted)]);
  const withRules = (...rules: LiveRuleset['rules']) => liveRuleset(rules);
  const [THEIRS, A, B] = [
    liveRule(1, { ref: 'theirs' }),
    liveRule(2, { ref: 'a' }),
    liveRule(3, { ref: 'b' }),
  ];

  it('is recognised when some changes of the step are already live', () => {
    expect(restOn(withRules(THEIRS, A, B))).toBe(true);
  });

  it.each([
    ['has changed', withRules(liveRule(1, { ref: 'theirs', action: 'log' }), A, B)],
    ['has gone', withRules(A, B)],
    ['has come', withRules(THEIRS, A, B, liveRule(4, { ref: 'new' }))],
  ])('is recognised when a rule of others that does not matter to it %s', (_what, now) => {
    expect(restOn(now)).toBe(true);
  });

  describe('of which somebody has changed the rule live since', () => {
    const wanted = desiredRuleset([
      desiredRule({ ref: 'a', action: 'managed_challenge', description: 'Shop' }),
    ]);
    const on = withRules(liveRule(2, { ref: 'a' }));
    it.each<[what: string, rule: LiveRule, isRestNow: boolean]>([
      ['to a part of what was reviewed', liveRule(2, { ref: 'a', description: 'Shop' }), true],
      ['in another field', liveRule(2, { ref: 'a', description: 'Shop', expression: 'ssl' }), false],
      [
        'in a field of the review, but to another value',
        liveRule(2, { ref: 'a', description: 'Mine' }),
        false,
      ],
    ])('%s', (_what, rule, isRestNow) => {
      const now = withRules(rule);
      expect(isRest([on, stepOf(on, wanted)], [now, stepOf(now, wanted)])).toBe(isRestNow);
    });
  });

  it.each<[what: string, now: LiveRuleset, wanted?: DesiredRuleset]>([
    ['all of it is left', withRules(THEIRS, A)],
    ['what is live of it is another rule', withRules(THEIRS, A, liveRule(3, { ref: 'b', action: 'log' }))],
    [
      'it would undo what somebody changed meanwhile',
      withRules(THEIRS, liveRule(2, { ref: 'a', action: 'log' }), B),
    ],
    [
      'a rule of others has come meanwhile that decides before what is left',
      withRules(liveRule(4, { ref: 'new', action: 'managed_challenge' }), THEIRS, A, B),
    ],
    ['the files no longer want what is not live', withRules(THEIRS, A), ours('a', 'b')],
    ['what is live of it stands elsewhere', withRules(THEIRS, B, A)],
  ])('is not recognised when %s', (_what, now, wanted) => {
    expect(restOn(now, wanted)).toBe(false);
  });

  it('is not recognised when it would undo a change of somebody else to a rule that the review did not show', () => {
    const now = withRules(THEIRS, liveRule(2, { ref: 'a', action: 'log' }), B, liveRule(4, { ref: 'd' }));
    const four = desiredRuleset(
      ['a', 'b', 'd', 'c', 'e'].map((ref) => desiredRule({ ref })),
      { ownership: { kind: 'patterns', patterns: ['a', 'b', 'c', 'd', 'e'] } },
    );
    const [whole, fresh] = [stepOf(LIVE, four), stepOf(now, four)];
    expect([whole?.changes.length, fresh?.changes.map(({ kind }) => kind)]).toEqual([
      4,
      ['patch', 'add', 'add'],
    ]);
    expect(isRest([LIVE, whole], [now, fresh])).toBe(false);
  });

  it('is recognised when the reviewed step was to create the ruleset', () => {
    const none = planRuleset({
      scope: SCOPE,
      desired: WANTED,
      rules: nameRules(WANTED.rules),
      slot: { kind: 'absent' },
    }).step;
    const now = withRules(A);
    expect(isRest([null, none], [now, stepOf(now, WANTED)])).toBe(true);
  });

  const saying = ({ description, rules }: LiveRuleset) => ({
    description,
    rules: rules.map(({ ref, content }) => ({
      ref,
      ...canonicalContent({ ...content, expression: plainly(content.expression) }),
    })),
  });

  /** Live after some writes of a step, often with a rule that somebody else has edited, respelled, added or deleted since. */
  const somewhere = rulesetCases(6).chain((one) => {
    const whole = stepOf(one.live, one.desired);
    const writes = whole === null ? [] : writesOf(whole, 'rules');
    return fc
      .tuple(
        fc.nat(Math.max(0, writes.length - 1)),
        fc.nat(),
        contents,
        fc.constantFrom('none', 'edit', 'spell', 'add', 'drop'),
      )
      .map(([count, at, said, drift]) => {
        const left = served(one.live, writes.slice(0, count));
        const rules = drifted(left.rules, { at, said, drift });
        return { one, whole, now: { ...left, rules }, isEdited: rules !== left.rules };
      });
  });

  it('leaves our rules as the whole step would, whatever live was when the rest was planned', () => {
    const reached = { rest: 0, edited: 0 };
    fc.assert(
      fc.property(somewhere, ({ one, whole, now, isEdited }) => {
        const fresh = stepOf(now, one.desired);
        fc.pre(fresh !== null && isRest([one.live, whole], [now, fresh]));
        reached[isEdited ? 'edited' : 'rest'] += 1;
        const ours = (ruleset: LiveRuleset) =>
          saying({ ...ruleset, rules: ruleset.rules.filter((rule) => owns(one.desired.ownership, rule)) });
        expect(ours(done(now, fresh))).toEqual(ours(done(one.live, whole)));
      }),
      { numRuns: propertyRuns() },
    );
    expect(reached.rest).toBeGreaterThan(propertyRuns() / 10);
    expect(reached.edited).toBeGreaterThan(propertyRuns() / 10);
  });

  it('is recognised after each of the single writes that add rules, except the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.nat(4), (size, count) => {
        const refs = Array.from({ length: size }, (_, index) => `r${index}`);
        const wanted = desiredRuleset(refs.map((ref) => desiredRule({ ref })));
        const live = liveRuleset([]);
        const whole = stepOf(live, wanted);
        const writes = whole === null ? [] : writesOf(whole, 'rules');
        const now = served(live, writes.slice(0, 1 + (count % (size - 1))));
        expect(isRest([live, whole], [now, stepOf(now, wanted)])).toBe(true);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
