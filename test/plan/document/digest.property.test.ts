import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/data/json.ts';
import { canonicalContent } from '../../../src/model/normalise.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { LiveRule, RuleContent } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import { effectDigest } from '../../../src/plan/document/make-plan.ts';
import { planRuleset } from '../../../src/plan/plan-ruleset.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { nameRules, owns } from '../../../src/plan/match/name-rules.ts';
import { propertyRuns } from '../../property-runs.ts';
import { rulesetCases } from '../arbitraries.ts';
import { firewallContents } from '../contents.ts';
import { content, desiredRule, desiredRuleset, id, liveRule, liveRuleset, patterns } from '../build.ts';
import { serve } from '../pure-service.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const runs = { numRuns: propertyRuns() };

/** What a plan of a ruleset changes, the digest of its effect, and the rules after it. */
function planned(live: LiveRuleset, desired: DesiredRuleset) {
  const slot = { kind: 'present', ruleset: live } as const;
  const { step } = planRuleset({ scope: SCOPE, desired, rules: nameRules(desired.rules), slot });
  const steps = step === null ? [] : [step];
  const scope: PlannedScope = { kind: 'planned', scope: SCOPE, bases: [], steps, findings: [], notes: [] };
  const after = steps.flatMap((one) => writesOf(one, 'rules')).reduce<LiveRuleset>(served, live);
  return { changes: step?.changes ?? [], digest: effectDigest([scope]), rules: after.rules };
}

function served(ruleset: LiveRuleset, write: Parameters<typeof serve>[1]): LiveRuleset {
  const after = serve(ruleset, write);
  if (after === null) {
    throw new Error('the ruleset is gone');
  }
  return after;
}

/** What others do to their own rules: add, delete, change, move. */
type Act = (rules: readonly LiveRule[], number: number) => readonly LiveRule[];
const isTheirs = ({ ref }: LiveRule): boolean => !ref.startsWith('ours-');
const onTheirs =
  (seed: number, change: (rules: readonly LiveRule[], at: number) => readonly LiveRule[]): Act =>
  (rules) => {
    const theirs = [...rules.keys()].filter((at) => rules.slice(at, at + 1).some(isTheirs));
    const at = theirs[seed % Math.max(1, theirs.length)];
    return at === undefined ? rules : change(rules, at);
  };
const acts: fc.Arbitrary<Act> = fc
  .tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 }), firewallContents)
  .chain(([seed, to, made]) =>
    fc.constantFrom<Act>(
      (rules, number) =>
        rules.toSpliced(to % (rules.length + 1), 0, {
          id: id(0x200 + number),
          ref: `team-new-${number}`,
          content: made,
        }),
      onTheirs(seed, (rules, at) => rules.toSpliced(at, 1)),
      onTheirs(seed, (rules, at) =>
        rules.map((rule, index) => (index === at ? { ...rule, content: made } : rule)),
      ),
      onTheirs(seed, (rules, at) =>
        rules.toSpliced(at, 1).toSpliced(to % rules.length, 0, ...rules.slice(at, at + 1)),
      ),
    ),
  );

const meetings = fc
  .tuple(rulesetCases(8, firewallContents), fc.array(acts, { minLength: 1, maxLength: 3 }))
  .filter(([{ desired }]) => desired.ownership.kind === 'patterns')
  .map(([{ live, desired }, visits]) => ({
    live,
    desired,
    moved: {
      ...live,
      version: '2',
      rules: visits.reduce((rules, visit, number) => visit(rules, number), live.rules),
    },
  }));

/** Requests, each as the set of conditions of the pool that it meets; no request has two hosts. */
const REQUESTS: readonly ReadonlySet<string>[] = [
  [],
  ['http.host eq "a.example"'],
  ['http.host eq "b.example"'],
]
  .flatMap((host) => [host, [...host, 'ip.src in {192.0.2.0/24 198.51.100.7}']])
  .flatMap((met) => [met, [...met, 'starts_with(http.request.uri.path, "/admin")']])
  .flatMap((met) => [met, [...met, 'cf.client.bot']])
  .map((met) => new Set(['true', ...met]));

function decides({ enabled, action, action_parameters: parameters }: RuleContent): boolean {
  return enabled && action !== 'log' && (action !== 'skip' || parameters?.['ruleset'] === 'current');
}

