import { expect, it } from 'vitest';
import type { PlannedScope } from '../../src/model/plan.ts';
import type { GuardFinding } from '../../src/model/guard.ts';
import { outcomesPage, planPage } from './printed.ts';
import { outcomesJson } from '../../src/report/json-documents.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { planText } from './printed.ts';
import { planMarkdown } from './printed.ts';
import { add, content, judged, plan, remove, scope, update } from './plan-builder.ts';

const strengthening = { kind: 'strengthening', reason: 'adds block' } as const;
const weakening = { kind: 'weakening', reason: 'no longer blocks what it matches' } as const;

function zone(name: string, changes: Parameters<typeof update>[0], ending: readonly string[]): PlannedScope {
  const step = `zone:${name}/http_request_firewall_custom`;
  return judged(
    scope([update(changes, { id: step })], {
      scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
      findings: ending.map((rule): GuardFinding => {
        const reason = 'now applies block to every request';
        return {
          kind: 'every-request',
          effect: 'warn',
          step,
          rule,
          reason,
          message: `${step}: rule ${rule} ${reason}`,
        };
      }),
    }),
  );
}

/** One zone gets a rule that strengthens, one loses two rules, and one gets a rule that counts as strengthening but ends every request. */
const changed = plan(
  zone('a.example', [add('some', { protection: strengthening })], []),
  zone(
    'b.example',
    [remove('old', { protection: weakening }), remove('older', { protection: weakening })],
    [],
  ),
  zone('c.example', [add('all', { protection: strengthening })], ['all']),
);

const page = joinPieces(planPage(changed));
const markdown = planMarkdown(changed, null);

/** The item of a rule in a page. */
function itemOf(ref: string, whole = page): string {
  const items = whole.split(/(?=<li\s+id="r\d)|<\/ol>/);
  return items.find((item) => item.startsWith('<li') && item.includes(`<b class="ref">${ref}</b>`)) ?? '';
}

it('says in text, beside the rule, that the rule ends every request', () => {
  const [, rule = ''] = planText(changed, { width: 200, colour: false }).split('+ all ');
  expect(rule).toMatch(/^ {8}effect +now applies block to every request$/m);
  expect(planText(changed, { width: 200, colour: false }).match(/^ +effect /gm)).toHaveLength(1);
});

it('marks a rule that ends every request, its fold and its row in Markdown', () => {
  expect(markdown).toMatch(/^\*\*add\*\* `all` .*⚠️ effect: now applies block to every request$/m);
  expect(markdown.match(/^\*\*add\*\* .*⚠️/gm)).toHaveLength(1);
  expect(markdown).toMatch(/<summary>.*1 to add · ⚠️ 1 may stop or redirect every request<\/summary>/);
  expect(markdown).toContain('| Ruleset | May stop or redirect every request | Weakens | Add |');
  expect(markdown).toMatch(/\| zone `c\.example` .*` \| ⚠️ 1 \| +\| 1 \|/m);
  expect(markdown).toMatch(/\| zone `b\.example` .*` \| +\| ⚠️ 2 \|.*\| 2 \|$/m);
});

it('has no column in the table of Markdown for what no rule does', () => {
  expect(planMarkdown(plan(zone('a.example', [add('some')], [])), null)).toContain(
    '| Scope | Ruleset | Weakens | Add |\n',
  );
});

it('keeps a scope that ends every request in the table of Markdown when others are left out', () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    zone(`z${index}.example`, [add(`r${index}`)], index === 19 ? ['r19'] : []),
  );
  expect(planMarkdown(plan(...many), null)).toMatch(/^\| zone `z19\.example` .*⚠️ 1/m);
});

it.each([
  ['a plan', page],
  [
    'an apply',
    joinPieces(
      outcomesPage(
        changed,
        outcomesJson(changed, { result: 'done', dryRun: false, refusals: [], outcomes: [] }),
      ),
    ),
  ],
])(
  'marks a rule that ends every request in the page of %s, and does not call it strengthening',
  (_what, whole) => {
    const item = itemOf('all', whole);
    expect(item).toContain('data-severe');
    expect(item).toContain('<span class="badge warning">may stop or redirect every request</span>');
    expect(item).toContain('<p class="reason warning">effect: now applies block to every request</p>');
    expect(item).not.toMatch(/strengthens/i);
    expect(itemOf('some', whole)).toMatch(/badge good[^]*strengthens: adds block/);
    expect(itemOf('some', whole)).not.toContain('warning');
  },
);

it('lists the scope that ends every request first in the page, and marks its phase', () => {
  const [, index = ''] = /<details class="index"[^>]*>([^]*?)<\/details>/.exec(page) ?? [];
  expect(index).toContain('3 rulesets at a glance, worst first');
  expect([...index.matchAll(/<a href="#s\d">([^<]+)/g)].map(([, name]) => name)).toEqual([
    'c.example',
    'b.example',
    'a.example',
  ]);
  expect(index).toContain('<span class="severe">1 may stop or redirect every request</span>');
  expect(page).toMatch(
    /<span\s*>4 changes, 1 may stop or redirect every request, 2 weaken protection<\/span\s*>/,
  );
});

it('shows a rule that ends every request in a page that has no room for all rules', () => {
  const many = Array.from({ length: 2_100 }, (_, index) => add(`rule-${index}`));
  const whole = joinPieces(planPage(plan(zone('a.example', many, ['rule-2099']))));
  expect(itemOf('rule-2099', whole)).toContain('effect: now');
});

it('marks a weakening that the files allow beside the rule, and does not count it', () => {
  const gone = zone('a.example', [remove('old', { protection: weakening })], []);
  const allowed = plan({ ...gone, findings: [] });
  expect(planMarkdown(plan(gone), null)).toMatch(/\| ⚠️ 1 \| 1 \|$/m);
  expect(planMarkdown(allowed, null)).toMatch(
    /^\*\*delete\*\* `old` · weakens: no longer blocks what it matches \(allowed by safety\.allow\)$/m,
  );
  expect(planMarkdown(allowed, null)).not.toContain('⚠️');
  const whole = joinPieces(planPage(allowed));
  expect(whole).toContain(
    '<p class="reason plain">weakens: no longer blocks what it matches (allowed by safety.allow)</p>',
  );
  expect(whole).not.toMatch(/<b>1<\/b> weakens|data-severe/);
});

const open = plan(
  scope([update([add('office', { content: content({ action: 'skip', expression: 'true' }) })])], {
    findings: [
      {
        kind: 'unprotected',
        effect: 'warn',
        step: 'zone:shop.example/http_request_firewall_custom',
        rule: 'office',
        reason: 'now lets every request past 3 rules after it',
        message: 'rule office now lets every request past 3 rules after it',
      },
    ],
  }),
);

it('marks a rule that lets every request past protection in text, Markdown and the page', () => {
  const [, rule = ''] = planText(open, { width: 200, colour: false }).split('+ office ');
  expect(rule).toMatch(/^ {8}effect +now lets every request past 3 rules after it$/m);
  expect(planMarkdown(open, null)).toMatch(
    /^\*\*add\*\* `office` .*⚠️ effect: now lets every request past 3 rules after it$/m,
  );
  const item = itemOf('office', joinPieces(planPage(open)));
  expect(item).toContain('data-severe');
  expect(item).toContain('<span class="badge warning">may let every request past protection</span>');
  expect(item).toContain(
    '<p class="reason warning">effect: now lets every request past 3 rules after it</p>',
  );
});
