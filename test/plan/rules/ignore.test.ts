import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ignored } from '../../../src/model/ignored.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import { canonicalContent } from '../../../src/model/normalise.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { keyOverrides, valueAt } from '../../../src/plan/compare/compare-rules.ts';
import { ignoredOf, keepIgnored, withoutExpired } from '../../../src/plan/compare/ignore.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { planRuleset } from '../../../src/plan/plan-ruleset.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { CAUSE, content, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { serve } from '../pure-service.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;

function entry(rule: string, field?: string, until = '2026-12-31'): Ignored {
  return { rule, ...(field === undefined ? {} : { field }), reason: 'On call', until, cause: CAUSE };
}

function planOf(live: LiveRuleset, desired: DesiredRuleset) {
  const slot = { kind: 'present', ruleset: live } as const;
  return planRuleset({ scope: SCOPE, desired, rules: nameRules(desired.rules), slot });
}

function run(live: LiveRuleset, desired: DesiredRuleset, strategy: WriteStrategy): LiveRuleset {
  const { step } = planOf(live, desired);
  return (step === null ? [] : writesOf(step, strategy)).reduce(
    (state, write) => serve(state, write) ?? state,
    live,
  );
}

describe('an ignore entry', () => {
  it('goes by the final ref of an adopted rule, so that one apply completes the adoption', () => {
    const live = liveRuleset([liveRule(1, { ref: 'team-a', enabled: false })]);
    const taken = desiredRule({ ref: 'ours-a', id: id(1), adopt: true, description: 'ours now' });
    const gone = desiredRuleset([taken], { ignore: [entry('team-*', '/enabled'), entry('team-a')] });
    const after = run(live, gone, 'auto');
    expect(after.rules).toMatchObject([
      { ref: 'ours-a', content: { enabled: true, description: 'ours now' } },
    ]);
    expect(planOf(after, gone).step).toBeNull();
    const kept = desiredRuleset([taken], { ignore: [entry('ours-*', '/enabled')] });
    expect(run(live, kept, 'auto').rules).toMatchObject([{ ref: 'ours-a', content: { enabled: false } }]);
  });

  it('leaves its field unchanged, with a note that gives the reason', () => {
    const live = liveRuleset([liveRule(1, { ref: 'a', enabled: false })]);
    const ignore = [entry('a', '/enabled')];
    const { step, notes } = planOf(live, desiredRuleset([desiredRule({ ref: 'a' })], { ignore }));
    expect(step).toBeNull();
    expect(notes).toMatchObject([
      {
        kind: 'ignored',
        rule: 'a',
        message: 'differs from the file and stays as it is: /enabled (On call, until 2026-12-31)',
      },
    ]);
  });

  it('keeps the live value when the rule is written for another reason', () => {
    const live = liveRuleset([liveRule(1, { ref: 'a', enabled: false })]);
    const desired = desiredRuleset([desiredRule({ ref: 'a', action: 'log' })], {
      ignore: [entry('a*', '/enabled')],
    });
    expect(planOf(live, desired).step?.changes).toMatchObject([
      { kind: 'patch', content: { action: 'log', enabled: false }, fields: [{ path: '/action' }] },
    ]);
  });

  it.each(['/action_parameters', '/action_parameters/ruleset', '/logging/enabled'])(
    'warns that %s is overwritten if the file changes the action',
    (field) => {
      const live = liveRuleset([
        liveRule(1, { ref: 'a', action: 'skip', action_parameters: { ruleset: 'current' } }),
      ]);
      const ignore = [entry('a', field)];
      const { step, notes } = planOf(live, desiredRuleset([desiredRule({ ref: 'a' })], { ignore }));
      expect(step?.changes).toMatchObject([{ kind: 'patch', content: { action: 'block' } }]);
      expect(notes).toMatchObject([
        {
          kind: 'not-ignored',
          rule: 'a',
          message: `is overwritten although it is ignored: ${field} (On call, until 2026-12-31). It belongs to the action, which the file changes; to keep both, ignore /action`,
        },
      ]);
    },
  );

  it.each(['/action_parameters/products', '/enabled'])(
    'does not warn of %s, which stays as it is when the action changes',
    (field) => {
      const live = liveRuleset([
        liveRule(1, { ref: 'a', action: 'skip', action_parameters: { ruleset: 'current' } }),
      ]);
      const ignore = [entry('a', field)];
      expect(planOf(live, desiredRuleset([desiredRule({ ref: 'a' })], { ignore })).notes).toEqual([]);
    },
  );

  it('gives no such warning if the action is ignored too, or the whole rule', () => {
    const live = liveRuleset([
      liveRule(1, { ref: 'a', action: 'skip', action_parameters: { products: ['waf'] } }),
    ]);
    for (const other of [entry('a', '/action'), entry('a')]) {
      const ignore = [entry('a', '/action_parameters'), other];
      const { step, notes } = planOf(live, desiredRuleset([desiredRule({ ref: 'a' })], { ignore }));
      expect(step).toBeNull();
      expect(notes.map(({ kind }) => kind)).toEqual(['ignored']);
    }
  });

  it('applies only to rules that its pattern matches', () => {
    const live = liveRuleset([liveRule(1, { ref: 'b', enabled: false })]);
    const desired = desiredRuleset([desiredRule({ ref: 'b' })], { ignore: [entry('a', '/enabled')] });
    expect(planOf(live, desired).step?.changes).toHaveLength(1);
  });

  it('without a field covers the whole rule, also one that only live has', () => {
    const live = liveRuleset([
      liveRule(1, { ref: 'a', action: 'log' }),
      liveRule(2, { ref: 'tmp-debug', action: 'log' }),
    ]);
    const ignore = [entry('a'), entry('tmp-*')];
    const { step, notes } = planOf(live, desiredRuleset([desiredRule({ ref: 'a' })], { ignore }));
    expect(step).toBeNull();
    expect(notes.map(({ kind, rule }) => [kind, rule])).toEqual([
      ['ignored', 'a'],
      ['ignored', 'tmp-debug'],
    ]);
  });

  it('without a field covers the whole rule even beside an entry with a field', () => {
    const live = content({ action: 'log', enabled: false });
    expect(keepIgnored(content(), live, [{}, { field: '/enabled' }]).content).toEqual(live);
  });

  it('with a field does not cover a rule that only live has', () => {
    const live = liveRuleset([liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'tmp-debug' })]);
    const ignore = [entry('tmp-*', '/enabled')];
    const { step } = planOf(live, desiredRuleset([desiredRule({ ref: 'a' })], { ignore }));
    expect(step?.changes).toMatchObject([{ kind: 'delete', ref: 'tmp-debug' }]);
  });

  it('names the override of a managed rule by the id of that rule', () => {
    const parameters = (action: string, more: JsonObject[] = []) => ({
      id: id(9),
      overrides: { enabled: true, rules: [{ id: id(7), action }, ...more] },
    });
    const kept = keepIgnored(
      content({ action: 'execute', action_parameters: parameters('block', [{ id: id(8), action: 'log' }]) }),
      content({ action: 'execute', action_parameters: parameters('log') }),
      [{ field: `/action_parameters/overrides/rules/${id(7)}/action` }],
    );
    expect(kept.content.action_parameters).toEqual(parameters('log', [{ id: id(8), action: 'log' }]));
    expect(kept.paths).toEqual([`/action_parameters/overrides/rules/${id(7)}/action`]);
  });

  it('keeps an override that only live has', () => {
    const execute = (overrides: JsonObject) =>
      content({ action: 'execute', action_parameters: { id: id(9), overrides } });
    const live = execute({ rules: [{ id: id(7), action: 'log', enabled: true }] });
    const field = `/action_parameters/overrides/rules/${id(7)}/action`;
    expect(keepIgnored(execute({ enabled: true }), live, [{ field }]).content).toEqual(
      execute({ enabled: true, rules: [{ id: id(7), action: 'log' }] }),
    );
  });

  it('keeps the whole object around its field if the file lacks it, because the service may refuse a part of it', () => {
    const response = { status_code: 403, content_type: 'text/plain', content: 'Live' };
    const answering = content({ action_parameters: { response } });
    const fields = [{ field: '/action_parameters/response/content' }];
    expect(keepIgnored(content({ expression: 'not ssl' }), answering, fields)).toEqual({
      content: { ...answering, expression: 'not ssl' },
      paths: ['/action_parameters'],
      overwritten: [],
    });
    const cached = (parameters: JsonObject) =>
      content({ action: 'set_cache_settings', action_parameters: { cache: true, ...parameters } });
    const timed = cached({ edge_ttl: { mode: 'override_origin', default: 60 } });
    const ttl = [{ field: '/action_parameters/edge_ttl/default' }];
    expect(keepIgnored(cached({}), timed, ttl)).toEqual({
      content: timed,
      paths: ['/action_parameters/edge_ttl'],
      overwritten: [],
    });
  });

  it('leaves out the whole object around its field if live lacks it, for the same reason', () => {
    const response = { status_code: 403, content_type: 'text/plain', content: 'File' };
    const answering = content({ action_parameters: { response }, expression: 'not ssl' });
    const fields = [{ field: '/action_parameters/response/content' }];
    expect(keepIgnored(answering, content(), fields)).toEqual({
      content: content({ expression: 'not ssl' }),
      paths: ['/action_parameters'],
      overwritten: [],
    });
  });

  it('keeps its field alone where the members of the object around it can stand alone', () => {
    const cached = (parameters: JsonObject) =>
      content({ action: 'set_cache_settings', action_parameters: { cache: true, ...parameters } });
    const desired = cached({ cache_key: { cache_by_device_type: true, cache_deception_armor: true } });
    const fields = [{ field: '/action_parameters/cache_key/cache_by_device_type' }];
    expect(keepIgnored(desired, cached({}), fields).content).toEqual(
      cached({ cache_key: { cache_deception_armor: true } }),
    );
  });

  it('keeps nothing of an object around its field if neither file nor live has the field', () => {
    const cached = (parameters: JsonObject) =>
      content({ action: 'set_cache_settings', action_parameters: { cache: true, ...parameters } });
    const live = cached({ cache_key: { cache_by_device_type: true } });
    const fields = [{ field: '/action_parameters/cache_key/custom_key' }];
    expect(keepIgnored(cached({}), live, fields)).toEqual({
      content: cached({}),
      paths: [],
      overwritten: [],
    });
  });

  it('cannot name an item of a list, which has no key of its own', () => {
    const skip = (parameters: JsonObject) => content({ action: 'skip', action_parameters: parameters });
    for (const [desired, live] of [
      [{ products: ['bic'] }, { products: ['waf'] }],
      [{ products: ['bic'] }, {}],
      [{ ruleset: 'current' }, { products: ['waf'] }],
    ] as const) {
      const kept = keepIgnored(skip(desired), skip(live), [{ field: '/action_parameters/products/0' }]);
      expect(kept.content).toEqual(skip(desired));
    }
  });

  it('for the action keeps the live parameters too', () => {
    const live = content({
      action: 'skip',
      action_parameters: { ruleset: 'current' },
      logging: { enabled: false },
    });
    const kept = keepIgnored(content({ description: 'new' }), live, [{ field: '/action' }]);
    expect(kept.content).toEqual({ ...live, description: 'new' });
  });

  it('does not touch the parameters if the action is the same, or is not ignored', () => {
    const live = content({ action: 'skip', action_parameters: { ruleset: 'current' } });
    const other = content({ action: 'skip', action_parameters: { products: ['waf'] } });
    expect(keepIgnored(other, live, [{ field: '/action' }]).content).toEqual(other);
    const field = '/action_parameters/ruleset';
    expect(keepIgnored(content(), live, [{ field }]).content).toEqual(content());
  });

  it('removes the wanted value if live has none', () => {
    const desired = content({ ratelimit: { period: 60, counting_expression: 'ssl' } });
    const live = content({ ratelimit: { period: 10 } });
    expect(
      keepIgnored(desired, live, [{ field: '/ratelimit/counting_expression' }]).content.ratelimit,
    ).toEqual({ period: 60 });
    const logged = content({ action: 'skip', logging: { enabled: false } });
    expect(
      keepIgnored(logged, content({ action: 'skip' }), [{ field: '/logging/enabled' }]).content.logging,
    ).toBeUndefined();
  });

  it('is valid until the end of its last day', () => {
    const scope = {
      scope: { kind: 'zone', name: 'a' } as const,
      rulesetOwnership: 'declared' as const,
      rulesets: [desiredRuleset([], { ignore: [entry('a', '/enabled', '2026-06-01')] })],
      cause: CAUSE,
    };
    expect(withoutExpired(scope, '2026-06-01')).toEqual(scope);
    expect(withoutExpired(scope, '2026-06-02').rulesets[0]).not.toHaveProperty('ignore');
  });
});

