import { expect, it } from 'vitest';
import type { PlanNote } from '../../src/model/plan.ts';
import { planPage } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { planText } from './printed.ts';
import type { Detail } from '../../src/report/layout.ts';
import { planMarkdown } from './printed.ts';
import { patch, plan, scope, update } from './plan-builder.ts';

// When the service adds a field, every rule of every zone has it from one day to the next.

const STEP = 'zone:shop.example/http_request_firewall_custom';
const FIELD = '/future_field';

function carried(rules: readonly string[], ...fields: readonly string[]): readonly PlanNote[] {
  return rules.map((rule) => ({
    kind: 'carried',
    step: STEP,
    rule,
    message: `keeps what this version does not know, and does not watch it: ${fields.join(', ')}`,
    fields,
  }));
}

function rules(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `r${index + 1}`);
}

function text(document: ReturnType<typeof plan>, detail: Detail = 'summed-up'): string {
  return planText(document, { width: 120, colour: false, detail });
}

const QUIET = plan(
  scope([], {
    notes: [...carried(rules(30), FIELD), ...carried(['a', 'b'], FIELD, '/action_parameters/new')],
  }),
);

it('sums up unknown fields in one line if the plan writes none of the rules', () => {
  expect(text(QUIET)).toBe(
    [
      'No changes. Live equals the files (0 rulesets in 1 scope).',
      'Kept and not watched, since this version does not know it: /future_field in 32 rules, /action_parameters/new in 2 rules:',
      '  see --verbose.',
      '',
    ].join('\n'),
  );
  expect(planMarkdown(QUIET, null)).not.toContain('####');
  expect(joinPieces(planPage(QUIET)).split('future_field')).toHaveLength(2);
});

it('notes the unknown fields of each rule with the detail “each”', () => {
  const all = text(QUIET, 'each');
  expect(all.match(/keeps what this version does not know/g)).toHaveLength(32);
  expect(all).not.toContain('see --verbose');
});

it('notes the unknown fields of rules that are written, once for many rules', () => {
  const written = (count: number) =>
    plan(
      scope([update(rules(count).map((rule) => patch(rule, { before: {}, after: { enabled: false } })))], {
        notes: carried(rules(100), FIELD),
      }),
    );
  expect(text(written(3)).match(/i r\d · /g)).toHaveLength(3);
  const noted = /Notes:\n([^]*?)\n\n/u.exec(text(written(30)))?.[1];
  expect(noted).toBe(
    [
      '    i 30 rules: r1, r2, r3 and 27 more · http_request_firewall_custom',
      '        keeps what this version does not know, and does not watch it: /future_field',
    ].join('\n'),
  );
  expect(planMarkdown(written(30), null)).toContain(
    '- ℹ️ **30 rules: r1, r2, r3 and 27 more** · `http_request_firewall_custom`<br>keeps what this version',
  );
  expect(joinPieces(planPage(written(30)))).toContain('<b>30 rules: r1, r2, r3 and 27 more</b>');
});
