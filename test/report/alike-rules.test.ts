import { describe, expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import type { RuleChange } from '../../src/model/change.ts';
import type { Plan } from '../../src/model/plan.ts';
import { groupRules } from '../../src/report/alike-scopes.ts';
import { planPage, driftPieces, planText, planMarkdown } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import type { Look } from '../../src/report/layout.ts';
import { add, content, guarded, plan, remove, scope, update } from './plan-builder.ts';

const PHASE = 'http_request_firewall_custom';
const STEP = `zone:shop.example/${PHASE}`;
const LOOK: Look = { width: 200, colour: false };

/** A zone in which rules are deleted, each of which weakens protection for its reason. */
function weakened(reasons: readonly string[], zone = 'shop.example') {
  const step = `zone:${zone}/${PHASE}`;
  const changes = reasons.map((reason, index): RuleChange =>
    remove(`r${index + 1}`, { protection: { kind: 'weakening', reason } }),
  );
  return scope([update(changes, { id: step })], {
    scope: { kind: 'zone', id: 'e'.repeat(32), name: zone, accountId: 'f'.repeat(32) },
    findings: reasons.map((reason, index) => ({
      kind: 'weakened',
      effect: 'warn',
      step,
      rule: `r${index + 1}`,
      reason,
      message: `${step}: rule r${index + 1} ${reason}`,
    })),
  });
}

function times(count: number, reason = 'no longer blocks what it matches'): readonly string[] {
  return Array.from({ length: count }, () => reason);
}

/** The lines the first scope. */
function top(document: Plan, look = LOOK): readonly string[] {
  return planText(document, look).split('\n\nzone ')[0]?.split('\n').slice(3) ?? [];
}

function last(document: Plan, look = LOOK): string | undefined {
  return planText(document, look).trimEnd().split('\n').at(-1);
}

describe('one finding about many rules of a ruleset', () => {
  it('is shown for each of five rules, and once for more, with the first names', () => {
    expect(top(plan(weakened(times(5))))).toHaveLength(5);
    expect(top(plan(weakened(times(1000))))).toEqual([
      `  ! weakened  ${STEP}: 1000 rules, each no longer blocks what it matches: r1, r2, r3 and 997 more`,
    ]);
    expect(planMarkdown(plan(weakened(times(1000))), null)).toContain(
      `> - **weakened** \`${STEP}\`: 1000 rules, each no longer blocks what it matches: \`r1\`, \`r2\`, \`r3\` and 997 more\n\n`,
    );
    expect(joinPieces(planPage(plan(weakened(times(30)))))).toContain(
      `<a href="#p1"><span class="t-warning">weakened</span></a>`,
    );
  });

  it('is counted as it is shown and rule by rule', () => {
    expect(last(plan(weakened(times(5))))).toBe('5 findings need attention.');
    expect(last(plan(weakened(times(30))))).toBe('30 findings (in 1 group) need attention.');
  });

  it('is shown for each rule with the detail “each”', () => {
    const verbose: Look = { ...LOOK, detail: 'each' };
    expect(top(plan(weakened(times(30))), verbose)).toHaveLength(30);
    expect(last(plan(weakened(times(30))), verbose)).toBe('30 findings need attention.');
  });

  it('is shown once for many zones', () => {
    const zones = ['a', 'b', 'c', 'd'].map((zone) => weakened(times(30), `${zone}.example`));
    expect(top(plan(...zones))).toEqual([
      `  ! weakened  zone:…/${PHASE}: 30 rules, each no longer blocks what it matches: r1, r2, r3 and 27 more`,
      '      4 zones: a.example, b.example, c.example and 1 more',
    ]);
    expect(last(plan(...zones))).toBe('120 findings (in 1 group) need attention.');
  });

  it('leaves a different finding about a single rule apart', () => {
    const reasons = [...times(3), 'applies skip', ...times(3)];
    expect(top(plan(weakened(reasons)))).toEqual([
      `  ! weakened  ${STEP}: 6 rules, each no longer blocks what it matches: r1, r2, r3 and 3 more`,
      `  ! weakened  ${STEP}: rule r4 applies skip  zones/shop.yaml:8`,
    ]);
  });

  it('sums up the rest of very many rules that have a reason each', () => {
    const reasons = Array.from({ length: 500 }, (_, index) => `comes before x${index}`);
    const lines = top(plan(weakened(reasons)));
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe(
      `  ! weakened  ${STEP}: 490 more rules, each for a reason of its own: r11, r12, r13 and 487 more`,
    );
    expect(top(plan(weakened(reasons.slice(0, 20))))).toHaveLength(20);
  });

  it('is one line at the top of a drift report', () => {
    const changes = Array.from({ length: 30 }, (_, index) => add(`r${index}`, { content: content() }));
    const text = joinPieces(driftPieces(driftOf(plan(scope([update(changes)]))), LOOK));
    expect(text).toContain(
      `  ! 30 rules, each no longer blocks what it matches in ${STEP}: r0, r1, r2 and 27 more\n\n`,
    );
  });

  it('is shown for each rule at the top of a drift report with the detail “each”', () => {
    const changes = Array.from({ length: 30 }, (_, index) => add(`r${index}`, { content: content() }));
    const verbose: Look = { ...LOOK, detail: 'each' };
    const text = joinPieces(driftPieces(driftOf(plan(scope([update(changes)]))), verbose));
    expect(text.match(/^ {2}! r\d+ in \S+: no longer blocks what it matches {2}version 7/gm)).toHaveLength(
      30,
    );
    expect(text).not.toMatch(/and \d+ more/);
  });

  it('names rules without a telling ref by their description and the beginning of their id', () => {
    const id = (digit: number) => `${digit}`.repeat(32);
    const changes = Array.from({ length: 6 }, (_, index) =>
      remove(id(index), {
        id: id(index),
        before: content({ description: `Number ${index}` }),
        protection: { kind: 'weakening', reason: 'no longer blocks what it matches' },
      }),
    );
    expect(planMarkdown(plan(guarded(scope([update(changes)]))), null)).toContain(
      '6 rules, each no longer blocks what it matches: `“Number 0” (00000000…)`, `“Number 1” (11111111…)`, `“Number 2” (22222222…)` and 3 more',
    );
  });
});

it('groups no items about different rulesets, or about none', () => {
  const items = Array.from({ length: 24 }, (_, index) => index);
  const groups = groupRules(items, (index) =>
    index < 12 ? { about: index % 2 === 0 ? 'a' : 'b', says: 'x' } : undefined,
  );
  expect(groups.map(({ members }) => members.length)).toEqual([6, 6, ...items.slice(12).map(() => 1)]);
  expect(groups.some(({ various }) => various)).toBe(false);
});
