import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { GuardFinding } from '../../src/model/guard.ts';
import { alikeMessage, groupFindings, scopeNames } from '../../src/report/alike-scopes.ts';
import { planPage } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { planText } from './printed.ts';
import { planMarkdown } from './printed.ts';
import { patch, plan, remove, scope, update } from './plan-builder.ts';

const PHASE = 'http_request_firewall_custom';

/** A plan of zones in each of which the loss of block-x weakens protection; in the third also the loss of block-y. */
function weakened(zones: number): Plan {
  return plan(
    ...Array.from({ length: zones }, (_, index) => {
      const name = `z${index + 1}.example`;
      const id = `zone:${name}/${PHASE}`;
      const finding = (rule: string): GuardFinding => ({
        kind: 'weakened',
        effect: 'warn',
        step: id,
        rule,
        reason: 'protects less',
        message: `${id}: rule ${rule} protects less`,
      });
      const rules = index === 2 ? ['block-x', 'block-y'] : ['block-x'];
      const protection = { kind: 'weakening', reason: 'protects less' } as const;
      return scope(
        [
          update(
            rules.map((rule) => remove(rule, { protection })),
            { id },
          ),
        ],
        {
          scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
          findings: rules.map(finding),
        },
      );
    }),
  );
}

describe('findings that differ only in their scope', () => {
  it('are grouped if they name ids of their own, but not if they name different ids of the vendor', () => {
    const ids = ['1', '2', '3', '4'].map((digit) => digit.repeat(32));
    const vendor = ['a', 'a', 'a', 'b'].map((letter) => letter.repeat(32));
    const zones = ids.map((id, index) => {
      const step = `zone:z${index + 1}.example/${PHASE}`;
      const reason = `comes before “Old” (${id}), and ${vendor[index] ?? ''} is off`;
      const protection = { kind: 'weakening', reason } as const;
      const change = patch(id, { before: { description: 'Old' }, after: {} }, { id, protection });
      return scope([update([change], { id: step })], {
        scope: { kind: 'zone', id: 'e'.repeat(32), name: `z${index + 1}.example`, accountId: 'f'.repeat(32) },
        findings: [
          { kind: 'weakened', effect: 'warn', step, rule: id, message: `${step}: rule ${id} ${reason}` },
        ],
      });
    });
    const text = planText(plan(...zones), { width: 200, colour: false });
    expect(text).toContain(`
Attention:
  ! weakened  zone:z4.example/${PHASE}: rule ${'4'.repeat(32)} comes before “Old” (${'4'.repeat(32)}), and ${'b'.repeat(32)} is off
      zones/shop.yaml:20
  ! weakened  zone:…/${PHASE}: rule … comes before “Old” (…), and ${'a'.repeat(32)} is off
      3 zones: z1.example, z2.example, z3.example

`);
    expect(planMarkdown(plan(...zones), null)).toContain('3 zones: `z1.example`, `z2.example`, `z3.example`');
  });

  it('are shown as one, after findings about a single scope', () => {
    expect(planText(weakened(5), { width: 100, colour: false })).toContain(`
Attention:
  ! weakened  zone:z3.example/${PHASE}: rule block-y protects less
      zones/shop.yaml:8
  ! weakened  zone:…/${PHASE}: rule block-x protects less
      5 zones: z1.example, z2.example, z3.example and 2 more

`);
  });

  it('are shown as one in Markdown', () => {
    expect(planMarkdown(weakened(5), null)).toContain(
      [
        `> - **weakened** \`zone:z3.example/${PHASE}\`: rule \`block-y\` protects less · \`zones/shop.yaml:8\``,
        `> - **weakened** \`zone:…/${PHASE}\`: rule \`block-x\` protects less<br>5 zones: \`z1.example\`, \`z2.example\`, \`z3.example\` and 2 more`,
      ].join('\n'),
    );
  });

  it('are shown as one in the page', () => {
    const page = joinPieces(planPage(weakened(5)));
    const front = page.slice(page.indexOf('<section class="callout'), page.indexOf('class="part"'));
    expect(front.match(/rule <b class="ref">block-.<\/b> protects less/g)).toEqual([
      'rule <b class="ref">block-y</b> protects less',
      'rule <b class="ref">block-x</b> protects less',
    ]);
    expect(front).toContain('5 zones: z1.example, z2.example, z3.example and 2 more');
  });

  it('are grouped if they contain the bare name of their zone', () => {
    const said = findings('a.example', 'b.example', 'c.example').map((one, index) => ({
      ...one,
      message: `the managed rules of ${['a.example', 'b.example', 'c.example'][index] ?? ''} are written`,
    }));
    const [alike, ...more] = groupFindings(said);
    expect(more).toEqual([]);
    expect(alike === undefined ? '' : alikeMessage(alike)).toBe('the managed rules of … are written');
  });

  it('are not grouped if they name other zones whose names begin like their own', () => {
    const said = findings('a.example', 'b.example', 'c.example').map((one) => ({
      ...one,
      message: `${one.scope ?? ''}.net`,
    }));
    expect(groupFindings(said)).toHaveLength(3);
  });

  it('are not grouped for only two scopes', () => {
    expect(groupFindings(findings('a', 'b', 'run')).map(({ scopes }) => scopes)).toEqual([[], [], []]);
  });

  it('are not grouped if anything else differs', () => {
    const [first, ...rest] = findings('a', 'b', 'c');
    const other = first === undefined ? [] : [{ ...first, level: 'refused' }];
    expect(groupFindings([...other, ...rest])).toHaveLength(3);
  });
});

function findings(...scopes: readonly string[]) {
  return scopes.map((name) => ({
    kind: 'quota' as const,
    effect: 'warn' as const,
    message: 'too many',
    scope: name === 'run' ? undefined : `zone:${name}`,
  }));
}

it('counts scopes of both kinds, and formats each name', () => {
  expect(scopeNames(['zone:a', 'account:b:c'], (name) => `<${name}>`)).toBe('2 scopes: <a>, <b:c>');
});
