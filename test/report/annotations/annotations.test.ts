import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { driftOf } from '../../../src/app/planning/drift-of.ts';
import { annotationsText, diagnosticsAnnotations } from '../../../src/report/annotation.ts';
import type { Annotation } from '../../../src/report/annotation.ts';
import {
  driftAnnotations,
  planAnnotations,
  outcomesAnnotations,
} from '../../../src/report/plan-annotations.ts';
import { outcomesJson } from '../../../src/report/json-documents.ts';
import { authorKey } from '../../../src/model/index.ts';
import { add, content, endsLive, move, patch, plan, remove, scope, update } from '../plan-builder.ts';

const STEP = 'zone:shop.example/http_request_firewall_custom';

function error(message: string, more: Partial<Annotation> = {}): Annotation {
  return { level: 'error', title: 'a/b', message, ...more };
}

describe('workflow commands', () => {
  it('contain the place, and escape what would end a property or begin another command', () => {
    const where = { file: 'zones/a,b:c%.yaml', line: 3, column: 5, endLine: 3, endColumn: 9 };
    const text = annotationsText([error('100%\n::error::two', { where, title: 'x: y,\nz' })], 'Done.');
    expect(text).toBe(
      '::error file=zones/a%2Cb%3Ac%25.yaml,line=3,endLine=3,col=5,endColumn=9,title=x%3A y%2C\\nz::100%25%0A::error::two\nDone.\n',
    );
  });

  it('leave out columns if a finding spans several lines', () => {
    const where = { file: 'a.yaml', line: 3, column: 5, endLine: 4, endColumn: 2 };
    expect(annotationsText([error('m', { where })], 'Done.')).toContain('file=a.yaml,line=3,endLine=4,title');
  });

  it('are limited to what GitHub shows of each level; the rest is logged as text', () => {
    const many = Array.from({ length: 12 }, (_, index) => error(`::warning::number ${index}`));
    const lines = annotationsText([...many, error('n', { level: 'notice' })], 'Done.')
      .trimEnd()
      .split('\n');
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10);
    expect(lines.filter((line) => line.startsWith('::notice '))).toHaveLength(1);
    expect(lines.slice(9, 10)).toEqual([expect.stringContaining('title=3 more errors::')]);
    expect(lines.slice(-4)).toEqual([
      'error a/b: ::warning::number 9',
      'error a/b: ::warning::number 10',
      'error a/b: ::warning::number 11',
      'Done.',
    ]);
    expect(lines.every((line) => /^(?:::(?:error|notice) |error a\/b|Done)/.test(line))).toBe(true);
  });

  it('do not arise from the text at the end', () => {
    expect(annotationsText([], '::stop-commands::x')).toBe('\\::stop-commands::x\n');
  });
});

it('annotates findings about the files at their place in the repository', () => {
  const finding: Diagnostic = {
    code: 'schema/unknown-key',
    severity: 'error',
    message: 'the key is not known',
    hint: 'did you mean action?',
    where: { file: 'zones/a.yaml', start: { line: 6, column: 9 }, end: { line: 6, column: 15 } },
  };
  expect(diagnosticsAnnotations([finding], 'edge')).toBe(
    '::error file=edge/zones/a.yaml,line=6,endLine=6,col=9,endColumn=15,title=schema/unknown-key::the key is not known%0Ahint: did you mean action?\n1 error.\n',
  );
  expect(diagnosticsAnnotations([], '')).toBe('Valid.\n');
});

