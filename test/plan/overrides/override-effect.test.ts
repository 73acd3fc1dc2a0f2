import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/data/json.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import {
  explainOverrides,
  overrideChanges,
  overrideEffect,
} from '../../../src/plan/overrides/explain-overrides.ts';
import { unknownIds } from '../../../src/plan/overrides/unknown-ids.ts';
import { compareExecutes } from '../../../src/plan/impact/override-effects.ts';
import { planScope } from '../../../src/plan/plan-scope.ts';
import { propertyRuns } from '../../property-runs.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';

const TAGS = ['sqli', 'xss', 'wordpress'] as const;

function managedRule(number: number, over: Partial<LiveRule['content']> = {}, ...tags: string[]): LiveRule {
  return {
    ...liveRule(number, { ref: `m${number}`, expression: '', ...over }),
    categories: tags,
  };
}

const managed = (rules: readonly LiveRule[]) =>
  liveRuleset(rules, { id: id(0xe), name: 'Vendor Core', kind: 'managed' });

const member = fc.record(
  {
    enabled: fc.boolean(),
    action: fc.constantFrom('block', 'log', 'challenge'),
    sensitivity_level: fc.constantFrom('default', 'low'),
  },
  { requiredKeys: [] },
);
const overrides: fc.Arbitrary<JsonObject> = fc
  .record({
    whole: member,
    categories: fc.array(fc.tuple(fc.constantFrom(...TAGS), member), {
      maxLength: 4,
    }),
    rules: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), member), {
      maxLength: 3,
    }),
  })
  .map(({ whole, categories, rules }) => ({
    ...whole,
    categories: categories.map(([category, entry]) => ({ category, ...entry })),
    rules: rules.map(([number, entry]) => ({ id: id(number), ...entry })),
  }));
const vendor = fc
  .tuple(
    ...[1, 2, 3, 4].map((number) =>
      fc
        .tuple(fc.boolean(), fc.constantFrom('block', 'log'), fc.subarray([...TAGS]))
        .map(([enabled, action, tags]) => managedRule(number, { enabled, action }, ...tags)),
    ),
  )
  .map(managed);

/** The state of a rule, found by writing each layer over it, weakest first. */
function bruteState(rule: LiveRule, all: JsonObject): Readonly<Record<string, JsonValue | undefined>> {
  const state: Record<string, JsonValue | undefined> = {
    enabled: rule.content.enabled,
    action: rule.content.action,
    sensitivity_level: 'default',
  };
  const write = (entry: JsonObject): void => {
    for (const key of ['enabled', 'action', 'sensitivity_level']) {
      state[key] = entry[key] ?? state[key];
    }
  };
  write(all);
  for (const entry of (all['categories'] ?? []) as JsonObject[]) {
    if (rule.categories?.some((tag) => tag === entry['category']) === true) {
      write(entry);
    }
  }
  for (const entry of (all['rules'] ?? []) as JsonObject[]) {
    if (entry['id'] === rule.id) {
      write(entry);
    }
  }
  return state;
}

function brute(rule: LiveRule, all: JsonObject): string {
  const { enabled, action, sensitivity_level: level } = bruteState(rule, all);
  const suffix = level === 'low' ? ', sensitivity low' : '';
  return enabled === true && typeof action === 'string' ? action + suffix : 'off';
}

