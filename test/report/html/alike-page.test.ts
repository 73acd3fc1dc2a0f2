import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../src/app/planning/drift-of.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import { driftPage, outcomesPage, planPage } from '../printed.ts';
import { joinPieces } from '../../../src/report/pieces.ts';
import { outcomesJson } from '../../../src/report/json-documents.ts';
import { judged, patch, plan, remove, scope, update } from '../plan-builder.ts';

const weakening = { kind: 'weakening', reason: 'no longer blocks what it matches' } as const;

/** A zone in which a rule is deleted. */
function zone(name: string, rule: string): PlannedScope {
  const id = `zone:${name}/http_request_firewall_custom`;
  return judged(
    scope([update([remove(rule, { protection: weakening })], { id })], {
      scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
    }),
  );
}

const scopes = [zone('a.example', 'old'), zone('b.example', 'other'), zone('<c>.example', 'old')];
const all = plan(...scopes);

/** The headings of the scopes. */
function sections(page: string): readonly string[] {
  return [...page.matchAll(/<section class="part"[\s\S]*?<h2[^>]*>([\s\S]*?)<\/h2>/g)].map(([, title = '']) =>
    title
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

const TITLES = ['zone a.example and 1 more zone alike', 'zone b.example'];

describe('scopes that change alike in the page', () => {
  it('are one section, with the escaped names of the others in a fold', () => {
    const page = joinPieces(planPage(all));
    expect(sections(page)).toEqual(TITLES);
    expect(page).toMatch(
      /<details class="fold"\s*>\s*<summary>Identical but for names, [^<]+<\/summary>\s*<p data-name><code>&lt;c&gt;\.example<\/code><\/p>/,
    );
    expect(sections(joinPieces(driftPage(driftOf(all))))).toEqual(TITLES);
  });

  it('are sorted by seriousness, and keep the order of the rulesets in each', () => {
    const named = (name: string) =>
      ({ kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) }) as const;
    const rename = scope([update([patch('calm', { before: {}, after: { description: 'x' } })])], {
      scope: named('calm.example'),
    });
    const ends = judged(
      scope(
        [
          update([patch('calm', { before: {}, after: { description: 'x' } })]),
          update([remove('door', { protection: weakening })], {
            id: 'zone:late.example/http_ratelimit',
            target: { kind: 'ruleset', level: 'zone', phase: 'http_ratelimit', name: '' },
          }),
        ],
        { scope: named('late.example') },
      ),
    );
    const page = joinPieces(planPage(plan(rename, zone('one.example', 'old'), ends)));
    expect(sections(page)).toEqual(['zone one.example', 'zone late.example', 'zone calm.example']);
    expect([...page.matchAll(/<h3><b>([^<]+)/g)].map(([, title]) => title)).toEqual([
      'WAF custom rules',
      'WAF custom rules',
      'Rate limiting rules',
      'WAF custom rules',
    ]);
  });

  it('are one section even if other rules stay in each', () => {
    const own = (name: string, id: string): PlannedScope =>
      scope(
        [
          update([remove('old')], {
            id: `zone:${name}/http_request_firewall_custom`,
            staying: [id],
          }),
        ],
        { scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) } },
      );
    const page = joinPieces(
      planPage(plan(own('a.example', '1'.repeat(32)), own('b.example', '2'.repeat(32)))),
    );
    expect(sections(page)).toEqual(['zone a.example and 1 more zone alike']);
    expect(page).toContain('1 unchanged');
  });

  it('are counted one by one', () => {
    const page = joinPieces(planPage(all));
    expect(page).toContain('3 rulesets of 3 scopes in the plan.');
    expect(page).toContain('<b>3</b> weaken');
    expect(page).toMatch(/<span\s*>3 changes, 3 weaken protection<\/span\s*>/);
  });

  it('can each be chosen in the filter, which leads to their section', () => {
    const options = [...joinPieces(planPage(all)).matchAll(/<option value="(s\d)">([^<]+)/g)];
    expect(options.map(([, value, name]) => [value, name])).toEqual([
      ['s1', 'a.example'],
      ['s1', '&lt;c&gt;.example'],
      ['s2', 'b.example'],
    ]);
  });

  it('have a link from the finding of a guard in each of them to the rule', () => {
    const names = ['a.example', 'd.example'];
    const page = joinPieces(planPage(plan(...names.map((name) => zone(name, 'old')))));
    expect(sections(page)).toEqual(['zone a.example and 1 more zone alike']);
    expect(page.match(/<a href="#r1"><span class="t-warning">weakened<\/span><\/a>/g)).toHaveLength(2);
  });

  it('are sections of their own if apply ended differently', () => {
    const step = (name: string): string => `zone:${name}/http_request_firewall_custom`;
    const done = (name: string): Outcome => ({ kind: 'done', step: step(name), version: '8', writes: 1 });
    const reached = (last: Outcome) =>
      outcomesJson(all, {
        result: 'partial',
        dryRun: false,
        refusals: [],
        outcomes: [done('a.example'), done('b.example'), last],
      });
    expect(sections(joinPieces(outcomesPage(all, reached(done('<c>.example')))))).toEqual(TITLES);
    const stopped: Outcome = { kind: 'not-reached', step: step('<c>.example'), reason: 'stopped' };
    expect(sections(joinPieces(outcomesPage(all, reached(stopped))))).toEqual([
      'zone a.example',
      'zone b.example',
      'zone &lt;c&gt;.example',
    ]);
  });
});