it('annotates the rules that preflight refused, and says once why steps were not checked', () => {
  const forbidden = {
    kind: 'not-checked',
    code: 'forbidden',
    reason: '403',
    hint: 'it may not write',
  } as const;
  const text = planAnnotations(plan(scope([update([add('bad')])])), 'edge', {
    preflight: {
      kind: 'done',
      steps: [
        {
          kind: 'refused',
          step: STEP,
          unchecked: [],
          refusals: [
            {
              rule: 'bad',
              cause: { file: 'zones/shop.yaml', line: 7, column: 9 },
              message: 'unknown identifier',
            },
          ],
        },
        { ...forbidden, step: 'zone:a.example/http_ratelimit' },
        { ...forbidden, step: 'zone:b.example/http_ratelimit' },
      ],
    },
  });
  expect(text.split('\n').slice(0, 2)).toEqual([
    `::error file=edge/zones/shop.yaml,line=7,endLine=7,col=9,title=${STEP.replace(':', '%3A')}%3A preflight refused::bad: unknown identifier`,
    '::warning title=preflight%3A not checked::it may not write',
  ]);
});

it('annotates findings of guards at their rules, notes that warn, and scopes that failed', () => {
  const shown = plan(
    scope([update([patch('narrow', { before: {}, after: { action: 'log' } }), remove('gone')])], {
      findings: [
        { kind: 'weakened', effect: 'warn', step: STEP, rule: 'narrow', message: 'softened' },
        { kind: 'protected', effect: 'refuse', step: STEP, rule: 'gone', message: 'would be deleted' },
      ],
      notes: [
        { kind: 'shadowed', step: STEP, rule: 'narrow', message: 'never reached' },
        { kind: 'respelled', step: STEP, rule: 'narrow', message: 'same meaning' },
      ],
    }),
    {
      kind: 'failed',
      scope: { kind: 'zone', name: 'blog.example' },
      error: { code: 'api/forbidden', message: 'may not read' },
    },
  );
  expect(planAnnotations(shown, '').trimEnd().split('\n')).toEqual([
    '::error title=zone blog.example%3A api/forbidden::may not read',
    '::error file=zones/shop.yaml,line=8,endLine=8,col=9,title=protected%3A gone::would be deleted. Blocked: needs --allow protected, or merging this reviewed plan (apply --expect)',
    '::warning file=zones/shop.yaml,line=20,endLine=20,col=9,title=weakened%3A narrow::softened',
    `::warning title=shadowed%3A narrow::${STEP}: narrow: never reached`,
    'Plan: 1 to patch, 1 to delete · 1 ruleset to update.',
  ]);
});

it('annotates one line of a pack once for many zones', () => {
  const zone = (name: string, line: number) => {
    const step = `zone:${name}/http_request_firewall_custom`;
    const cause = { file: 'packs/base.yaml', line, column: 7 };
    const found = scope([{ ...update([{ ...add('a'), cause }]), id: step }], {
      findings: [
        { kind: 'weakened', effect: 'warn', step, rule: 'a', message: `${step}: rule a applies skip` },
      ],
    });
    return { ...found, scope: { ...found.scope, id: name, name } };
  };
  const shown = plan(zone('a.example', 3), zone('b.example', 3), zone('c.example', 3), zone('d.example', 4));
  expect(planAnnotations(shown, '').split('\n').slice(0, -2)).toEqual([
    '::warning file=packs/base.yaml,line=4,endLine=4,col=7,title=weakened%3A a::zone:d.example/http_request_firewall_custom: rule a applies skip',
    '::warning file=packs/base.yaml,line=3,endLine=3,col=7,title=weakened%3A a::zone:…/http_request_firewall_custom: rule a applies skip (3 zones: a.example, b.example, c.example)',
  ]);
});

it('names a rule without a telling ref by its description in drift', () => {
  const id = 'a'.repeat(32);
  const gone = remove(id, { id, before: content({ description: 'Slow down' }) });
  expect(driftAnnotations(driftOf(plan(scope([update([gone])]))), '')).toContain(
    `title=drift%3A “Slow down” (${id})::shop.example, WAF custom rules (http_request_firewall_custom): rule “Slow down” (${id}) is only live`,
  );
});

