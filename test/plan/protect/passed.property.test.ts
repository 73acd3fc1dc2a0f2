import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { RuleContent } from '../../../src/model/rule.ts';
import { areApart, conditionOf } from '../../../src/plan/protect/conditions.ts';
import type { Standing } from '../../../src/plan/protect/passed.ts';
import { createMoves } from '../../../src/plan/protect/passed.ts';
import { judgePair } from '../../../src/plan/protect/pair.ts';
import type { Verdict } from '../../../src/plan/protect/verdict.ts';
import { SAME } from '../../../src/plan/protect/verdict.ts';
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

const standings = fc
  .array(fc.record({ content, before: content, sequence: fc.nat() }), { maxLength: 8 })
  .map((rules): readonly Standing[] => {
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

/** Every rule against the moved one. */
function pairwise(order: readonly Standing[], at: number, key: 'content' | 'before'): Verdict {
  const moved = order[at];
  return heaviest(
    order.map((other, place): Verdict => {
      const wasFirst = moved === undefined || other.live < moved.live;
      const isFirst = place < at;
      const own = moved?.[key];
      const theirs = other[key];
      if (own === undefined || place === at || wasFirst === isFirst || !own.enabled || !theirs.enabled) {
        return { kind: 'same' };
      }
      const otherLeads = key === 'content' ? isFirst : wasFirst;
      const [first, second]: readonly [RuleContent, RuleContent] = otherLeads ? [theirs, own] : [own, theirs];
      return areApart(conditionOf(first.expression), conditionOf(second.expression))
        ? { kind: 'same' }
        : judgePair({ first, second, other: { ref: other.ref, content: theirs }, stand: STAND });
    }),
  );
}

/** The first that weakens, else the first that strengthens: one rule on the other side is enough to say so. */
function heaviest(verdicts: readonly Verdict[]): Verdict {
  const first = (kind: Verdict['kind']) => verdicts.find((verdict) => verdict.kind === kind);
  return first('weaker') ?? first('stronger') ?? SAME;
}

/** A block and a skip that change places, and a log that stays: one of each verdict. */
const CROSSED = (['block', 'skip', 'log'] as const).map((action, at): Standing => {
  const says = { action, action_parameters: {}, expression: 'ssl', description: '', enabled: true };
  return { ref: `r${at}`, live: [1, 0, 2][at] ?? at, content: says, before: says };
});

test('moved rules are judged as if each were compared with every other', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(standings, (order) => {
      const moves = createMoves(order, STAND);
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
