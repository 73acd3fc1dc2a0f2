import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalContent } from '../../../src/model/normalise.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import { checkPlan } from '../../../src/plan/document/check-plan.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import type { RestoredShare } from '../../../src/plan/reverse/restore-scope.ts';
import { isInShare } from '../../../src/plan/reverse/restore-scope.ts';
import { planRollback } from '../../../src/plan/reverse/plan-rollback.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { propertyRuns } from '../../property-runs.ts';
import { liveRules } from '../arbitraries.ts';
import { contents } from '../contents.ts';
import { id, liveRule, liveRuleset, patterns } from '../build.ts';
import { serve } from '../pure-service.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const SHARE: RestoredShare = { ownership: patterns('ours-*'), place: 'any', ignore: [], description: false };
const runs = { numRuns: propertyRuns() };

interface Case {
  readonly version: LiveRuleset;
  readonly live: LiveRuleset;
  readonly strategy: WriteStrategy;
}

/** How rules change over time: some stay, change, go, get another ref, are added, or move. */
function later(
  rules: readonly LiveRule[],
  mayChange: (rule: LiveRule) => boolean,
): fc.Arbitrary<readonly LiveRule[]> {
  const kept = rules.map((rule) => {
    const ids = Number.parseInt(rule.id, 16);
    return mayChange(rule)
      ? fc.oneof(
          { weight: 4, arbitrary: fc.constant(rule) },
          { weight: 2, arbitrary: contents.map((content) => ({ ...rule, content })) },
          { weight: 1, arbitrary: fc.constant(null) },
          {
            weight: 1,
            arbitrary: fc
              .constantFrom('ours-', 'team-')
              .map((prefix) => ({ ...rule, ref: `${prefix}renamed-${ids}` })),
          },
        )
      : fc.constant(rule);
  });
  return fc.tuple(fc.tuple(...kept), liveRules(3), fc.boolean()).chain(([list, more, shuffled]) => {
    const next = list.filter((rule) => rule !== null);
    const refs = new Set(next.map(({ ref }) => ref));
    // Added rules have ids of their own; some have the ref of a rule that went.
    const came = more
      .filter((rule) => mayChange(rule) && !refs.has(rule.ref))
      .map((rule) => {
        const newId = id(Number.parseInt(rule.id, 16) + 0x500);
        return { ...rule, id: newId, ref: rule.ref === rule.id ? newId : rule.ref };
      });
    const all = [...next, ...came];
    return shuffled ? fc.shuffledSubarray(all, { minLength: all.length }) : fc.constant(all);
  });
}

function cases(mayChange: (rule: LiveRule) => boolean): fc.Arbitrary<Case> {
  return liveRules(7).chain((rules) =>
    fc.record({
      version: fc.constant(liveRuleset(rules, { version: '1' })),
      live: later(rules, mayChange).map((list) => liveRuleset(list, { version: '5' })),
      strategy: fc.constantFrom<WriteStrategy>('auto', 'rules', 'ruleset'),
    }),
  );
}

function planOf({ version, live }: Pick<Case, 'version' | 'live'>, extent: 'share' | 'whole'): PlannedScope {
  const plan = planRollback({ scope: SCOPE, live, version, catalogue: [], share: SHARE, extent });
  if (plan.kind === 'failed') {
    throw new Error(plan.error.message);
  }
  return plan;
}

function carriedOut(given: Case, extent: 'share' | 'whole'): LiveRuleset {
  return planOf(given, extent)
    .steps.flatMap((step) => writesOf(step, given.strategy))
    .reduce((state: LiveRuleset, write) => {
      const after = serve(state, write);
      if (after === null) {
        throw new Error('gone');
      }
      return after;
    }, given.live);
}

const others = (rules: readonly LiveRule[]) => rules.filter((rule) => !isInShare(SHARE, rule));
const said = (rules: readonly LiveRule[]) =>
  rules.map(({ ref, content }) => [ref, canonicalContent(content)]);

