import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../src/app/drift.ts';
import { outcomesDocument } from '../../../src/report/json-documents.ts';
import { driftPage, outcomesPage, planPage } from '../../../src/report/html/plan-page.ts';
import { planText } from '../../../src/report/text/plan.ts';
import { content, plan, remove, scope, update } from '../plan-builder.ts';
import { HOSTILE, colourfulPlan, largePlan } from './pages.ts';

/** What stands in the body outside of our own script. */
function bodyOf(page: string): string {
  return page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'));
}

describe('a page', () => {
  it('is the same for the same plan, byte for byte', async () => {
    expect(await planPage(colourfulPlan())).toBe(await planPage(colourfulPlan()));
  });

  it('allows its own style and script by hash, and asks for nothing', async () => {
    const page = await planPage(colourfulPlan());
    expect(page).toMatch(
      /default-src &#39;none&#39;; style-src &#39;sha256-[^;]+&#39;; script-src &#39;sha256-[^;]+&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;/,
    );
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:,)/);
    expect(page).not.toMatch(/ style="/);
  });

  it('carries hostile text as text, and so does the terminal', async () => {
    const pages = [
      await planPage(colourfulPlan()),
      await driftPage(driftOf(colourfulPlan())),
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

  it('spells out what the id of a rule without a name could hide', async () => {
    const id = 'a\u202eb';
    const gone = remove(id, { id, before: content({ description: 'Old block' }) });
    const page = await planPage(plan(scope([update([gone])])));
    expect(page).toContain('<code class="id">a\\u{202e}b</code>');
    expect(page).not.toContain('\u202e');
  });

  it('says that nothing is to do', async () => {
    const page = bodyOf(await planPage(plan(scope([]))));
    expect(page).toContain('No changes. Live equals the files');
    expect(page).not.toContain('<form');
  });

  it('of an apply shows what happened, first what did not go well, and at each ruleset', async () => {
    const changed = colourfulPlan();
    const document = outcomesDocument(changed, {
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
    const page = bodyOf(await outcomesPage(changed, document));
    expect(page).toContain('Partly applied. 2 rulesets: 1 done, 1 failed. 1 scope could not be planned.');
    expect(page).toMatch(/zone:blog\.example[^]*failed[^]*zone:shop\.example[^]*What the guards found/);
    expect(page).toContain('<span class="badge outcome done">done</span>');
    expect(page).toContain('<span class="badge outcome failed">failed</span>');
  });

  it('of a plan that is not the reviewed one shows how it differs', async () => {
    const changed = colourfulPlan();
    const place = 'zone:blog.example/http_ratelimit';
    const document = outcomesDocument(changed, {
      result: 'refused',
      dryRun: false,
      refusals: [],
      outcomes: [],
      differences: [{ kind: 'only-fresh', place, rule: 'limit', message: 'adds rule limit' }],
    });
    const page = bodyOf(await outcomesPage(changed, document));
    expect(page).toContain('Refused: the plan is not the one that was reviewed. Nothing was written.');
    expect(page).toContain('adds rule limit');
  });

  it.each([
    [2_000, 20_000, 1_500_000],
    [20_000, 20_000, 1_500_000],
  ])('of %i changes is bounded in nodes and bytes', async (changes, nodes, bytes) => {
    const page = await planPage(largePlan(changes));
    expect(page.match(/<[a-z]/g)?.length).toBeLessThan(nodes);
    expect(page.length).toBeLessThan(bytes);
  });
});
