import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../src/app/planning/drift-of.ts';
import { outcomesJson } from '../../../src/report/json-documents.ts';
import { driftPage, outcomesPage, planMarkdown, planPage } from '../printed.ts';
import { joinPieces } from '../../../src/report/pieces.ts';
import { planText } from '../printed.ts';
import { patch, judged, plan, remove, scope, update } from '../plan-builder.ts';
import { HOSTILE, colourfulPlan, largePlan } from './pages.ts';

/** The body without the script of the page. */
function bodyOf(page: string): string {
  return page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'));
}

describe('a page', () => {
  it('is the same for the same plan, byte for byte', () => {
    expect(joinPieces(planPage(colourfulPlan()))).toBe(joinPieces(planPage(colourfulPlan())));
  });

  it('allows its own style and script by hash, and loads nothing', () => {
    const page = joinPieces(planPage(colourfulPlan()));
    expect(page).toMatch(
      /default-src &#39;none&#39;; style-src &#39;sha256-[^;]+&#39;; script-src &#39;sha256-[^;]+&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;/,
    );
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:,)/);
    expect(page).not.toMatch(/ style="/);
  });

  it('shows hostile text as text, and so does the terminal', () => {
    const pages = [
      joinPieces(planPage(colourfulPlan())),
      joinPieces(driftPage(driftOf(colourfulPlan()))),
      planText(colourfulPlan(), { width: 1000, colour: false }),
    ];
    for (const page of pages) {
      expect(page).not.toContain('\u001b');
      expect(page).not.toContain('\u202e');
      expect(page).toContain('\\u{1b}[31m ``` @team');
    }
    for (const page of pages.slice(0, 2).map(bodyOf)) {
      expect(page).not.toContain('<script');
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    expect(HOSTILE).toContain('<script>');
  });

  it('groups the digits of its counts, as text and Markdown do', () => {
    const made = plan(scope([update([remove('one')])]));
    const many = {
      ...made,
      summary: { ...made.summary, rules: { ...made.summary.rules, add: 20_000, delete: 1234 } },
    };
    expect(joinPieces(planPage(many))).toMatch(/<b>20,000<\/b>.*<b>1,234<\/b>/u);
    for (const text of [planText(many, { width: 1000, colour: false }), planMarkdown(many, null)]) {
      expect(text).toContain('20,000 to add, 1,234 to delete');
    }
  });

  it('says in a sentence how many rulesets differ live', () => {
    const drift = driftOf(plan(scope([update([remove('one')])])));
    expect(joinPieces(driftPage(drift))).toContain('1 ruleset of 1 scope differs from the files.');
  });

  it('escapes invisible characters in the name of a rule', () => {
    const page = joinPieces(planPage(plan(scope([update([remove('a\u202eb')])]))));
    expect(page).toContain('<b class="ref">a\\u{202e}b</b>');
    expect(page).not.toContain('\u202e');
  });

  it('separates findings that nothing allows from those that may be allowed', () => {
    const findings = (['emptied', 'referenced'] as const).map((kind) => ({
      kind,
      effect: 'refuse' as const,
      message: `about ${kind}`,
    }));
    const page = bodyOf(joinPieces(planPage(plan(scope([update([remove('a')])], { findings })))));
    const titles = [...page.matchAll(/<h2>([A-Z].*?)<\/h2>|>(emptied|referenced)<\/span>/g)];
    expect(titles.map(([, title, kind]) => title ?? kind)).toEqual([
      'Refused by apply, and nothing allows it',
      'referenced',
      'Blocked: needs --allow emptied, or merging this reviewed plan (apply --expect)',
      'emptied',
    ]);
  });

  it('says that nothing changes', () => {
    const page = bodyOf(joinPieces(planPage(plan(scope([])))));
    expect(page).toContain('No changes. Live equals the files');
    expect(page).not.toContain('<form');
  });

  it('of an apply shows the outcomes, failures first, and again at each ruleset', () => {
    const changed = colourfulPlan();
    const document = outcomesJson(changed, {
      result: 'partial',
      dryRun: false,
      refusals: [],
      outcomes: [
        { kind: 'done', step: 'zone:shop.example/http_request_firewall_custom', version: '8', writes: 1 },
        {
          kind: 'failed',
          step: 'zone:blog.example/http_ratelimit',
          code: 'api/refused',
          message: HOSTILE,
          writes: 0,
        },
      ],
    });
    const page = bodyOf(joinPieces(outcomesPage(changed, document)));
    expect(page).toContain('Partly applied. 2 rulesets: 1 done, 1 failed. 1 scope could not be planned.');
    expect(page).toMatch(/zone:blog\.example[^]*failed[^]*zone:shop\.example[^]*Stops apply unless allowed/);
    expect(page).toContain('<span class="badge good">done</span>');
    expect(page).toContain('<span class="badge error">failed</span>');
  });

  it('of an apply shows how the plan differs from the reviewed one', () => {
    const changed = colourfulPlan();
    const place = 'zone:blog.example/http_ratelimit';
    const document = outcomesJson(changed, {
      result: 'refused',
      dryRun: false,
      refusals: [],
      outcomes: [],
      differences: [{ kind: 'only-fresh', place, rule: 'limit', message: 'adds rule limit' }],
    });
    const page = bodyOf(joinPieces(outcomesPage(changed, document)));
    expect(page).toContain('Refused: the plan is not the one that was reviewed. Nothing was written.');
    expect(page).toContain('adds rule limit');
  });

  it('says that a review allows a finding only of a plan that is to be reviewed', () => {
    const told = plan(
      scope([update([remove('a')])], {
        findings: [{ kind: 'emptied', effect: 'refuse', message: 'no rule would remain' }],
      }),
    );
    expect(joinPieces(planPage(told))).toContain(
      '<h2>Blocked: needs --allow emptied, or merging this reviewed plan',
    );
    expect(joinPieces(planPage(told, { moment: 'run' }))).toContain(
      '<h2>Refused until allowed with --allow emptied</h2>',
    );
  });

  it('shows the results of the preflight, problems first', () => {
    const page = bodyOf(
      joinPieces(
        planPage(colourfulPlan(), {
          preflight: {
            kind: 'done',
            steps: [
              { kind: 'passed', step: 'zone:a.example/http_ratelimit', unchecked: [] },
              {
                kind: 'not-checked',
                step: 'zone:b.example/http_ratelimit',
                code: 'forbidden',
                reason: '403',
                hint: 'the token needs <b>',
              },
              {
                kind: 'failed',
                step: 'zone:c.example/http_ratelimit',
                code: 'api/server-error',
                message: '502',
              },
            ],
          },
        }),
      ),
    );
    expect(page).toContain('Preflight of 3 steps: 1 passed, 1 failed, 1 not checked.');
    expect(page).toMatch(
      />failed<[^]*zone:c\.example[^]*>not checked<[^]*zone:b\.example[^]*the token needs &lt;b&gt;[^]*>passed</,
    );
    expect(bodyOf(joinPieces(planPage(colourfulPlan())))).not.toContain('Preflight');
  });

  it('is rendered scope by scope while it is written', () => {
    let reads = 0;
    const { scopes, ...rest } = largePlan(2_000);
    const counted = scopes.map((one) => ({
      ...one,
      steps: (one.kind === 'planned' ? one.steps : []).map((step) => ({
        ...step,
        get staying() {
          reads += 1;
          return 'staying' in step ? step.staying : [];
        },
      })),
    }));
    const readBy: number[] = [];
    for (const piece of planPage({ ...rest, scopes: counted })) {
      expect(piece).not.toBe('');
      readBy.push(reads);
    }
    const [first = 0, second = 0] = readBy;
    expect([first < second, second < reads]).toEqual([true, true]);
  });

  it('lists the scopes that weaken most first', () => {
    const weak = { protection: { kind: 'weakening', reason: 'no longer blocks what it matches' } } as const;
    const zone = (name: string, ...refs: readonly string[]) =>
      judged(
        scope([update(refs.map((ref) => remove(ref, refs.length > 1 ? weak : {})))], {
          scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
        }),
      );
    const page = joinPieces(planPage(plan(zone('a.example', 'one'), zone('b.example', 'one', 'two'))));
    const [, index = ''] = /<details class="index"[^>]*>([^]*?)<\/details>/.exec(page) ?? [];
    expect([...index.matchAll(/<a href="#(s\d)">([^<]+)/g)].map(([, ...link]) => link)).toEqual([
      ['s1', 'b.example'],
      ['s2', 'a.example'],
    ]);
    expect(index).toContain('2 weaken');
  });

  it('includes scopes that weaken protection when there is no room for all', () => {
    const weak = { protection: { kind: 'weakening', reason: 'no longer blocks what it matches' } } as const;
    const zone = (index: number) =>
      judged(
        scope([update([remove(`rule-${index}`, index === 1_100 ? weak : {})])], {
          scope: {
            kind: 'zone',
            id: 'e'.repeat(32),
            name: `zone-${index}.example`,
            accountId: 'f'.repeat(32),
          },
        }),
      );
    const page = joinPieces(planPage(plan(...Array.from({ length: 1_101 }, (_, index) => zone(index)))));
    expect(page).toContain(' data-name>zone <code>zone-1100.example</code>');
    expect(page).toContain('101 more scopes: the result as JSON has all.');
    expect(page).toContain('1,101 rulesets of 1,101 scopes in the plan.');
  });

  it('has both sides of a long expression in full in a fold', () => {
    const middle = Array.from({ length: 100 }, (_, index) => `host-${index}`).join(' ');
    const expression = (end: string): string => `http.host in {${middle}} and ${end}`;
    const change = patch('long', {
      before: { expression: expression('a') },
      after: { expression: expression('b') },
    });
    const [, full = ''] =
      /<details class="full">([^]*?)<\/details>/.exec(
        joinPieces(planPage(plan(scope([update([change])])))),
      ) ?? [];
    expect(full.split('host-50').length).toBe(3);
    expect(full).toMatch(/<del>a<\/del>[^]*<ins>b<\/ins>/);
  });

  it.each([
    [2_000, 20_000, 1_500_000],
    [20_000, 20_000, 1_500_000],
  ])('of %i changes has a limited number of nodes and bytes', (changes, nodes, bytes) => {
    const page = joinPieces(planPage(largePlan(changes)));
    expect(page.match(/<[a-z]/g)?.length).toBeLessThan(nodes);
    expect(page.length).toBeLessThan(bytes);
  });
});
