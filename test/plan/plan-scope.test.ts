import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedScope, ScopePlan, Step } from '../../src/model/plan.ts';
import type { DesiredRuleset, LiveRulesetHead } from '../../src/model/ruleset.ts';
import type { DesiredScope, LiveEntry, LiveScope } from '../../src/model/state.ts';
import { canonicalJson } from '../../src/data/json.ts';
import { effectDigest, stepEffect, makePlan } from '../../src/plan/document/make-plan.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { propertyRuns } from '../property-runs.ts';
import { CAUSE, content, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from './build.ts';
import { plannedScopes } from './planned-scopes.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const LOGIN = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login protection' } as const;
const ENTRY = { kind: 'entrypoint', phase: 'http_request_firewall_custom' } as const;

function wanted(rulesets: readonly DesiredRuleset[], over: Partial<DesiredScope> = {}): DesiredScope {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesetOwnership: 'declared',
    rulesets,
    cause: CAUSE,
    ...over,
  };
}

function found(entries: readonly LiveEntry[], catalogue: readonly LiveRulesetHead[] = []): LiveScope {
  return { scope: SCOPE, entries, catalogue };
}

function head(number: number, name: string, over: Partial<LiveRulesetHead> = {}): LiveRulesetHead {
  const { rules: _rules, ...rest } = liveRuleset([]);
  return { ...rest, id: id(number), name, ...over };
}

function planned(plan: ScopePlan): PlannedScope {
  if (plan.kind === 'failed') {
    throw new Error(plan.error.message);
  }
  return plan;
}

function executes(target: string): ReturnType<typeof desiredRule> {
  return desiredRule({
    ref: 'run',
    action: 'execute',
    expression: 'true',
    action_parameters: { id: target },
  });
}

const ABSENT = { kind: 'absent' } as const;