describe('a rollback of our share', () => {
  it('never writes, moves, deletes or restores a rule of others', () => {
    fc.assert(
      fc.property(
        cases(() => true),
        (given) => {
          expect(others(carriedOut(given, 'share').rules)).toEqual(others(given.live.rules));
        },
      ),
      runs,
    );
  });

  it('restores the whole version if only our rules have changed', () => {
    const ours = (rule: LiveRule): boolean => isInShare(SHARE, rule);
    const onlyOurs = cases(ours).filter(
      ({ version, live }) => JSON.stringify(others(version.rules)) === JSON.stringify(others(live.rules)),
    );
    fc.assert(
      fc.property(onlyOurs, (given) => {
        expect(said(carriedOut(given, 'share').rules)).toEqual(said(given.version.rules));
        expect(planOf(given, 'share').notes.filter(({ kind }) => kind === 'kept')).toEqual([]);
      }),
      runs,
    );
  });

  it('restores rules that were ours and are not rules of others now, and then has nothing left to do', () => {
    fc.assert(
      fc.property(
        cases(() => true),
        (given) => {
          const live = carriedOut(given, 'share');
          const now = new Map(given.live.rules.map((rule) => [rule.id, rule]));
          const back = given.version.rules.filter(
            (rule) => isInShare(SHARE, rule) && isInShare(SHARE, now.get(rule.id) ?? rule),
          );
          expect(said(live.rules)).toEqual(expect.arrayContaining(said(back)));
          expect(planOf({ version: given.version, live }, 'share').steps).toEqual([]);
        },
      ),
      runs,
    );
  });

  it('names every rule of others that differs from the version', () => {
    fc.assert(
      fc.property(
        cases(() => true),
        (given) => {
          const named = new Set(
            planOf(given, 'share').notes.flatMap((note) => (note.kind === 'kept' ? [note.rule] : [])),
          );
          const differing = others(given.live.rules).filter(
            (rule) =>
              JSON.stringify(rule) !==
              JSON.stringify(given.version.rules.find((former) => former.id === rule.id)),
          );
          expect([...named]).toEqual(expect.arrayContaining(differing.map(({ ref }) => ref)));
        },
      ),
      runs,
    );
  });
});

describe('a rollback of the whole ruleset', () => {
  it('restores the version, and names exactly the rules of others that it touches', () => {
    fc.assert(
      fc.property(
        cases(() => true),
        (given) => {
          const after = carriedOut(given, 'whole');
          expect(said(after.rules)).toEqual(said(given.version.rules));
          const { findings, steps } = planOf(given, 'whole');
          const named = findings.flatMap((finding) => (finding.kind === 'foreign' ? [finding.rule] : []));
          const touched = steps.flatMap(({ changes }) =>
            changes.flatMap((change) => (change.kind === 'add' ? [] : [change.id])),
          );
          for (const rule of others(given.live.rules)) {
            expect(named.includes(rule.ref)).toBe(touched.includes(rule.id));
          }
        },
      ),
      runs,
    );
  });
});

describe('a rollback that cannot be planned', () => {
  it('has its scope in the form that the schema of plans requires', () => {
    const other = {
      ...liveRuleset([], { id: id(7), kind: 'custom', phase: 'http_ratelimit', name: 'Other' }),
    };
    const executes = liveRule(3, { action: 'execute', action_parameters: { id: id(7) } });
    const back = planRollback({
      scope: SCOPE,
      live: liveRuleset([], { version: '5' }),
      version: liveRuleset([executes], { version: '1' }),
      catalogue: [other],
      share: SHARE,
      extent: 'whole',
    });
    expect(back).toMatchObject({ kind: 'failed', scope: { kind: 'zone', name: 'shop.example' } });
    expect(checkPlan(JSON.parse(JSON.stringify(makePlan('emulator', [back]))))).toMatchObject({
      kind: 'valid',
    });
  });
});