describe('overrideEffect', () => {
  it('finds exactly the rules whose state differs, whichever override wins', () => {
    fc.assert(
      fc.property(vendor, overrides, overrides, (ruleset, before, after) => {
        const expected = ruleset.rules.flatMap((rule) => {
          const [from, to] = [brute(rule, before), brute(rule, after)];
          return from === to ? [] : [[rule.id, from, to, to === brute(rule, {})]];
        });
        const { affected, reset } = overrideEffect(ruleset, before, after);
        expect(
          affected.map((rule) => [rule.id, rule.before, rule.after, reset.some((one) => one.id === rule.id)]),
        ).toEqual(expected);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('is never worse than what the overrides alone were judged to do', () => {
    const height = (rule: LiveRule, all: JsonObject): readonly number[] => {
      const { enabled, action, sensitivity_level: level } = bruteState(rule, all);
      return enabled === true
        ? [
            ['log', 'challenge', 'block'].findIndex((one) => one === action),
            ['low', 'default'].findIndex((one) => one === level),
          ]
        : [-1, -1];
    };
    fc.assert(
      fc.property(vendor, overrides, overrides, (ruleset, before, after) => {
        const lower = ruleset.rules.some((rule) => {
          const [from, to] = [height(rule, before), height(rule, after)];
          return from.some((one, at) => one > (to[at] ?? -1));
        });
        const verdict = compareExecutes({ overrides: before }, { overrides: after });
        expect(lower && verdict.kind !== 'weaker').toBe(false);
      }),
      { numRuns: propertyRuns() * 5 },
    );
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'a category that stands twice: the later entry decides',
      { categories: [{ category: 'sqli', action: 'block' }] },
      {
        categories: [
          { category: 'sqli', action: 'block' },
          { category: 'sqli', enabled: false },
        ],
      },
      'weaker',
    ],
    [
      'a rule that stands twice',
      { rules: [{ id: id(1), action: 'block' }] },
      {
        rules: [
          { id: id(1), action: 'block' },
          { id: id(1), enabled: false },
        ],
      },
      'weaker',
    ],
    [
      'a category that stood twice in live',
      {
        categories: [
          { category: 'sqli', action: 'block' },
          { category: 'sqli', enabled: false },
        ],
      },
      { categories: [{ category: 'sqli', action: 'block' }] },
      'stronger',
    ],
    [
      'a later category that restored the sensitivity',
      {
        categories: [
          { category: 'sqli', sensitivity_level: 'low' },
          { category: 'xss', sensitivity_level: 'default' },
        ],
      },
      { categories: [{ category: 'sqli', sensitivity_level: 'low' }] },
      'weaker',
    ],
    [
      'a member that this version does not know',
      {},
      { rules: [{ id: id(1), observe_only: true }] },
      'weaker',
    ],
    [
      'another order of categories that set different members',
      {
        categories: [
          { category: 'sqli', action: 'log' },
          { category: 'xss', enabled: false },
        ],
      },
      {
        categories: [
          { category: 'xss', enabled: false },
          { category: 'sqli', action: 'log' },
        ],
      },
      'same',
    ],
  ])('is judged for %s', (_what, before, after, kind) => {
    expect(compareExecutes({ overrides: before }, { overrides: after }).kind).toBe(kind);
  });

  it('leaves DDoS rules on, and those that are read-only as they are', () => {
    const rules = [managedRule(1, {}, 'generic'), managedRule(2, {}, 'generic', 'read-only')];
    const ruleset = { ...managed(rules), phase: 'ddos_l7' };
    const states = (after: JsonObject) =>
      overrideEffect(ruleset, {}, after).affected.map((rule) => [rule.id, rule.after]);
    expect(states({ enabled: false })).toEqual([]);
    expect(states({ sensitivity_level: 'eoff' })).toEqual([[id(1), 'block, sensitivity eoff']]);
  });

  it('applies the action log to a botnet rule only if an override names that rule', () => {
    const rules = [managedRule(1, {}, 'gatebot'), managedRule(2, {}, 'generic')];
    const effect = overrideEffect(managed(rules), {}, { action: 'log' });
    expect(effect.affected.map((rule) => rule.id)).toEqual([id(2)]);
    const own = { rules: [{ id: id(1), action: 'log' }] };
    expect(overrideEffect(managed(rules), {}, own).affected.map((rule) => rule.id)).toEqual([id(1)]);
  });

  it('lists the overridden rule ids and categories that the managed ruleset does not have', () => {
    const effect = overrideEffect(
      managed([managedRule(1, {}, 'sqli')]),
      {},
      {
        categories: [
          { category: 'sqli', enabled: true },
          { category: 'joomla', enabled: false },
        ],
        rules: [{ id: id(9), action: 'log' }],
      },
    );
    expect(effect).toMatchObject({
      unknownRules: [id(9)],
      unknownCategories: ['joomla'],
      affected: [],
      rulesetWide: false,
    });
  });
});

describe('the notes of a plan that changes overrides', () => {
  const core = managed([
    managedRule(1, { description: 'SQL injection' }, 'sqli'),
    managedRule(2, { description: 'Script injection' }, 'xss'),
    managedRule(3, { description: 'Old plugin', enabled: false }, 'wordpress'),
  ]);

  function explained(before: JsonObject, after: JsonObject): PlannedScope {
    const parameters = (all: JsonObject): JsonObject => ({
      id: id(0xe),
      overrides: all,
    });
    const rule = { ref: 'run', action: 'execute', expression: 'true' };
    const plan = planScope(
      {
        scope: { kind: 'zone', name: 'shop.example' },
        rulesetOwnership: 'declared',
        rulesets: [desiredRuleset([desiredRule({ ...rule, action_parameters: parameters(after) })])],
        cause: CAUSE,
      },
      {
        scope: {
          kind: 'zone',
          id: id(1),
          name: 'shop.example',
          accountId: id(2),
        },
        entries: [
          {
            address: {
              kind: 'entrypoint',
              phase: 'http_request_firewall_custom',
            },
            slot: {
              kind: 'present',
              ruleset: liveRuleset([liveRule(5, { ...rule, action_parameters: parameters(before) })]),
            },
          },
        ],
        catalogue: [core],
      },
    );
    if (plan.kind === 'failed') {
      throw new Error(plan.error.message);
    }
    const changes = overrideChanges(plan, new Set([core.id]));
    return explainOverrides(plan, changes, {
      lookUps: new Map([[core.id, { kind: 'found', ruleset: core }]]),
    });
  }

  it('count the managed rules that change state, name some, and tell which go back to the vendor default', () => {
    const { notes } = explained({ action: 'log' }, { rules: [{ id: id(1), action: 'log' }] });
    expect(notes).toMatchObject([
      {
        kind: 'override',
        rule: 'run',
        message: `makes 1 of 3 managed rules of Vendor Core block instead of log: Script injection (${id(2)}) [xss]; the override of the whole ruleset also reaches rules that the vendor adds later`,
      },
      {
        kind: 'override-reset',
        message: `1 of these goes back to what the vendor ships, since no override names it any more: Script injection (${id(2)}) [xss]`,
      },
    ]);
  });

  it('warn of a rule id that does not exist, and say when no rule changes its state', () => {
    expect(explained({}, { rules: [{ id: id(8), enabled: false }] }).notes).toMatchObject([
      {
        kind: 'override',
        message: 'changes none of the 3 managed rules of Vendor Core',
      },
      {
        kind: 'override-unknown',
        message: `Vendor Core has no rule ${id(8)}: the override has no effect, and the service may refuse it`,
      },
    ]);
  });

  it('say which category may be meant by one that no rule has', () => {
    expect(explained({}, { categories: [{ category: 'wordpres', enabled: false }] }).notes[1]?.message).toBe(
      'Vendor Core has no rule tagged wordpres (did you mean wordpress?): the override has no effect, and the service may refuse it',
    );
  });

  it('give way to an error if the overrides newly name what the managed ruleset does not have', () => {
    const lookUps = new Map([[core.id, { kind: 'found', ruleset: core } as const]]);
    const errorOf = (before: JsonObject, after: JsonObject) => {
      const plan = explained(before, after);
      return unknownIds(plan, overrideChanges(plan, new Set([core.id])), { catalogue: [core], lookUps });
    };
    const unknown = {
      categories: [{ category: 'wordpres', enabled: false }],
      rules: [{ id: id(8), enabled: false }],
    };
    expect(errorOf({}, unknown)).toMatchObject({
      code: 'plan/unknown-id',
      message: expect.stringMatching(
        /:\d+: Vendor Core has no rule 0+8\n.*:\d+: Vendor Core has no rule tagged wordpres \(did you mean wordpress\?\)$/u,
      ),
    });
    // The vendor may have removed what live names already.
    expect(errorOf(unknown, { ...unknown, action: 'log' })).toBeNull();
    expect(errorOf({}, { categories: [{ category: 'xss', enabled: false }] })).toBeNull();
  });

  it('are not made when the overrides stay the same', () => {
    expect(explained({ enabled: true }, { enabled: true }).notes).toEqual([]);
  });

  it('come with a verdict that counts the rules which protect less, or says that none does', () => {
    const reason = (before: JsonObject, after: JsonObject) =>
      explained(before, after).steps[0]?.changes[0]?.protection;
    expect(reason({}, { action: 'log' })).toEqual({
      kind: 'weakening',
      reason: 'makes 2 of 3 managed rules log instead of block',
    });
    expect(reason({ rules: [{ id: id(8), action: 'block' }] }, {})).toEqual({
      kind: 'weakening',
      reason: `no longer sets the action of rule ${id(8)} to block, though none of 3 managed rules protects less now`,
    });
    expect(reason({ action: 'log' }, { action: 'block' })).toMatchObject({
      kind: 'strengthening',
    });
  });
});