describe('planScope', () => {
  it('notes a custom ruleset that stays live and is no longer executed, unless the files declare it', () => {
    const live = found(
      [
        {
          address: ENTRY,
          slot: {
            kind: 'present',
            ruleset: liveRuleset([liveRule(1, { ...executes(id(9)).content, ref: 'run' })]),
          },
        },
        { address: LOGIN, slot: ABSENT },
      ],
      [head(9, 'Old', { kind: 'custom' })],
    );
    const notes = (...more: readonly DesiredRuleset[]): readonly string[] =>
      planned(
        planScope(
          wanted([
            desiredRuleset([executes('custom:login-protection')]),
            desiredRuleset([], { address: LOGIN }),
            ...more,
          ]),
          { ...live, entries: [...live.entries, ...more.map(({ address }) => ({ address, slot: ABSENT }))] },
        ),
      ).notes.map(({ kind, message }) => `${kind}: ${message}`);
    expect(notes()).toEqual([
      expect.stringContaining(
        `left-live: the files neither execute nor declare the custom ruleset Old (${id(9)})`,
      ),
    ]);
    expect(notes(desiredRuleset([], { address: { ...LOGIN, name: 'Old' } }))).toEqual([]);
  });

  it('plans no step for an entry point that is absent and wanted empty', () => {
    const plan = planScope(wanted([desiredRuleset([])]), found([{ address: ENTRY, slot: ABSENT }]));
    expect(planned(plan).steps).toEqual([]);
    expect(planned(plan).bases).toEqual([
      {
        target: { kind: 'ruleset', level: 'zone', phase: ENTRY.phase, name: 'default' },
        base: { kind: 'absent' },
      },
    ]);
  });

  it('creates a custom ruleset before the rule that executes it', () => {
    const plan = planScope(
      wanted([
        desiredRuleset([executes('custom:login-protection')]),
        desiredRuleset([desiredRule({ ref: 'a' })], { address: LOGIN }),
      ]),
      found([
        { address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([]) } },
        { address: LOGIN, slot: ABSENT },
      ]),
    );
    const custom = 'zone:shop.example/http_request_firewall_custom/custom:login-protection';
    expect(planned(plan).steps.map((step) => [step.id, step.operation, step.after])).toEqual([
      [custom, 'create', []],
      ['zone:shop.example/http_request_firewall_custom', 'update', [custom]],
    ]);
  });

  it.each([
    ['is gone', desiredRule({ ref: 'other' })],
    ['executes another', executes(id(0xd))],
  ])('deletes a custom ruleset after the last rule that executes it %s', (_how, instead) => {
    const custom = liveRuleset([liveRule(9)], { id: id(0xc), kind: 'custom', name: LOGIN.name });
    const executing = liveRule(1, {
      ref: 'run',
      action: 'execute',
      expression: 'true',
      action_parameters: { id: id(0xc) },
    });
    const plan = planScope(
      wanted([desiredRuleset([], { address: LOGIN, presence: 'absent' }), desiredRuleset([instead])]),
      found([
        { address: LOGIN, slot: { kind: 'present', ruleset: custom } },
        { address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([executing]) } },
      ]),
    );
    expect(planned(plan).steps.map((step) => [step.operation, step.after])).toEqual([
      ['update', []],
      ['delete', ['zone:shop.example/http_request_firewall_custom']],
    ]);
  });

  it('lists every rule that is deleted with a custom ruleset, also one that is ignored as a whole', () => {
    const custom = liveRuleset([liveRule(1, { ref: 'ours' }), liveRule(2, { ref: 'tuned' })], {
      kind: 'custom',
      name: LOGIN.name,
    });
    const ignore = [{ rule: 'tuned', reason: 'tuned by hand', until: '2030-01-01', cause: CAUSE }];
    const plan = planScope(
      wanted([desiredRuleset([], { address: LOGIN, presence: 'absent', ignore })]),
      found([{ address: LOGIN, slot: { kind: 'present', ruleset: custom } }]),
    );
    expect(planned(plan).steps.map((step) => step.changes.map(({ kind, ref }) => [kind, ref]))).toEqual([
      [
        ['delete', 'ours'],
        ['delete', 'tuned'],
      ],
    ]);
  });

  describe('custom rulesets that refer to each other', () => {
    const address = (name: string) =>
      ({ kind: 'custom', phase: 'http_request_firewall_custom', name }) as const;
    const skips = (target: string) =>
      desiredRule({ ref: 'skip', action: 'skip', action_parameters: { rulesets: [target] } });
    const custom = (number: number, name: string, rules: Parameters<typeof liveRuleset>[0] = []) =>
      liveRuleset(rules, { id: id(number), kind: 'custom', name });

    it('are created in the order of their references, whatever their names', () => {
      const plan = planScope(
        wanted([
          desiredRuleset([skips('custom:zzz')], { address: address('aaa') }),
          desiredRuleset([desiredRule({ ref: 'a' })], { address: address('zzz') }),
        ]),
        found([
          { address: address('aaa'), slot: ABSENT },
          { address: address('zzz'), slot: ABSENT },
        ]),
      );
      expect(planned(plan).steps.map((step) => step.target.name)).toEqual(['zzz', 'aaa']);
    });

    it('are deleted in the reverse order of their references', () => {
      const zzz = custom(0xb, 'zzz', [
        liveRule(1, { action: 'skip', action_parameters: { rulesets: [id(0xa)] } }),
      ]);
      const plan = planScope(
        wanted(
          ['aaa', 'zzz'].map((name) => desiredRuleset([], { address: address(name), presence: 'absent' })),
        ),
        found([
          { address: address('aaa'), slot: { kind: 'present', ruleset: custom(0xa, 'aaa') } },
          { address: address('zzz'), slot: { kind: 'present', ruleset: zzz } },
        ]),
      );
      expect(planned(plan).steps.map((step) => step.target.name)).toEqual(['zzz', 'aaa']);
    });

    it('fail the scope when their references form a cycle', () => {
      const plan = planScope(
        wanted([
          desiredRuleset([skips('custom:zzz')], { address: address('aaa') }),
          desiredRuleset([skips('custom:aaa')], { address: address('zzz') }),
        ]),
        found([
          { address: address('aaa'), slot: ABSENT },
          { address: address('zzz'), slot: ABSENT },
        ]),
      );
      expect(plan).toMatchObject({ kind: 'failed', error: { code: 'plan/reference-cycle' } });
    });

    it('fail the scope when their names have the same slug', () => {
      const plan = planScope(
        wanted([], { rulesetOwnership: 'all' }),
        found([
          { address: address('Foo Bar'), slot: { kind: 'present', ruleset: custom(0xa, 'Foo Bar') } },
          { address: address('foo-bar'), slot: { kind: 'present', ruleset: custom(0xb, 'foo-bar') } },
        ]),
      );
      expect(plan).toMatchObject({ kind: 'failed', error: { code: 'plan/ambiguous-name' } });
    });
  });

  it('merges the lists of a ruleset that a skip rule refers to both by name and by id', () => {
    const core = head(0xe, 'Core', { kind: 'managed', phase: 'http_request_firewall_managed' });
    const skips = desiredRule({
      ref: 's',
      action: 'skip',
      action_parameters: { rules: { 'managed:core': [id(5)], [id(0xe)]: [id(6)] } },
    });
    const plan = planned(
      planScope(wanted([desiredRuleset([skips])]), found([{ address: ENTRY, slot: ABSENT }], [core])),
    );
    expect(plan.steps[0]?.changes[0]).toMatchObject({
      content: { action_parameters: { rules: { [id(0xe)]: [id(5), id(6)] } } },
    });
  });

  it('sees no difference between the name of a ruleset and the id that it resolves to', () => {
    const managed = head(0xe, 'Cloudflare Managed Ruleset', { kind: 'managed' });
    const live = liveRule(1, {
      ref: 'run',
      action: 'execute',
      expression: 'true',
      action_parameters: { id: id(0xe) },
    });
    const plan = planScope(
      wanted([desiredRuleset([executes('managed:cloudflare-managed-ruleset')])]),
      found([{ address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([live]) } }], [managed]),
    );
    expect(planned(plan).steps).toEqual([]);
  });

  it('resolves the target of an execute rule in its own phase only, that of a skip rule in any phase', () => {
    const managed = head(0xe, 'Core', { kind: 'managed', phase: 'http_request_firewall_managed' });
    const entries: readonly LiveEntry[] = [{ address: ENTRY, slot: ABSENT }];
    expect(
      planScope(wanted([desiredRuleset([executes('managed:core')])]), found(entries, [managed])).kind,
    ).toBe('failed');
    const skips = desiredRule({
      ref: 's',
      action: 'skip',
      action_parameters: { rules: { 'managed:core': [id(5)] } },
    });
    const plan = planned(planScope(wanted([desiredRuleset([skips])]), found(entries, [managed])));
    expect(plan.steps[0]?.changes[0]).toMatchObject({
      content: { action_parameters: { rules: { [id(0xe)]: [id(5)] } } },
    });
  });

  it.each([
    ['managed:cor', 'did you mean managed:core?'],
    ['managed:owasp', 'there are managed:core'],
  ])(
    'fails the scope for an unknown ruleset name, with its place and the names that exist',
    (name, known) => {
      const plan = planScope(
        wanted([desiredRuleset([executes(name)])]),
        found([{ address: ENTRY, slot: ABSENT }], [head(0xe, 'Core', { kind: 'managed' })]),
      );
      expect(plan).toMatchObject({
        kind: 'failed',
        error: {
          code: 'plan/unresolved-reference',
          message: `zones/shop.example.yaml:1:1: ${name}: no managed ruleset of this name; ${known}`,
        },
      });
    },
  );

  it('points at the reference that cannot be resolved if its place is known, else at the rule', () => {
    const file = 'zones/shop.example.yaml';
    const where = { file, start: { line: 9, column: 17 }, end: { line: 9, column: 25 } };
    const skip = desiredRule({
      ref: 'skip',
      action: 'skip',
      action_parameters: { rulesets: ['custom:a', 'custom:b'] },
    });
    const rule = { ...skip, rulesets: [{ reference: 'custom:b', where }] };
    const plan = planScope(wanted([desiredRuleset([rule])]), found([{ address: ENTRY, slot: ABSENT }]));
    expect(plan).toMatchObject({
      error: {
        message: [
          'zones/shop.example.yaml:1:1: custom:a: the scope sees no custom ruleset',
          'zones/shop.example.yaml:9:17: custom:b: the scope sees no custom ruleset',
        ].join('\n'),
      },
    });
  });

  it('hints that custom rulesets of the account run from its entry points when a zone lacks one', () => {
    const plan = planScope(
      wanted([desiredRuleset([executes('custom:shared')])]),
      found([{ address: ENTRY, slot: ABSENT }]),
    );
    expect(plan).toMatchObject({
      kind: 'failed',
      error: { hint: expect.stringContaining('of the account run from its own entry points') },
    });
  });

  it('does not mention custom rulesets of the account when only a managed ruleset is missing', () => {
    const plan = planScope(
      wanted([desiredRuleset([executes('managed:custom')])]),
      found([{ address: ENTRY, slot: ABSENT }]),
    );
    expect(plan).toMatchObject({ error: { hint: expect.not.stringContaining('of the account') } });
  });

  it('fails the scope when the files create a custom ruleset whose name is already taken', () => {
    const plan = planScope(
      wanted([
        desiredRuleset([executes('custom:login-protection')]),
        desiredRuleset([desiredRule({ ref: 'a' })], { address: LOGIN }),
      ]),
      found(
        [
          { address: ENTRY, slot: ABSENT },
          { address: LOGIN, slot: ABSENT },
        ],
        [head(0xc, LOGIN.name, { kind: 'custom' })],
      ),
    );
    expect(plan).toMatchObject({
      kind: 'failed',
      error: {
        code: 'plan/unresolved-reference',
        message: expect.stringContaining(
          `the files create a ruleset of this name, and ${id(0xc)} already has it`,
        ),
      },
    });
  });

  it.each([id(0xe), 'managed:core'])(
    'fails the scope when a rule executes a ruleset of another phase: %s',
    (named) => {
      const plan = planScope(
        wanted([desiredRuleset([executes(named)])]),
        found(
          [{ address: ENTRY, slot: ABSENT }],
          [head(0xe, 'Core', { kind: 'managed', phase: 'http_request_firewall_managed' })],
        ),
      );
      expect(plan).toMatchObject({
        kind: 'failed',
        error: {
          code: 'plan/unresolved-reference',
          message: `zones/shop.example.yaml:1:1: ${named}: "Core" belongs to phase http_request_firewall_managed, and only its entry point executes it`,
        },
      });
    },
  );

  it('deletes undeclared custom rulesets only if the scope owns all rulesets', () => {
    const entries: readonly LiveEntry[] = [
      {
        address: LOGIN,
        slot: { kind: 'present', ruleset: liveRuleset([], { kind: 'custom', name: LOGIN.name }) },
      },
    ];
    expect(planned(planScope(wanted([]), found(entries))).steps).toEqual([]);
    const all = planScope(wanted([], { rulesetOwnership: 'all' }), found(entries));
    expect(planned(all).steps.map((step) => step.operation)).toEqual(['delete']);
  });

  it('shows undeclared rulesets as deletions, except empty entry points, and notes those it could not read', () => {
    const other = (phase: string, count: number): LiveEntry => ({
      address: { kind: 'entrypoint', phase },
      slot: { kind: 'present', ruleset: liveRuleset(count === 0 ? [] : [liveRule(count)], { phase }) },
    });
    const entries = [other('http_request_transform', 1), other('http_request_origin', 0)];
    const unseen = [{ address: LOGIN, reason: 'it may not be read' }];
    const live = { ...found(entries), unseen };
    const plan = planned(planScope(wanted([], { rulesetOwnership: 'everything' }), live));
    expect(plan.steps.map(({ id: step, operation }) => [step, operation])).toEqual([
      ['zone:shop.example/http_request_transform', 'delete'],
    ]);
    expect(plan.notes).toEqual([
      {
        kind: 'not-compared',
        step: 'zone:shop.example/http_request_firewall_custom/custom:login-protection',
        rule: '',
        message: 'no file declares it, and it was not looked at: it may not be read',
      },
    ]);
  });

  it('fails the scope for a rule that claims a live rule which it cannot have', () => {
    const rule = desiredRule({ ref: 'new', id: id(7) });
    const plan = planScope(
      wanted([desiredRuleset([rule])]),
      found([
        { address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([liveRule(7, { ref: 'old' })]) } },
      ]),
    );
    expect(plan).toMatchObject({
      kind: 'failed',
      error: {
        code: 'plan/rule-claimed',
        message: expect.stringContaining('would change its ref old'),
        hint: 'let each of these rules mean one live rule: give it a ref of its own, say adopt: true to take the live rule over, or take its id out',
      },
    });
  });

  it('fails the scope for a phase that was not read', () => {
    expect(planScope(wanted([desiredRuleset([])]), found([]))).toMatchObject({
      kind: 'failed',
      error: { code: 'plan/not-read', message: 'http_request_firewall_custom was not read' },
    });
  });

  it('names every reference that it cannot resolve', () => {
    const skip = desiredRule({
      ref: 'skip',
      action: 'skip',
      action_parameters: { rulesets: ['custom:a', 'custom:b'] },
    });
    const plan = planScope(wanted([desiredRuleset([skip])]), found([{ address: ENTRY, slot: ABSENT }]));
    expect(plan).toMatchObject({ error: { message: expect.stringMatching(/custom:a: .*\n.*custom:b: /) } });
  });

  it('neither creates nor resolves a custom ruleset that is absent and wanted absent', () => {
    const gone = desiredRuleset([], { address: LOGIN, presence: 'absent' });
    const entries = [
      { address: LOGIN, slot: ABSENT },
      { address: ENTRY, slot: ABSENT },
    ];
    expect(planned(planScope(wanted([gone]), found(entries))).steps).toEqual([]);
    expect(
      planScope(wanted([gone, desiredRuleset([executes('custom:login-protection')])]), found(entries)),
    ).toMatchObject({ kind: 'failed', error: { code: 'plan/unresolved-reference' } });
  });

  it('keeps the cause of a declared ruleset, the token of the scope, and the live name of an entry point', () => {
    const rules = liveRuleset([liveRule(1)], { name: 'Zone-level rules' });
    const other = { ...ENTRY, phase: 'http_ratelimit' } as const;
    const plan = planScope(
      wanted([desiredRuleset([])], { tokenEnv: 'OTHER_TOKEN', rulesetOwnership: 'everything' }),
      found([
        { address: ENTRY, slot: { kind: 'present', ruleset: rules } },
        { address: other, slot: { kind: 'present', ruleset: { ...rules, id: id(5), phase: other.phase } } },
      ]),
    );
    expect(planned(plan)).toMatchObject({ tokenEnv: 'OTHER_TOKEN' });
    expect(planned(plan).steps.map(({ target, cause }) => [target.phase, target.name, cause])).toEqual([
      ['http_request_firewall_custom', 'Zone-level rules', CAUSE],
      ['http_ratelimit', 'Zone-level rules', undefined],
    ]);
  });

  it('gives the entry point of an account the level "root"', () => {
    const scope = { kind: 'account', id: id(2), name: 'Shop', accountId: id(2) } as const;
    const live = { scope, entries: [{ address: ENTRY, slot: ABSENT }], catalogue: [] };
    const plan = planScope(wanted([desiredRuleset([desiredRule({ ref: 'a' })])], { scope }), live);
    expect(planned(plan).steps).toMatchObject([{ target: { level: 'root', name: 'default' }, cause: CAUSE }]);
  });

  it('orders independent steps: custom rulesets, then entry points by phase, then deletions', () => {
    const customs = ['B', 'A', 'Gone'].map((name) => ({ ...LOGIN, name }));
    const entries = ['http_ratelimit', 'http_request_transform'].map((phase) => ({ ...ENTRY, phase }));
    const old = liveRuleset([liveRule(9)], { id: id(0xc), kind: 'custom', name: 'Gone' });
    const plan = planScope(
      wanted([
        ...entries.map((address) => desiredRuleset([desiredRule({ ref: 'a' })], { address })),
        ...customs.map((address) =>
          address.name === 'Gone'
            ? desiredRuleset([], { address, presence: 'absent' })
            : desiredRuleset([desiredRule({ ref: 'a' })], { address }),
        ),
      ]),
      found([
        ...entries.map((address): LiveEntry => ({ address, slot: ABSENT })),
        ...customs.map((address): LiveEntry => ({
          address,
          slot: address.name === 'Gone' ? { kind: 'present', ruleset: old } : ABSENT,
        })),
      ]),
    );
    expect(
      planned(plan).steps.map(({ target }) => (target.level === 'custom' ? target.name : target.phase)),
    ).toEqual(['A', 'B', 'http_request_transform', 'http_ratelimit', 'Gone']);
  });

  it('changes a custom ruleset before the rule that executes it by id, whatever else changes', () => {
    const custom = liveRuleset([], { id: id(0xc), kind: 'custom', name: LOGIN.name });
    const plan = planScope(
      wanted([
        desiredRuleset([executes(id(0xc)), desiredRule({ ref: 'b' })]),
        desiredRuleset([desiredRule({ ref: 'a' })], { address: LOGIN }),
      ]),
      found(
        [
          { address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([]) } },
          { address: LOGIN, slot: { kind: 'present', ruleset: custom } },
        ],
        [head(0xc, LOGIN.name, { kind: 'custom' })],
      ),
    );
    expect(planned(plan).steps.map(({ target, after }) => [target.level, after])).toEqual([
      ['custom', []],
      ['zone', ['zone:shop.example/http_request_firewall_custom/custom:login-protection']],
    ]);
  });

  it('shows an adopted rule as a change of its ref', () => {
    const plan = planScope(
      wanted([desiredRuleset([desiredRule({ ref: 'readable', adopt: true })])]),
      found([{ address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([liveRule(7)]) } }]),
    );
    expect(planned(plan).steps[0]?.changes).toMatchObject([
      { kind: 'patch', id: id(7), ref: 'readable', adopts: id(7), fields: [] },
    ]);
  });

  it('names the rule before a new one: a rule of others by its ref, an adopted rule by its new ref', () => {
    const others = { kind: 'patterns', patterns: ['ours-*'] } as const;
    const after = (rules: readonly ReturnType<typeof desiredRule>[]): unknown => {
      const live = liveRuleset([liveRule(7, { ref: 'theirs' })]);
      const plan = planScope(
        wanted([desiredRuleset(rules, { ownership: others })]),
        found([{ address: ENTRY, slot: { kind: 'present', ruleset: live } }]),
      );
      return planned(plan).steps[0]?.changes.find(({ kind }) => kind === 'add');
    };
    const added = desiredRule({ ref: 'ours-new', expression: 'ssl' });
    expect(after([added])).toMatchObject({ place: { index: 2, after: 'theirs' } });
    expect(after([desiredRule({ ref: 'ours-a', id: id(7), adopt: true }), added])).toMatchObject({
      place: { index: 2, after: 'ours-a' },
    });
  });

  it('gives the description of an unnamed rule beside its id, in places and in notes', () => {
    const nameless = liveRule(7, { description: 'Partners may pass' });
    const kept = desiredRule({
      id: id(7),
      description: 'Partners may pass',
      expression: 'ip.src == 192.0.2.1',
    });
    const { steps, notes } = planned(
      planScope(
        wanted([desiredRuleset([kept, desiredRule({ ref: 'new', expression: 'ssl' })])]),
        found([{ address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([nameless]) } }]),
      ),
    );
    const description = 'Partners may pass';
    expect(steps[0]?.changes).toMatchObject([{ place: { index: 2, after: id(7), description } }]);
    expect(notes).toMatchObject([{ kind: 'respelled', rule: id(7), description }]);
  });

  it('notes once for a ruleset that adopt and id are no longer needed', () => {
    const notes = (...rules: readonly ReturnType<typeof desiredRule>[]) =>
      planned(
        planScope(
          wanted([desiredRuleset(rules)]),
          found([
            {
              address: ENTRY,
              slot: {
                kind: 'present',
                ruleset: liveRuleset([liveRule(7, { ref: 'a' }), liveRule(8, { ref: 'b' })]),
              },
            },
          ]),
        ),
      ).notes.map(({ kind, rule, message }) => `${kind} ${rule}: ${message}`);
    const [a, b] = [
      desiredRule({ ref: 'a', id: id(7), adopt: true }),
      desiredRule({ ref: 'b', adopt: true }),
    ];
    expect(notes(a, b)).toEqual([
      'adoptable a: has its ref live: adopt: true and id are no longer needed and can be removed, also on 1 more of this ruleset',
    ]);
    expect(notes(desiredRule({ ref: 'a', id: id(7) }), b)).toEqual([
      'adoptable b: has its ref live: adopt: true is no longer needed and can be removed',
    ]);
    // A rule that is still to be adopted gets no such note.
    expect(notes(desiredRule({ ref: 'new', id: id(7), adopt: true }), desiredRule({ ref: 'b' }))).toEqual([]);
  });

  it('warns of a rule that claims a live rule which does not exist', () => {
    const content = { expression: 'http.host eq "a"' };
    const live = [liveRule(7, { ref: 'theirs', expression: 'http.host eq "b"' })];
    const there = { kind: 'present', ruleset: liveRuleset(live) } as const;
    const notes = (rule: Parameters<typeof desiredRule>[0], slot: LiveEntry['slot'] = there): unknown => {
      return planned(
        planScope(
          wanted([desiredRuleset([desiredRule({ ref: 'new', ...content, ...rule })])]),
          found([{ address: ENTRY, slot }]),
        ),
      ).notes.map(({ kind, message }) => `${kind}: ${message}`);
    };
    expect(notes({ id: id(8), adopt: true })).toEqual([
      `adopts-nothing: is added as a new rule: there is no live rule with the id ${id(8)}`,
    ]);
    expect(notes({ id: id(8) })).toHaveLength(1);
    expect(notes({ adopt: true })).toEqual([
      'adopts-nothing: is added as a new rule: there is no live rule for adopt: true to take over',
    ]);
    expect(notes({ id: id(7), adopt: true })).toEqual([]);
    // An absent ruleset has no live rule to claim either.
    expect(notes({ id: id(7), adopt: true }, ABSENT)).toHaveLength(1);
    expect(notes({})).toEqual([]);
  });

  it('notes that a new rule could keep the id of the equal live rule that it replaces', () => {
    const plan = planScope(
      wanted([desiredRuleset([desiredRule({ ref: 'new' })])]),
      found([
        { address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset([liveRule(7, { ref: 'old' })]) } },
      ]),
    );
    expect(planned(plan).notes).toMatchObject([
      {
        kind: 'recreated',
        rule: 'new',
        message:
          'is old with a new id; analytics and skip rules refer to the old id; to keep it, use the old ref or set adopt: true',
        cause: CAUSE,
      },
    ]);
  });
});