function deciderOf(request: ReadonlySet<string>, rules: readonly LiveRule[]): LiveRule | undefined {
  return rules.find((rule) => decides(rule.content) && request.has(rule.content.expression));
}

const deed = (rule: LiveRule | undefined): string =>
  canonicalJson([rule?.content.action ?? null, rule?.content.action_parameters ?? null]);

describe('effectDigest', () => {
  it('is equal only for plans that change our rules to the same contents and order, with the same verdicts', () => {
    fc.assert(
      fc.property(meetings, ({ live, moved, desired }) => {
        const [reviewed, fresh] = [planned(live, desired), planned(moved, desired)];
        fc.pre(reviewed.digest === fresh.digest);
        const ours = ({ rules }: typeof reviewed): unknown =>
          rules
            .filter((rule) => owns(desired.ownership, rule))
            .map(({ ref, content: says }) => [ref, canonicalContent(says)]);
        const told = ({ changes }: typeof reviewed): unknown =>
          changes.map(({ kind, ref, protection }) => [kind, ref, protection]);
        expect(ours(fresh)).toEqual(ours(reviewed));
        expect(told(fresh)).toEqual(told(reviewed));
      }),
      runs,
    );
  });

  it('is equal only for plans that do the same to each request that a changed rule decided in the review', () => {
    fc.assert(
      fc.property(meetings, ({ live, moved, desired }) => {
        const [reviewed, fresh] = [planned(live, desired), planned(moved, desired)];
        fc.pre(reviewed.digest === fresh.digest);
        const changed = new Set(reviewed.changes.map(({ ref }) => ref));
        const decided = REQUESTS.filter((request) =>
          changed.has(deciderOf(request, reviewed.rules)?.ref ?? ''),
        );
        const deeds = ({ rules }: typeof reviewed): readonly string[] =>
          decided.map((request) => deed(deciderOf(request, rules)));
        expect(deeds(fresh)).toEqual(deeds(reviewed));
      }),
      runs,
    );
  });

  const ours = liveRule(1, { ref: 'ours-1', expression: 'http.host eq "a.example"' });
  const theirs = liveRule(2, { ref: 'team-1', expression: 'http.host eq "b.example"', action: 'skip' });
  const desired = desiredRuleset(
    [
      desiredRule({ ref: 'ours-1', expression: 'http.host eq "c.example"' }),
      desiredRule({ ref: 'ours-2', expression: 'http.host eq "a.example"' }),
    ],
    { ownership: patterns('ours-*') },
  );
  const digestOn = (...rules: readonly LiveRule[]): string => planned(liveRuleset(rules), desired).digest;
  const SKIP = { action: 'skip', action_parameters: { ruleset: 'current' } } as const;

  it.each([
    [
      'add one for another host, first',
      [theirs, liveRule(3, { ref: 'team-3', ...SKIP, expression: 'http.host eq "z.example"' }), ours],
    ],
    ['add one that does the same', [liveRule(3, { ref: 'team-3', expression: 'true' }), ours, theirs]],
    [
      'add one that only logs',
      [liveRule(3, { ref: 'team-3', action: 'log', expression: 'true' }), ours, theirs],
    ],
    [
      'add one that is off',
      [liveRule(3, { ref: 'team-3', ...SKIP, expression: 'true', enabled: false }), ours, theirs],
    ],
    ['take one away', [ours]],
    ['move one', [theirs, ours]],
    [
      'change one',
      [ours, { ...theirs, content: content({ action: 'block', expression: 'http.host eq "q.example"' }) }],
    ],
  ])('is the same when others %s', (_what, rules) => {
    expect(digestOn(...rules)).toBe(digestOn(ours, theirs));
  });

  it.each([
    ['let requests past ours', [liveRule(3, { ref: 'team-3', ...SKIP, expression: 'true' }), ours, theirs]],
    [
      'end evaluation more softly before ours',
      [liveRule(3, { ref: 'team-3', action: 'managed_challenge', expression: 'true' }), ours],
    ],
    ['come to matter by an edit', [{ ...theirs, content: content({ ...SKIP, expression: 'true' }) }, ours]],
  ])('differs when others %s', (_what, rules) => {
    expect(digestOn(...rules)).not.toBe(digestOn(ours, theirs));
  });
});
