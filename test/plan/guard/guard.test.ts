import { describe, expect, it } from 'vitest';
import type { PlannedScope, ScopePlan } from '../../../src/model/plan.ts';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { GuardFinding, Safety } from '../../../src/model/guard.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { guardRun, guardScope, findingsOf, refusals } from '../../../src/plan/guard/guard-scope.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { planOne } from '../world.ts';

function guarded(
  desired: readonly DesiredRule[],
  live: readonly LiveRule[],
  safety: Partial<Safety> = {},
): PlannedScope {
  const plan = planOne(desiredRuleset(desired), liveRuleset(live));
  return guardScope(plan, { ...DEFAULT_SAFETY, ...safety }, '2026-06-01');
}

function kinds(plan: PlannedScope): readonly string[] {
  return plan.findings.map((finding) => finding.kind);
}

const named = (count: number): LiveRule[] =>
  Array.from({ length: count }, (_, index) => liveRule(index + 1, { ref: `r${index}`, action: 'log' }));
const kept = (rules: readonly LiveRule[]): DesiredRule[] =>
  rules.map((rule) => ({ ref: rule.ref, adopt: false, content: rule.content, cause: CAUSE }));

describe('guardScope, guardRun and refusals', () => {
  it('finds nothing in a plan that deletes 3 of 10 rules', () => {
    const live = named(10);
    expect(kinds(guarded(kept(live.slice(3)), live))).toEqual([]);
  });

  it('does not count rules that get their first ref, but counts rules that get another one', () => {
    const live = Array.from({ length: 20 }, (_, index) => liveRule(index + 1, { action: 'log' }));
    const renamed = (rules: readonly LiveRule[]) =>
      kept(rules).map((rule, index) => ({ ...rule, ref: `new-${index}`, adopt: true }));
    expect(kinds(guarded(renamed(live), live))).toEqual([]);
    expect(kinds(guarded(renamed(named(20)), named(20)))).toEqual(['changed']);
    const respelled = renamed(live).map((rule, index) => ({
      ...rule,
      id: id(index + 1),
      content: { ...rule.content, expression: `(${rule.content.expression})` },
    }));
    expect(kinds(guarded(respelled, live))).toEqual([]);
  });

  it('counts rules that get their first ref and change, even if the plan lists no fields for them', () => {
    const live = Array.from({ length: 20 }, (_, index) => liveRule(index + 1, { action: 'log' }));
    const edited = kept(live).map((rule, index) => ({
      ...rule,
      id: id(index + 1),
      ref: `new-${index}`,
      content: { ...rule.content, description: 'edited' },
    }));
    const plan = guarded(edited, live);
    expect(kinds(plan)).toEqual(['changed']);
    const steps = plan.steps.map((step) => ({
      ...step,
      changes: step.changes.map((change) => (change.kind === 'patch' ? { ...change, fields: [] } : change)),
    }));
    expect(kinds(guardScope({ ...plan, steps, findings: [] }, DEFAULT_SAFETY, '2026-06-01'))).toEqual([
      'changed',
    ]);
  });

  it('refuses to delete more than the share, with the numbers and the limit', () => {
    const live = named(10);
    const plan = guarded(kept(live.slice(4)), live);
    expect(plan.findings).toEqual([
      {
        kind: 'deleted',
        effect: 'refuse',
        step: 'zone:shop.example/http_request_firewall_custom',
        message:
          'zone:shop.example/http_request_firewall_custom: 4 of our 10 live rules would be deleted; max_deleted allows 3 (30% of 10)',
      },
    ]);
  });

  it('applies a share to at least min_rules rules, and a count to any number of rules', () => {
    const live = named(9);
    expect(kinds(guarded(kept(live.slice(3)), live))).toEqual([]);
    expect(guarded(kept(live.slice(8)), live).findings.map(({ message }) => message)).toEqual([
      'zone:shop.example/http_request_firewall_custom: 8 of our 9 live rules would be deleted; max_deleted allows 3 (30% of min_rules, 10)',
    ]);
    expect(kinds(guarded(kept(live.slice(8)), live, { minRules: 0 }))).toEqual(['deleted']);
    expect(kinds(guarded(kept(live.slice(2)), live, { maxDeleted: { kind: 'count', count: 1 } }))).toEqual([
      'deleted',
    ]);
  });

  const percent = (number: number) => ({ kind: 'percent', percent: number }) as const;
  const count = (number: number) => ({ kind: 'count', count: number }) as const;

  it.each([
    // One below, at and above the share; a share that is no whole number of rules is rounded down.
    { live: 20, touched: 5, limit: percent(30), refused: false },
    { live: 20, touched: 6, limit: percent(30), refused: false },
    { live: 20, touched: 7, limit: percent(30), refused: true },
    { live: 13, touched: 3, limit: percent(30), refused: false },
    { live: 13, touched: 4, limit: percent(30), refused: true },
    { live: 375, touched: 69, limit: percent(18.4), refused: false },
    { live: 375, touched: 70, limit: percent(18.4), refused: true },
    { live: 10, touched: 1, limit: percent(0), refused: true },
    { live: 10, touched: 9, limit: percent(100), refused: false },
    // One below, at and above the least count for percentages.
    { live: 3, touched: 2, limit: percent(30), refused: false },
    { live: 9, touched: 3, limit: percent(30), refused: false },
    { live: 9, touched: 4, limit: percent(30), refused: true },
    { live: 10, touched: 8, limit: percent(30), refused: true },
    { live: 11, touched: 8, limit: percent(30), refused: true },
    // A count holds at any size.
    { live: 3, touched: 1, limit: count(2), refused: false },
    { live: 3, touched: 2, limit: count(2), refused: false },
    { live: 4, touched: 3, limit: count(2), refused: true },
    { live: 4, touched: 1, limit: count(0), refused: true },
  ])('applies limits exactly: %o', ({ live: size, touched, limit, refused }) => {
    const live = named(size);
    const changed = kept(live).map((rule, index) =>
      index < touched ? { ...rule, content: { ...rule.content, description: 'new' } } : rule,
    );
    const open = count(size);
    expect(
      kinds(guarded(kept(live.slice(touched)), live, { maxDeleted: limit, maxChanged: open, minRules: 10 })),
    ).toEqual(refused ? ['deleted'] : []);
    expect(kinds(guarded(changed, live, { maxDeleted: open, maxChanged: limit, minRules: 10 }))).toEqual(
      refused ? ['changed'] : [],
    );
  });

  it('refuses to change more than the share', () => {
    const live = named(10);
    const changed = kept(live).map((rule, index) =>
      index < 6 ? { ...rule, content: { ...rule.content, description: 'new' } } : rule,
    );
    expect(kinds(guarded(changed, live))).toEqual(['changed']);
  });

  it('counts moved rules as changed', () => {
    const live = named(20);
    expect(guarded(kept(live).toReversed(), live).findings).toMatchObject([
      { kind: 'changed', message: expect.stringContaining('19 of our 20 live rules would change or move') },
    ]);
    const [first, ...rest] = kept(live);
    expect(kinds(guarded([...rest, ...(first === undefined ? [] : [first])], live))).toEqual([]);
  });

  it('refuses to empty a ruleset, whatever its size', () => {
    expect(kinds(guarded([], named(1)))).toEqual(['emptied']);
  });

  /** What is found when this many rules of others stand beside ours. */
  const sharing = (
    others: number,
    desired: readonly DesiredRule[],
    live: readonly LiveRule[],
  ): readonly GuardFinding[] => {
    const theirs = Array.from({ length: others }, (_, index) =>
      liveRule(1000 + index, { ref: `x${index}`, action: 'log' }),
    );
    const ruleset = desiredRuleset(desired, { ownership: patterns('r*') });
    const plan = planOne(ruleset, liveRuleset([...theirs, ...live]));
    return guardScope(plan, DEFAULT_SAFETY, '2026-06-01').findings;
  };

  it.each([0, 1, 80])('judges our rules the same beside %i rules of others', (others) => {
    const live = named(24);
    const edited = kept(live).map((rule, index) =>
      index < 13 ? { ...rule, content: { ...rule.content, description: 'new' } } : rule,
    );
    const off = kept(live).map((rule) => ({ ...rule, content: { ...rule.content, enabled: false } }));
    const place = 'zone:shop.example/http_request_firewall_custom';
    const deleted = (count: number): string =>
      `${place}: ${count} of our 24 live rules would be deleted; max_deleted allows 7 (30% of 24)`;
    const changed = (count: number): string =>
      `${place}: ${count} of our 24 live rules would change or move; max_changed allows 12 (50% of 24)`;
    const emptied = `${place} would lose all our 24 rules`;
    const messages = (desired: readonly DesiredRule[]): readonly string[] =>
      sharing(others, desired, live).map(({ message }) => message);
    expect(messages([])).toEqual([emptied, deleted(24)]);
    expect(messages(kept(live.slice(8)))).toEqual([deleted(8)]);
    expect(messages(kept(live.slice(7)))).toEqual([]);
    expect(messages(edited)).toEqual([changed(13)]);
    expect(messages(off)).toEqual([
      `${place} would have all our 24 rules switched off (\`enabled: false\`)`,
      changed(24),
    ]);
    expect(messages(kept(live).toReversed())).toEqual([changed(23)]);
  });

  it('does not treat a ruleset as emptied in which only others have rules', () => {
    expect(sharing(5, [desiredRule({ ref: 'r0', enabled: false, action: 'log' })], [])).toEqual([]);
  });

  it('treats a ruleset as emptied when only a disabled rule is left', () => {
    const dummy = desiredRule({ ref: 'dummy', enabled: false, action: 'log' });
    const plan = guarded([dummy], named(2));
    expect(kinds(plan)).toEqual(['emptied']);
    expect(plan.findings[0]?.message).toMatch(/no rule of ours in force: what remains is switched off/u);
  });

  it('refuses to delete an unnamed rule, and says how to keep it', () => {
    const live = [...named(1), liveRule(50, { action: 'log' })];
    const plan = guarded(kept(named(1)), live);
    expect(kinds(plan)).toEqual(['unnamed']);
    expect(plan.findings[0]?.message).toMatch(
      /would be deleted\. To keep it, write a rule with this ref into the files, or with its `id` and a ref of your choice$/u,
    );
  });

  it('refuses to delete an unnamed rule that was recreated with its former id as its ref', () => {
    const live = [...named(1), liveRule(50, { action: 'log', ref: id(49) })];
    expect(kinds(guarded(kept(named(1)), live))).toEqual(['unnamed']);
  });

  it('does not say how files keep an unnamed rule when the plan goes back to a version', () => {
    const live = [...named(1), liveRule(50, { action: 'log' })];
    const back = desiredRuleset(kept(named(1)), { cause: { version: '3' } });
    const { findings } = guardScope(planOne(back, liveRuleset(live)), DEFAULT_SAFETY, '2026-06-01');
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/newer than that version .* \(its ref is an id\), and would be deleted$/u),
    ]);
  });

  it('refuses to change, move or delete a protected rule', () => {
    const live = named(3);
    const [first, second, third] = kept(live);
    const protect = ['r1'];
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error('three rules');
    }
    expect(kinds(guarded([first, third], live, { protect }))).toEqual(['protected']);
    expect(
      kinds(
        guarded([first, { ...second, content: { ...second.content, description: 'new' } }, third], live, {
          protect,
        }),
      ),
    ).toEqual(['protected']);
    expect(
      guarded([second, first, third], live, { protect: ['r0', 'r1'] }).findings.map(({ message }) => message),
    ).toEqual([expect.stringMatching(/ is protected and would be moved$/)]);
    expect(kinds(guarded([first, second, third, desiredRule({ ref: 'r9' })], live, { protect }))).toEqual([]);
  });

  it('refuses to adopt a rule protected by its current ref, or by its new ref unless it was unnamed', () => {
    const live = [liveRule(1, { ref: 'keep', action: 'log' })];
    const taken = [desiredRule({ ref: 'ours', id: id(1), adopt: true, action: 'log' })];
    expect(kinds(guarded(taken, live, { protect: ['keep'] }))).toEqual(['protected']);
    expect(kinds(guarded(taken, live, { protect: ['ours'] }))).toEqual(['protected']);
    const reason = (protect: readonly string[]) => guarded(taken, live, { protect }).findings[0]?.reason;
    expect(reason(['k*'])).toBe('is protected as keep and would be changed');
    expect(reason(['k*', 'ours'])).toBe('is protected and would be changed');
    const nameless = [liveRule(1, { action: 'log' })];
    expect(kinds(guarded(taken, nameless, { protect: ['ours'] }))).toEqual([]);
    expect(kinds(guarded(taken, nameless, { protect: ['0*'] }))).toEqual(['protected']);
  });

  it('warns of weaker protection, or refuses it if the settings say so', () => {
    const live = [liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b' })];
    const [first] = kept(live);
    const desired = first === undefined ? [] : [first];
    expect(guarded(desired, live).findings).toEqual([
      {
        kind: 'weakened',
        effect: 'warn',
        step: 'zone:shop.example/http_request_firewall_custom',
        rule: 'b',
        reason: 'no longer blocks what it matches',
        message: 'zone:shop.example/http_request_firewall_custom: rule b no longer blocks what it matches',
      },
    ]);
    const [refused] = guarded(desired, live, { weakened: 'refuse' }).findings;
    expect(refused).toMatchObject({ effect: 'refuse', rule: 'b' });
  });

  it('measures the rulesets of a scope together if two of them change', () => {
    const live = named(9);
    const ruleset = (phase: string): PlannedScope =>
      planOne(
        desiredRuleset(kept(live.slice(3)), { address: { kind: 'entrypoint', phase } }),
        liveRuleset(live, { phase }),
      );
    const [one, other] = [ruleset('http_request_firewall_custom'), ruleset('http_ratelimit')];
    const plan = guardScope({ ...one, steps: [...one.steps, ...other.steps] }, DEFAULT_SAFETY, '2026-06-01');
    expect(plan.findings.map(({ message }) => message)).toEqual([
      'zone:shop.example: 6 of our 18 live rules would be deleted; max_deleted allows 5 (30% of 18)',
    ]);
  });

  it('measures all scopes of a run together if more than one changes', () => {
    const small = named(5);
    const one = guarded(kept(small.slice(3)), small);
    const scopes = [one, { ...one, scope: { ...one.scope, id: id(9), name: 'blog.example' } }];
    expect(scopes.map((scope) => kinds(scope))).toEqual([[], []]);
    expect(guardRun(scopes, DEFAULT_SAFETY, '2026-06-01')).toEqual([
      {
        kind: 'deleted',
        effect: 'refuse',
        message:
          'the whole run (2 scopes): 6 of our 10 live rules would be deleted; max_deleted allows 3 (30% of 10)',
      },
    ]);
    expect(guardRun([one], DEFAULT_SAFETY, '2026-06-01')).toEqual([]);
    const allow = [{ kind: 'deleted', reason: 'clean-up', until: '2026-06-01' } as const];
    expect(guardRun(scopes, { ...DEFAULT_SAFETY, allow }, '2026-06-01')).toEqual([]);
  });

  it('refuses a run that changes more scopes than max_scopes, however little each changes', () => {
    const live = named(20);
    const one = guarded(kept(live.slice(1)), live);
    const run = (count: number): readonly ScopePlan[] =>
      Array.from({ length: count }, (_, index) => ({
        ...one,
        scope: { ...one.scope, id: id(100 + index), name: `zone-${index}.example` },
      }));
    const untouched = { ...guarded(kept(live), live), scope: { ...one.scope, id: id(99) } };
    const safety = { ...DEFAULT_SAFETY, maxScopes: 3 };
    expect(guardRun([...run(3), untouched], safety, '2026-06-01')).toEqual([]);
    expect(guardRun(run(4), DEFAULT_SAFETY, '2026-06-01')).toEqual([]);
    expect(guardRun(run(4), safety, '2026-06-01')).toEqual([
      {
        kind: 'scopes',
        effect: 'refuse',
        message:
          '4 scopes would change in the whole run; max_scopes allows 3. Change some of them first (--target)',
      },
    ]);
  });

  it('refuses every change in an account that safety.accounts does not name, and nothing allows it', () => {
    const live = named(20);
    const { scope } = guarded([], live);
    const accounts = [id(98), scope.accountId];
    expect(kinds(guarded(kept(live.slice(1)), live, { accounts }))).toEqual([]);
    expect(kinds(guarded(kept(live), live, { accounts: [id(98)] }))).toEqual([]);
    const plan = guarded(kept(live.slice(1)), live, { accounts: [id(98)] });
    expect(plan.findings).toEqual([
      {
        kind: 'account',
        effect: 'refuse',
        message: `zone:shop.example is in the account ${scope.accountId}, which \`safety.accounts\` does not name: is this the right token?`,
      },
    ]);
    expect(
      refusals(findingsOf({ scopes: [plan] }), { kinds: ['all'], reviewed: plan.findings }),
    ).toHaveLength(1);
  });

  it('measures shares of the scopes that change: untouched scopes make no room for deletions', () => {
    const small = named(5);
    const one = guarded(kept(small.slice(3)), small);
    const other = { ...one, scope: { ...one.scope, id: id(9), name: 'blog.example' } };
    const untouched = Array.from({ length: 98 }, (_, index) => ({
      ...guarded(kept(named(50)), named(50)),
      scope: { ...one.scope, id: id(100 + index), name: `zone-${index}.example` },
    }));
    expect(untouched.flatMap(({ steps }) => steps)).toEqual([]);
    expect(guardRun([one, other, ...untouched], DEFAULT_SAFETY, '2026-06-01')).toEqual(
      guardRun([one, other], DEFAULT_SAFETY, '2026-06-01'),
    );
  });

  it('refuses to delete a ruleset, whose id and versions never come back', () => {
    const live = liveRuleset(named(1), { kind: 'custom', name: 'Login' });
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login' } as const;
    const plan = planOne(desiredRuleset([], { address, presence: 'absent' }), live);
    expect(kinds(guardScope(plan, DEFAULT_SAFETY, '2026-06-01'))).toEqual(['irreversible', 'emptied']);
  });

  it('refuses to delete rules of others with their ruleset, and counts only ours', () => {
    const live = liveRuleset([...named(1), liveRule(7, { ref: 'theirs', action: 'log' })], {
      kind: 'custom',
      name: 'Login',
    });
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Login' } as const;
    const gone = desiredRuleset([], { address, presence: 'absent', ownership: patterns('r*') });
    const plan = guardScope(planOne(gone, live), DEFAULT_SAFETY, '2026-06-01');
    const place = 'zone:shop.example/http_request_firewall_custom/custom:login';
    expect(plan.findings.slice(1)).toEqual([
      {
        kind: 'emptied',
        effect: 'refuse',
        step: place,
        message: `${place} would be deleted with our only rule`,
      },
      {
        kind: 'foreign',
        effect: 'refuse',
        step: place,
        rule: 'theirs',
        reason: 'is not ours and would be deleted with its ruleset',
        message: `${place}: rule theirs is not ours and would be deleted with its ruleset`,
      },
    ]);
    const none = { ...DEFAULT_SAFETY, maxDeleted: { kind: 'count', count: 1 } } as const;
    expect(kinds(guardScope(planOne(gone, live), none, '2026-06-01'))).not.toContain('deleted');
    const theirs = guardScope(
      planOne({ ...gone, ownership: patterns('x*') }, live),
      DEFAULT_SAFETY,
      '2026-06-01',
    );
    expect(kinds(theirs)).toEqual(['irreversible', 'foreign', 'foreign']);
  });

  it('allows what the reviewed plan showed with the same numbers', () => {
    const plan = guarded([], named(2));
    const reviewed = plan.findings;
    expect(refusals(findingsOf({ scopes: [plan] }), { kinds: [], reviewed })).toEqual([]);
    const fewer = guarded([], named(1)).findings;
    expect(refusals(findingsOf({ scopes: [plan] }), { kinds: [], reviewed: fewer })).toHaveLength(1);
    const run = { kind: 'settings', effect: 'refuse', message: 'x' } as const;
    expect(refusals(findingsOf({ scopes: [], findings: [run] }), { kinds: ['emptied'] })).toEqual([run]);
  });

  it('allows a finding for one run by its kind, or by all', () => {
    const plan = guarded([], named(1));
    expect(plan.findings.map(({ message }) => message)).toEqual([
      'zone:shop.example/http_request_firewall_custom would lose our only rule',
    ]);
    expect(refusals(findingsOf({ scopes: [plan] }), { kinds: [] })).toHaveLength(1);
    expect(refusals(findingsOf({ scopes: [plan] }), { kinds: ['deleted'] })).toHaveLength(1);
    expect(refusals(findingsOf({ scopes: [plan] }), { kinds: ['emptied'] })).toEqual([]);
    expect(refusals(findingsOf({ scopes: [plan] }), { kinds: ['all'] })).toEqual([]);
  });

  it('allows a finding by the files, for its kind and the rules that they name, until a day', () => {
    const live = [...named(1), liveRule(50, { action: 'log' })];
    const allowance = { kind: 'unnamed', reason: 'clean-up', until: '2026-06-01' } as const;
    expect(kinds(guarded(kept(named(1)), live, { allow: [allowance] }))).toEqual([]);
    expect(kinds(guarded(kept(named(1)), live, { allow: [{ ...allowance, until: '2026-05-31' }] }))).toEqual([
      'unnamed',
    ]);
    expect(kinds(guarded(kept(named(1)), live, { allow: [{ ...allowance, rule: 'other-*' }] }))).toEqual([
      'unnamed',
    ]);
    expect(kinds(guarded(kept(named(1)), live, { allow: [{ ...allowance, rule: id(50) }] }))).toEqual([]);
    expect(kinds(guarded(kept(named(1)), live, { allow: [{ ...allowance, kind: 'emptied' }] }))).toEqual([
      'unnamed',
    ]);
  });
});

describe('ownership patterns', () => {
  it('match correctly and do not blow up on hostile input', async () => {
    const { matchesAny } = await import('../../../src/plan/match/name-rules.ts');
    const hostile = `${'*a'.repeat(2000)}*b`;
    expect(matchesAny([hostile], 'a'.repeat(4000))).toBe(false);
    expect(matchesAny(['a*b*c'], 'aXbYc')).toBe(true);
    expect(matchesAny(['ab*ba'], 'aba')).toBe(false);
    expect(matchesAny(['*'], '')).toBe(true);
  });
});
