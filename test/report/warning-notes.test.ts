import { describe, expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { planPage } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { planText } from './printed.ts';
import { driftMarkdown, planMarkdown } from './printed.ts';
import { add, plan, scope, update } from './plan-builder.ts';

const step = 'zone:shop.example/http_request_firewall_managed';
const note = (kind: 'override-unknown' | 'left-out' | 'carried') => ({
  kind,
  step,
  rule: 'deploy',
  message: `says ${kind}`,
});

describe('a note about a rule without a telling ref', () => {
  const rule = 'c'.repeat(32);
  const about = { ...note('override-unknown'), rule, description: 'Cloudflare <Managed>' };
  const told = plan(scope([update([add('deploy')], { id: step })], { notes: [about] }));
  const name = `“Cloudflare <Managed>” (${rule})`;

  it('names the rule by its description in every rendering', () => {
    expect(planText(told, { width: 200, colour: false })).toContain(
      `http_request_firewall_managed: ${name}: says`,
    );
    expect(planMarkdown(told, null).split(`\`${name}\``)).toHaveLength(2);
    expect(joinPieces(planPage(told)).split(name.replace('<', '&lt;').replace('>', '&gt;'))).toHaveLength(2);
  });
});

describe('a note that warns', () => {
  const warned = plan(
    scope([update([add('deploy')], { id: step })], {
      notes: [note('override-unknown'), note('left-out'), note('carried')],
    }),
  );

  it('is in the box of what needs attention in Markdown, above all folds', () => {
    const [box = ''] = planMarkdown(warned, null).split('<details>');
    expect(box).toContain(
      `> **Attention**\n>\n> - **override-unknown** \`${step}\`: \`deploy\`: says override-unknown`,
    );
    expect(box).not.toMatch(/says (left-out|carried)/);
  });

  it('is shown above the folds of drift in Markdown', () => {
    const [front = ''] = driftMarkdown(driftOf(warned), null).split('<details>');
    expect(front).toContain('`deploy`: says override-unknown');
  });

  it('is shown at the top of the page', () => {
    const [front = ''] = joinPieces(planPage(warned)).split('says carried');
    expect(front).toContain('Attention');
    expect(front).toContain('says override-unknown');
  });

  it('is counted at the end of the text', () => {
    expect(planText(warned, { width: 80, colour: false })).toMatch(/\n1 warning\.\n$/);
  });
});
