import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import { areApart, conditionOf, createProofs } from '../../../src/plan/impact/conditions.ts';
import type { KeptRule } from '../../../src/plan/impact/judge-moves.ts';
import { createMoves } from '../../../src/plan/impact/judge-moves.ts';
import { judgePair } from '../../../src/plan/impact/judge-order.ts';
import { effectDirectionOf } from '../../../src/plan/impact/rule-effects.ts';
import type { SecurityImpact } from '../../../src/plan/impact/security-effect.ts';
import { SAME } from '../../../src/plan/impact/security-effect.ts';
import { SHOP } from '../build.ts';
import { propertyRuns } from '../../property-runs.ts';

const content = fc.record({
  action: fc.constantFrom(
    'block',
    'managed_challenge',
    'js_challenge',
    'log',
    'skip',
    'execute',
    'odd',
    'set_config',
    'set_config',
  ),
  action_parameters: fc.constantFrom({}, { ssl: 'off' }, { ssl: 'strict' }, { bic: true }),
  expression: fc.constantFrom('true', 'ssl', 'http.host eq "a"', 'http.host eq "b"', 'not a condition'),
  description: fc.constant(''),
  enabled: fc.boolean(),
});

const keptRules = fc
  .array(fc.record({ content, before: content, sequence: fc.nat() }), { maxLength: 8 })
  .map((rules): readonly KeptRule[] => {
    const live = [...rules.keys()].sort(
      (a, b) => (rules[a]?.sequence ?? 0) - (rules[b]?.sequence ?? 0) || a - b,
    );
    return rules.map((rule, at) => ({
      ref: `r${at}`,
      live: live.indexOf(at),
      content: rule.content,
      before: rule.before,
    }));
  });

const STAND = { scope: SHOP, phase: 'http_request_firewall_custom' };

/** Compares a moved rule with every other: the first that weakens, else strengthens, and the number of others with the same effect. */
function pairwise(order: readonly KeptRule[], at: number, key: 'content' | 'before'): SecurityImpact {
  const moved = order[at];
  const passed = order.flatMap((other, place) => {
    const wasFirst = moved === undefined || other.live < moved.live;
    const isFirst = place < at;
    const own = moved?.[key];
    const theirs = other[key];
    if (own === undefined || place === at || wasFirst === isFirst || !own.enabled || !theirs.enabled) {
      return [];
    }
    const leads = key === 'content' ? isFirst : wasFirst;
    const [first, second]: readonly [RuleContent, RuleContent] = leads ? [theirs, own] : [own, theirs];
    if (areApart(conditionOf(first.expression), conditionOf(second.expression))) {
      return [];
    }
    const judged = (more: number): SecurityImpact =>
      judgePair({ first, second, other: { ref: other.ref, content: theirs, more }, context: STAND });
    const parameters = theirs.action === 'set_config' ? theirs.action_parameters : {};
    const does = JSON.stringify([leads, theirs.action, effectDirectionOf(theirs, STAND), parameters]);
    return [{ judged, kind: judged(0).kind, does }];
  });
  const first =
    passed.find(({ kind }) => kind === 'weaker') ?? passed.find(({ kind }) => kind === 'stronger');
  return first?.judged(passed.filter(({ does }) => does === first.does).length - 1) ?? SAME;
}

/** A block and a skip that change places, and a log that stays: one of each verdict. */
const CROSSED = (['block', 'skip', 'log'] as const).map((action, at): KeptRule => {
  const says = { action, action_parameters: {}, expression: 'ssl', description: '', enabled: true };
  return { ref: `r${at}`, live: [1, 0, 2][at] ?? at, content: says, before: says };
});

test('createMoves judges moved rules as if each were compared with every other', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(keptRules, (order) => {
      const moves = createMoves(order, STAND, createProofs());
      order.forEach((_, at) => {
        const found = [moves.forth(at), moves.back(at)];
        expect(found).toEqual([pairwise(order, at, 'content'), pairwise(order, at, 'before')]);
        found.forEach(({ kind }) => seen.add(kind));
      });
    }),
    { numRuns: propertyRuns(), examples: [[CROSSED]] },
  );
  expect([...seen].sort()).toEqual(['same', 'stronger', 'weaker']);
});

test('createMoves counts the rules that a rule passes, and names only the first once that costs too much', () => {
  const list = (before: number, behind: number): readonly KeptRule[] =>
    Array.from({ length: before + behind }, (_, at): KeptRule => {
      const says = {
        action: at < before ? 'skip' : 'block',
        action_parameters: {},
        expression: at === before + 1 ? 'http.host eq "a"' : 'http.host eq "b"',
        description: '',
        enabled: true,
      };
      const live = at < before ? behind + at : at - before;
      return { ref: `r${at}`, live, content: says, before: says };
    });
  expect(createMoves(list(1, 100), STAND, createProofs()).forth(0)).toEqual({
    kind: 'weaker',
    isProven: true,
    reason: 'now runs before r1 and 98 more, so that requests that this rule skips may no longer reach these',
  });
  const many = createMoves(list(400, 400), STAND, createProofs());
  expect(many.forth(0)).toMatchObject({ reason: expect.stringContaining('r400 and 398 more') as unknown });
  expect(Array.from({ length: 399 }, (_, at) => many.forth(at + 1)).at(-1)).toEqual({
    kind: 'weaker',
    isProven: true,
    reason: 'now runs before r400, so that requests that this rule skips may no longer reach r400',
  });
});