describe('effectDigest', () => {
  const live = [liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' }), liveRule(3, { ref: 'c' })];
  const a = desiredRule({ ref: 'a' });
  const b = desiredRule({ ref: 'b' });
  const c = desiredRule({ ref: 'c' });
  const plan = (
    rules: Parameters<typeof desiredRuleset>[0],
    over: Partial<ReturnType<typeof liveRuleset>> = {},
  ): ScopePlan =>
    planScope(
      wanted([desiredRuleset(rules)]),
      found([{ address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset(live, over) } }]),
    );

  it('hashes effects whose JSON is canonical as it is written', () => {
    fc.assert(
      fc.property(plannedScopes, ({ steps }) => {
        const effects = steps.map(stepEffect);
        expect(JSON.stringify(effects)).toBe(canonicalJson(effects));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('changes when only the order of rules changes', () => {
    expect(effectDigest([plan([b, a, c])])).not.toBe(effectDigest([plan([c, a, b])]));
  });

  it('changes with the target of an execute rule', () => {
    const executing = (target: string) =>
      desiredRule({ ref: 'x', action: 'execute', action_parameters: { id: target } });
    expect(effectDigest([plan([a, b, c, executing(id(8))])])).not.toBe(
      effectDigest([plan([a, b, c, executing(id(9))])]),
    );
  });

  it('stays the same when only versions, times or source places differ', () => {
    const elsewhere = {
      ...a,
      content: content({ action: 'log' }),
      cause: { file: 'other.yaml', line: 9, column: 2 },
    };
    const here = { ...elsewhere, cause: CAUSE };
    expect(effectDigest([plan([here, b, c], { version: '7', lastUpdated: '2026-02-02T00:00:00Z' })])).toBe(
      effectDigest([plan([elsewhere, b, c])]),
    );
  });
});

describe('makePlan', () => {
  it('returns plain JSON and counts each rule once', () => {
    const live = [liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' }), liveRule(3, { ref: 'gone' })];
    const desired = [
      desiredRule({ ref: 'b', action: 'log' }),
      desiredRule({ ref: 'a' }),
      desiredRule({ ref: 'new' }),
    ];
    const scope = planScope(
      wanted([desiredRuleset(desired)]),
      found([{ address: ENTRY, slot: { kind: 'present', ruleset: liveRuleset(live) } }]),
    );
    const plan = makePlan('emulator', [scope]);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect(plan.summary).toEqual({
      rules: { add: 1, patch: 1, move: 0, delete: 1 },
      rulesets: { create: 0, update: 1, delete: 0 },
    });
    const step: Step | undefined = planned(scope).steps[0];
    expect(step?.changes.find((change) => change.kind === 'patch')?.move).toBeDefined();
  });
});