describe('an ignored value', () => {
  const fields = [
    '/enabled',
    '/description',
    '/expression',
    '/action',
    '/action_parameters',
    '/action_parameters/ruleset',
    '/logging',
    '/logging/enabled',
  ];
  const ignores = fc.array(
    fc.tuple(fc.constantFrom('ours-*', '*', 'ours-1*', 'team-*'), fc.option(fc.constantFrom(...fields))),
    { minLength: 1, maxLength: 3 },
  );

  it.each(['auto', 'rules', 'ruleset'] satisfies WriteStrategy[])(
    'is never overwritten, and leaves nothing to plan the second time (%s)',
    (strategy) => {
      fc.assert(
        fc.property(rulesetCases(7), ignores, ({ live, desired }, list) => {
          const ignore = list.map(([rule, field]) => entry(rule, field ?? undefined));
          const wanted = { ...desired, ignore };
          const after = run(live, wanted, strategy);
          const told = live.rules.flatMap((rule) => {
            const now = after.rules.find((other) => other.id === rule.id);
            const entries = ignore.filter((one) => ignoredOf([one], rule.ref).length > 0);
            return pointersOf(rule, now, entries).map((pointer) => ({
              before: valueAt(keyOverrides(canonicalContent(rule.content)), pointer),
              after:
                now === undefined ? 'gone' : valueAt(keyOverrides(canonicalContent(now.content)), pointer),
            }));
          });
          expect(told.map((one) => one.after)).toEqual(told.map((one) => one.before));
          expect(planOf(after, wanted).step).toBeNull();
        }),
        { numRuns: propertyRuns() },
      );
    },
  );
});

/** The paths at which a rule must keep its value: all of it if it is ignored as a whole, else the fields that its action still has. */
function pointersOf(
  before: LiveRule,
  now: LiveRule | undefined,
  entries: readonly Ignored[],
): readonly string[] {
  if (entries.some((one) => one.field === undefined)) {
    return [''];
  }
  const fields = now === undefined ? [] : entries.flatMap((one) => one.field ?? []);
  return now?.content.action === before.content.action
    ? fields
    : fields.filter((field) => !/^\/(action_parameters|logging)/.test(field));
}
