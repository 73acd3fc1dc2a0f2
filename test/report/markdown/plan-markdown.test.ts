import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../src/app/planning/drift-of.ts';
import type { Preflight } from '../../../src/model/outcome.ts';
import { add, cause, content, guarded, move, patch, plan, remove, scope, update } from '../plan-builder.ts';
import { driftMarkdown, planMarkdown } from '../printed.ts';

const LINKS = { base: 'https://github.example/team/edge/blob/abc/' };

const changed = plan(
  guarded(
    scope([
      update([
        patch(
          'block-admin',
          {
            before: { expression: 'http.host eq "a.example" and ip.src in {192.0.2.1}' },
            after: {
              expression: 'http.host eq "a.example" and ip.src in {192.0.2.1 192.0.2.2}',
              enabled: false,
            },
          },
          { protection: { kind: 'weakening', reason: 'disabled' } },
        ),
        add('new', { cause: cause(7, { file: 'packs/a b.yaml', via: [cause(3)] }) }),
        remove('old'),
        move('up'),
      ]),
    ]),
  ),
);

describe('a plan as Markdown', () => {
  it('has the counts first, then what weakens protection, then a table, then folded details', () => {
    const text = planMarkdown(changed, LINKS);
    const at = (part: string): number => {
      expect(text).toContain(part);
      return text.indexOf(part);
    };
    expect(at('⚠️ **1 finding needs attention.**')).toBeLessThan(at('**Attention**'));
    expect(at('rule `block-admin` disabled')).toBeLessThan(at('| Scope |'));
    expect(at('| Scope |')).toBeLessThan(at('<details>'));
    expect(text).toContain(
      '[`packs/a b.yaml:7`](<https://github.example/team/edge/blob/abc/packs/a%20b.yaml#L7>)',
    );
    expect(text).toContain(' via [`zones/shop.yaml:3`]');
  });

  it('marks a preflight with failures, and says once why nothing was checked if the token may not write', () => {
    const step = (name: string): string => `zone:${name}/http_ratelimit`;
    const forbidden = {
      kind: 'not-checked',
      code: 'forbidden',
      reason: '403 for this zone',
      hint: 'the token needs the permission to write',
    } as const;
    const depends = { kind: 'not-checked', code: 'depends', reason: 'rules that name it go first' } as const;
    const told = (...steps: Preflight['steps']): string =>
      planMarkdown(changed, null, { preflight: { kind: 'done', steps } }).split('##### Preflight')[1] ?? '';
    const markOf = (...steps: Preflight['steps']): string | undefined =>
      /^(.*)\*\*Preflight of/mu.exec(
        planMarkdown(changed, null, { preflight: { kind: 'done', steps } }),
      )?.[1];

    const [a, b] = [
      { ...forbidden, step: step('a.example') },
      { ...forbidden, step: step('b.example') },
    ];
    expect(markOf(a, b)).toBe('⚠️ ');
    const [shown, folded] = told(a, b).split('<details>');
    expect(shown).toContain('- ⚠️ not checked: the token needs the permission to write\n');
    expect(shown).not.toContain('example');
    expect(folded).toContain(step('b.example'));

    expect(markOf({ ...depends, step: step('a.example') })).toBe('');
    expect(
      markOf(a, { kind: 'failed', step: step('b.example'), code: 'api/forbidden', message: '502' }),
    ).toBe('❌ ');
  });

  it('shows only the clause of an expression that differs', () => {
    expect(planMarkdown(changed, LINKS)).toContain(
      [
        '  expression:',
        '    http.host eq "a.example"',
        '-   and ip.src in {192.0.2.1}',
        '+   and ip.src in {192.0.2.1 192.0.2.2}',
      ].join('\n'),
    );
  });

  it('tells a clause that is added or removed from one that stays', () => {
    const admin = 'starts_with(http.request.uri.path, "/admin")';
    const text = (expression: string, and: string): string =>
      planMarkdown(
        plan(scope([update([patch('admin', { before: { expression }, after: { expression: and } })])])),
        null,
      );
    const both = `${admin} and not ip.src in {203.0.113.0/24}`;
    const clause = 'and not ip.src in {203.0.113.0/24}';
    expect(text(admin, both)).toContain(`\n  expression:\n    ${admin}\n+   ${clause}\n`);
    expect(text(both, admin)).toContain(`\n  expression:\n    ${admin}\n-   ${clause}\n`);
    const drift = driftOf(
      plan(scope([update([patch('admin', { before: { expression: admin }, after: { expression: both } })])])),
    );
    expect(driftMarkdown(drift, null)).toContain(`\n  expression:\n    ${admin}\n-   ${clause}\n`);
  });

  it('marks the heading of an object that is added as a whole', () => {
    const target = { status_code: 301, target_url: { value: 'https://shop.example/' } };
    const redirect = content({ action: 'redirect', action_parameters: { from_value: target } });
    const text = planMarkdown(plan(scope([update([add('away', { content: redirect })])])), LINKS);
    expect(text).toContain(
      '+ from_value:\n+   status_code: 301\n+   target_url.value: https://shop.example/\n',
    );
  });

  it('leaves out a scope in which live only spells an expression differently', () => {
    const note = {
      kind: 'respelled',
      step: 'zone:shop.example/x',
      rule: 'a',
      message: 'other text',
    } as const;
    expect(planMarkdown(plan(scope([], { notes: [note] })), null)).not.toContain('####');
    expect(planMarkdown(plan(scope([], { notes: [{ ...note, kind: 'adoptable' }] })), null)).toContain(
      'other text',
    );
  });

  it('is the same, byte for byte, for the same plan', () => {
    expect(planMarkdown(structuredClone(changed), LINKS)).toBe(planMarkdown(changed, LINKS));
  });

  it('shows drift from the files to live', () => {
    const text = driftMarkdown(driftOf(changed), null);
    expect(text).toContain('-   and ip.src in {192.0.2.1 192.0.2.2}');
    expect(text).toContain('+   and ip.src in {192.0.2.1}');
    expect(text).toContain('**only live** `old`');
    expect(text).toContain('`block-admin`');
    expect(text).not.toContain('**weakened**');
  });

  it('shows at most twelve rows before the details, and folds the rest', () => {
    const steps = Array.from({ length: 30 }, (_, index) =>
      update([add(`r${index}`)], { id: `zone:shop.example/p${index}` }),
    );
    const [above = '', folded = ''] = planMarkdown(plan(scope(steps)), null).split('<details>');
    const table = above.match(/^\| .*$/gm) ?? [];
    expect(table).toHaveLength(14);
    expect(table.at(-1)).toBe('|  | 19 more rulesets, below |  | 19 |');
    expect(folded).toMatch(/^<summary>19 more rulesets at a glance<\/summary>/);
    expect(folded.match(/^\| zone .*$/gm)).toHaveLength(19);
  });

  it('shows the most serious scope first', () => {
    const zone = (name: string, more: Parameters<typeof remove>[1]) =>
      scope([update([remove('gone', more)], { id: `zone:${name}/http_request_firewall_custom` })], {
        scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
      });
    const text = planMarkdown(
      plan(
        guarded(zone('calm.example', {})),
        guarded(zone('weaker.example', { protection: { kind: 'weakening', reason: 'opens' } })),
        guarded(zone('outage.example', { ends: { forth: 'applies block to every request' } })),
      ),
      null,
    );
    expect([...text.matchAll(/^#### zone `(\S+)`/gm)].map(([, name]) => name)).toEqual([
      'outage.example',
      'weaker.example',
      'calm.example',
    ]);
  });
});

describe('text that tries to break out of Markdown', () => {
  const EVIL = '</details><script>x</script> @team #1 ```` | <!-- [a](b) \u{1b}[31m';
  const rule = { description: EVIL, expression: `http.host eq "${EVIL}"` };
  const text = planMarkdown(
    plan(
      scope([update([add(EVIL, { content: { action: 'block', enabled: true, ...rule } })])], {
        notes: [{ kind: 'adoptable', step: 'x', rule: EVIL, message: EVIL }],
        findings: [{ kind: 'quota', effect: 'warn', message: EVIL }],
      }),
    ),
    LINKS,
  );

  it('stays in fences and code', () => {
    const fences = text.match(/^(`{3,})(?:diff|text)\n[\s\S]*?\n\1$/gm) ?? [];
    expect(fences).toHaveLength(1);
    const outside = fences
      .reduce((rest, fence) => rest.replace(fence, ''), text)
      .replaceAll(/(`+)[^\n]*?[^`]\1(?!`)/g, '');
    expect(outside).not.toMatch(/<script|<!--|@team|#1\b|\[a\]/u);
    expect(text).not.toContain('\u{1b}');
    expect(outside.match(/<\/details>/g)).toHaveLength(2);
  });
});
