import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ignored } from '../../src/model/ignored.ts';
import { canonicalJson } from '../../src/data/json.ts';
import { canonicalContent } from '../../src/model/normalise.ts';
import type { LiveRule, RuleContent } from '../../src/model/rule.ts';
import { isNamed } from '../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../src/model/ruleset.ts';
import { writesOf } from '../../src/plan/requests/writes.ts';
import { planRuleset } from '../../src/plan/plan-ruleset.ts';
import { nameRules } from '../../src/plan/match/name-rules.ts';
import { propertyRuns } from '../property-runs.ts';
import { edits, liveRules } from './arbitraries.ts';
import { CAUSE, desiredRuleset, id, liveRuleset } from './build.ts';
import { plainly } from './contents.ts';
import { serve } from './pure-service.ts';

const MAY_DIFFER = { reason: 'trial', until: '2030-01-01', cause: CAUSE };

/** A live ruleset whose rules are all ours, and a file in which many rules have no `ref`. */
const cases = liveRules(7).chain((live) =>
  fc
    .tuple(
      edits(live, () => true),
      fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
      fc.constantFrom<readonly Ignored[]>(
        [],
        [],
        [{ rule: '*', ...MAY_DIFFER }],
        [{ rule: 'rw-*', ...MAY_DIFFER }],
        [{ rule: '*', field: '/enabled', ...MAY_DIFFER }],
      ),
    )
    .map(([rules, nameless, ignore]) => ({
      live: liveRuleset(live),
      desired: desiredRuleset(
        rules.map((rule, index) => {
          const { ref: _ref, ...rest } = rule;
          return nameless[index] === true ? rest : rule;
        }),
        { ownership: { kind: 'all' }, ignore },
      ),
    })),
);

function planned(live: LiveRuleset, desired: DesiredRuleset) {
  return planRuleset({
    scope: { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) },
    desired,
    rules: nameRules(desired.rules),
    slot: { kind: 'present', ruleset: live },
  });
}

/** The ruleset after an apply; undefined if a rule claims a live one that it cannot have. */
function applied(live: LiveRuleset, desired: DesiredRuleset): LiveRuleset | undefined {
  const { step, problems } = planned(live, desired);
  return problems.length > 0
    ? undefined
    : (step === null ? [] : writesOf(step, 'auto')).reduce<LiveRuleset>((state, write) => {
        const after = serve(state, write);
        if (after === null) {
          throw new Error('gone');
        }
        return after;
      }, live);
}

const saying = (content: RuleContent): string =>
  canonicalJson(canonicalContent({ ...content, expression: plainly(content.expression) }));

const runs = { numRuns: propertyRuns() };

describe('a file with rules without a ref', () => {
  it('leaves nothing to plan after an apply, whatever its ignore entries say', () => {
    fc.assert(
      fc.property(cases, ({ live, desired }) => {
        const after = applied(live, desired);
        fc.pre(after !== undefined);
        expect(planned(after ?? live, desired).step).toBeNull();
      }),
      runs,
    );
  });

  it('never deletes an unnamed live rule while adding one that says the same in any spelling', () => {
    fc.assert(
      fc.property(cases, ({ live, desired }) => {
        const after = applied(live, desired);
        fc.pre(after !== undefined);
        const ids = (rules: readonly LiveRule[]) => new Set(rules.map((rule) => rule.id));
        const [old, now] = [ids(live.rules), ids(after?.rules ?? [])];
        const came = new Set(
          (after?.rules ?? []).filter((rule) => !old.has(rule.id)).map(({ content }) => saying(content)),
        );
        for (const rule of live.rules.filter((one) => !isNamed(one) && !now.has(one.id))) {
          expect(came).not.toContain(saying(rule.content));
        }
      }),
      runs,
    );
  });
});
