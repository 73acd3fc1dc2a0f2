import { expect, it } from 'vitest';
import type { RuleChange } from '../../../src/model/change.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { driftChanges } from '../../../src/plan/difference/drift-changes.ts';
import { nameRules } from '../../../src/plan/rules/name-rules.ts';
import { planRules } from '../../../src/plan/rules/plan-rules.ts';
import { add, content, move, patch, plan, remove, scope, update } from '../../report/plan-builder.ts';
import { desiredRule, desiredRuleset, liveRule } from '../build.ts';

it('judges each change by what live has become, weakening first', () => {
  const found = driftChanges(
    plan(
      scope([
        update([
          remove('extra-block', { before: content({ expression: 'ssl' }) }),
          move('moved', { protection: { kind: 'strengthening', reason: 'stands earlier' } }),
          patch('renamed', { before: { description: 'b' }, after: { description: 'a' } }),
          patch('softer-live', { before: { action: 'log' }, after: { action: 'block' } }),
          patch('firmer-live', { before: { action: 'block' }, after: { action: 'log' } }),
          add('gone-live'),
          remove('extra-skip', { before: content({ action: 'skip' }) }),
        ]),
      ]),
    ),
  );
  const by = (severity: string): readonly string[] =>
    found.filter((change) => change.severity === severity).map(({ rule }) => rule);
  expect(by('weakening')).toEqual(['moved', 'softer-live', 'gone-live', 'extra-skip']);
  expect(by('neutral')).toEqual(['renamed']);
  expect(by('strengthening')).toEqual(['extra-block', 'firmer-live']);
  expect(found[0]).toMatchObject({
    severity: 'weakening',
    version: '7',
    lastUpdated: '2026-11-20T10:00:00Z',
  });
});

it('takes a rule that live has under another ref for neither missing nor more', () => {
  const neutral = { protection: { kind: 'neutral' } } as const;
  const changes = [add('new-name', neutral), remove('old-name', neutral)];
  const step = update(changes);
  const found = driftChanges(plan(scope([step])));
  expect(found.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
    'new-name neutral',
    'old-name neutral',
  ]);
});

/** Rules that matter to each other's place in every way, and one that no request meets beside the first. */
const RULES: readonly (Partial<RuleContent> & { readonly ref: string })[] = [
  { ref: 'block', action: 'block', expression: 'starts_with(http.request.uri.path, "/admin")' },
  { ref: 'skip', action: 'skip', action_parameters: { ruleset: 'current' }, expression: 'ssl' },
  { ref: 'challenge', action: 'managed_challenge', expression: 'http.host eq "a.example"' },
  {
    ref: 'apart',
    action: 'skip',
    action_parameters: { ruleset: 'current' },
    expression: 'http.host eq "b.example"',
  },
  { ref: 'off', action: 'block', expression: 'ssl', enabled: false },
];

type Rules = typeof RULES;

/** All orders of some rules. */
function orders(rules: Rules): readonly Rules[] {
  return rules.length === 0
    ? [[]]
    : rules.flatMap((rule) => orders(rules.filter((other) => other !== rule)).map((rest) => [rule, ...rest]));
}

function changesBetween(live: Rules, files: Rules): readonly RuleChange[] {
  const rules = live.map((rule) => liveRule(RULES.findIndex(({ ref }) => ref === rule.ref) + 1, rule));
  return planRules(nameRules(files.map(desiredRule)), rules, desiredRuleset([])).changes;
}

function gravest(kinds: readonly string[]): string {
  return ['weakening', 'strengthening'].find((kind) => kinds.includes(kind)) ?? 'neutral';
}

it('says of live that protects more by its order alone what the way back would', () => {
  const [block, skip] = RULES;
  const files = [skip, block].flatMap((rule) => rule ?? []);
  const changes = changesBetween(files.toReversed(), files);
  expect(changes.map(({ protection }) => protection.kind)).toEqual(['weakening']);
  expect(driftChanges(plan(scope([update(changes)])))).toMatchObject([
    { difference: 'moved-live', severity: 'strengthening', reason: expect.stringContaining('before a skip') },
  ]);
});

it('judges an order as the plan of the way back does', () => {
  const seen = new Set<string>();
  for (const live of orders(RULES)) {
    for (const files of [RULES, RULES.toReversed()]) {
      const found = driftChanges(plan(scope([update(changesBetween(live, files))])));
      const back = changesBetween(files, live).map(({ protection }) => protection.kind);
      const kind = gravest(found.map(({ severity }) => severity));
      expect({ live, kind }).toEqual({ live, kind: gravest(back) });
      seen.add(kind);
    }
  }
  expect([...seen].toSorted()).toEqual(['neutral', 'strengthening', 'weakening']);
});
