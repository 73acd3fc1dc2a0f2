import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalContent } from '../../src/model/normalise.ts';
import type { DesiredRule } from '../../src/model/rule.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import { nameRules } from '../../src/plan/match/name-rules.ts';
import { planRuleset } from '../../src/plan/plan-ruleset.ts';
import type { WriteStrategy } from '../../src/plan/requests/writes.ts';
import { writesOf } from '../../src/plan/requests/writes.ts';
import { propertyRuns } from '../property-runs.ts';
import { CAUSE, content, desiredRuleset, liveRuleset } from './build.ts';
import { serve } from './pure-service.ts';
import { SCOPE } from './world.ts';

/** Edits that people make to a list of rules, one after the other. */
const acts = fc.oneof(
  fc.record({ act: fc.constantFrom('add', 'append'), number: fc.nat({ max: 30 }) }),
  fc.record({ act: fc.constantFrom('modify', 'remove'), number: fc.nat({ max: 30 }) }),
  fc.record({ act: fc.constantFrom('reverse', 'truncate'), number: fc.constant(0) }),
);

interface Line {
  readonly key: number;
  readonly expression: string;
}

function edited(list: readonly Line[], { act, number }: { act: string; number: number }): readonly Line[] {
  const at = list.length === 0 ? 0 : number % list.length;
  const key = Math.max(-1, ...list.map((one) => one.key)) + 1;
  const fresh = { key, expression: `http.host eq "n${key}.example"` };
  switch (act) {
    case 'add':
      return [...list.slice(0, at), fresh, ...list.slice(at)];
    case 'append':
      return [...list, fresh];
    case 'modify':
      return list.map((one, index) =>
        index === at
          ? { ...one, expression: `${one.expression} and http.host ne "m${one.expression.length}.example"` }
          : one,
      );
    case 'remove':
      return list.filter((_, index) => index !== at);
    case 'reverse':
      return [...list].reverse();
    default:
      return list.slice(0, Math.floor(list.length / 2));
  }
}

const rule = ({ key, expression }: Line, named: boolean): DesiredRule => ({
  ...(named ? { ref: `rule-${key}` } : {}),
  adopt: false,
  content: content({ expression }),
  cause: CAUSE,
});

describe.each([true, false])('a sequence of edits (refs: %s)', (named) => {
  it.each(['auto', 'rules', 'ruleset'] satisfies WriteStrategy[])(
    'keeps the ids of the rules that stay, and leaves nothing to plan after each edit (%s)',
    (strategy) => {
      fc.assert(
        fc.property(fc.array(acts, { minLength: 1, maxLength: 12 }), (sequence) => {
          let live: LiveRuleset = liveRuleset([]);
          let list: readonly Line[] = [];
          let ids = new Map<string, string>();
          for (const act of sequence) {
            const before = list;
            list = edited(list, act);
            const desired = desiredRuleset(list.map((line) => rule(line, named)));
            const plan = () =>
              planRuleset({
                scope: SCOPE,
                desired,
                rules: nameRules(desired.rules),
                slot: { kind: 'present', ruleset: live },
              });
            const { step } = plan();
            for (const write of step === null ? [] : writesOf(step, strategy)) {
              live = serve(live, write) ?? live;
            }
            expect(live.rules.map((one) => canonicalContent(one.content))).toEqual(
              desired.rules.map((one) => canonicalContent(one.content)),
            );
            // A rule with a ref is known by it whatever the rule says; one without is known by its expression.
            const keyOf = (line: Line): string => (named ? `${line.key}` : line.expression);
            const now = new Map(list.map((line, index) => [keyOf(line), live.rules[index]?.id ?? '']));
            for (const line of before) {
              const was = ids.get(keyOf(line));
              expect(now.get(keyOf(line)) ?? was).toBe(was);
            }
            ids = now;
            expect(plan().step).toBeNull();
          }
        }),
        { numRuns: propertyRuns() },
      );
    },
  );
});