it('says who made a change', () => {
  const key = authorKey({
    step: 'zone:shop.example/http_request_firewall_custom',
    rule: 'extra',
    difference: 'only-live',
  });
  const by = {
    at: '2026-11-28T09:12:44Z',
    actor: { kind: 'token', name: 'CI' },
    via: 'api-token',
    audit_id: 'one',
  } as const;
  const authors = new Map([[key, { changed_by: [by] }]]);
  expect(driftAnnotations(driftOf(plan(scope([update([remove('extra')])])), { authors }), '')).toContain(
    'rule extra is only live. by CI (token), 2026-11-28 09:12:44 UTC, audit entry one\n',
  );
});

it('warns of drift that protects less or ends every request, and gives notice of the rest', () => {
  const strengthening = { kind: 'strengthening', reason: 'blocks again' } as const;
  const drift = plan(
    scope([
      update([
        patch('soft', { before: { action: 'log' }, after: {} }, { protection: strengthening }),
        add('lost'),
        move('moved'),
        remove('extra', { before: content({ expression: 'cf.client.bot' }) }),
        patch(
          'away',
          { before: { action: 'redirect', expression: 'true' }, after: {} },
          endsLive('redirect'),
        ),
      ]),
    ]),
  );
  expect(
    driftAnnotations(driftOf(drift), '')
      .split('\n')
      .map((line) => line.replace(/file=.*title=/, '')),
  ).toEqual([
    '::warning drift%3A soft::shop.example, WAF custom rules (http_request_firewall_custom): rule soft differs live: action. Live protects less than the files, or may: goes from block to log',
    '::warning drift%3A lost::shop.example, WAF custom rules (http_request_firewall_custom): rule lost is missing live. Live protects less than the files, or may: no longer blocks what it matches',
    '::warning drift%3A away::shop.example, WAF custom rules (http_request_firewall_custom): rule away differs live: action, expression. Live applies redirect to every request. Live protects less than the files, or may: no longer blocks what it matches',
    '::notice drift%3A moved::shop.example, WAF custom rules (http_request_firewall_custom): rule moved is in another place live',
    '::notice drift%3A extra::shop.example, WAF custom rules (http_request_firewall_custom): rule extra is only live',
    'Drift: 1 rule only live, 1 missing live, 2 different, 1 in another place · 1 ruleset different.',
    '',
  ]);
});

describe('annotations of an apply', () => {
  const changed = plan(scope([update([add('a')])]));

  it('show what did not go as planned', () => {
    const document = outcomesJson(changed, {
      result: 'partial',
      dryRun: false,
      refusals: [],
      outcomes: [
        { kind: 'done', step: 'zone:a/b', version: '2', writes: 1 },
        { kind: 'failed', step: STEP, code: 'api/refused', message: 'no', hint: 'mend it', writes: 0 },
        { kind: 'not-reached', step: 'zone:a/c', reason: 'stopped' },
      ],
    });
    expect(outcomesAnnotations(changed, document, '').trimEnd().split('\n')).toEqual([
      '::error file=zones/shop.yaml,line=8,endLine=8,col=9,title=zone%3Ashop.example/http_request_firewall_custom%3A failed::no%0Amend it',
      '::warning title=zone%3Aa/c%3A not-reached::stopped',
      'Partly applied. 3 rulesets: 1 done, 1 failed, 1 not reached.',
    ]);
  });

  it('show how the plan differs from the reviewed one', () => {
    const document = outcomesJson(changed, {
      result: 'refused',
      dryRun: false,
      refusals: [],
      outcomes: [],
      differences: [{ kind: 'only-fresh', place: STEP, rule: 'a', message: 'adds rule a' }],
    });
    expect(outcomesAnnotations(changed, document, '').trimEnd().split('\n')).toEqual([
      `::error file=zones/shop.yaml,line=10,endLine=10,col=9,title=not the reviewed plan%3A a::${STEP}: adds rule a`,
      'Refused: the plan is not the one that was reviewed. Nothing was written.',
    ]);
  });
});
