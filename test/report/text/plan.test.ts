import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { FailedScope, Plan, PlanNote } from '../../../src/model/plan.ts';
import type { GuardFinding, Permission } from '../../../src/model/guard.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { planText } from '../printed.ts';
import { add, cause, content, judged, move, patch, plan, remove, scope, update } from '../plan-builder.ts';

function text(document: Plan): string {
  return planText(document, { width: 80, colour: false });
}

/** The rendering without its first lines (base URL) and last (summary). */
function body(document: Plan): string {
  return `\n${text(document).split('\n').slice(4, -3).join('\n')}\n`;
}

const broken: FailedScope = {
  kind: 'failed',
  scope: { kind: 'zone', name: 'broken.example' },
  error: {
    code: 'api/forbidden',
    message: 'GET /zones/1/rulesets: 403 (10000).\nsecond',
    hint: 'Allow WAF Read.',
  },
};

describe('a plan', () => {
  it('shows rules that are added, patched, moved and deleted', () => {
    const steps = [
      update([
        move('skip-office'),
        add('block-admin', {
          content: content({
            expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24}',
            description: 'Admin only from the office',
          }),
          place: { index: 2, after: 'skip-office' },
        }),
        patch('bots', {
          before: { action: 'managed_challenge', expression: 'cf.bot_management.score lt 20' },
          after: { action: 'block', expression: 'cf.bot_management.score lt 30' },
        }),
        remove('old'),
      ]),
    ];
    expect(text(plan(scope(steps)))).toBe(`Plan for https://api.example.test/client/v4

zone shop.example

  WAF custom rules · http_request_firewall_custom · version 7  zones/shop.yaml:8
    > skip-office  zones/shop.yaml:30
        place  3 → 1, first
    + block-admin  zones/shop.yaml:10
        place        2, after skip-office
        action       block
        expression   starts_with(http.request.uri.path, "/admin") and not ip.src
                     in {203.0.113.0/24}
        description  Admin only from the office
    ~ bots  zones/shop.yaml:20
        action      managed_challenge → block
        expression
          - cf.bot_management.score lt 20
                                       ~~
          + cf.bot_management.score lt 30
                                       ^^
    - old
        place       4
        action      block
        expression  ip.src eq 192.0.2.1

Plan: 1 to add, 1 to patch, 1 to move, 1 to delete · 1 ruleset to update.
`);
  });

  it('shows what weakens protection, why, and whether the files allow it', () => {
    const rule = patch(
      'soft',
      { before: { action: 'block' }, after: { action: 'log' } },
      { protection: { kind: 'weakening', reason: 'the action log does less than block' } },
    );
    const changed = judged(scope([update([rule])]));
    const told = `
  WAF custom rules · http_request_firewall_custom · version 7  zones/shop.yaml:8
    ~ soft  zones/shop.yaml:20
        action   block → log
        weakens  the action log does less than block`;
    expect(text(plan(changed))).toContain(`${told}\n`);
    // The files allow it: no guard found anything.
    expect(body(plan({ ...changed, findings: [] }))).toBe(`${told} (allowed by safety.allow)\n`);
  });

  it('says of a deletion whose rule may be over that this may be why no guard found it, whatever its reason quotes', () => {
    const protection = { kind: 'weakening', reason: 'no "x; neutral from 1 on"' } as const;
    const shown = (expression: string): string =>
      body(plan(scope([update([remove('gone', { before: content({ expression }), protection })])])));
    expect(shown('ssl')).toContain('1 on" (allowed by safety.allow)\n');
    expect(shown('(ssl) and http.request.timestamp.sec lt 1798156800')).toContain(
      '1 on" (over, or allowed by safety.allow)\n',
    );
  });

  it('shows where a patched rule moves, and which rule it takes over', () => {
    const rule = patch(
      'new-name',
      { before: {}, after: { enabled: false } },
      { adopts: 'old-name', move: { from: { index: 5, after: 'x' }, to: { index: 2, after: 'y' } } },
    );
    expect(body(plan(scope([update([rule])])))).toBe(`
  WAF custom rules · http_request_firewall_custom · version 7  zones/shop.yaml:8
    ~ new-name  zones/shop.yaml:20
        ref      old-name → new-name (the live rule keeps its id)
        place    5 → 2, after y
        enabled  true → false
`);
  });

  it('shows overrides by managed rule, and lists item by item', () => {
    const managed = (overrides: JsonObject): Partial<RuleContent> => ({
      action: 'execute',
      action_parameters: { id: '1'.repeat(32), overrides },
    });
    const long = (name: string): string => `${name}-${'x'.repeat(24)}`;
    const rule = patch('managed', {
      before: managed({
        rules: [{ id: '5'.repeat(32), action: 'log' }],
        categories: [
          { category: long('a'), action: 'log' },
          { category: long('b'), action: 'log' },
        ],
      }),
      after: managed({
        rules: [
          { id: '5'.repeat(32), action: 'block' },
          { id: '6'.repeat(32), enabled: false },
        ],
        categories: [
          { category: long('a'), action: 'block' },
          { category: long('b'), action: 'log' },
        ],
      }),
    });
    const known = { managedRules: { ['6'.repeat(32)]: 'Drupal: XSS' } };
    expect(body(plan(scope([update([rule])], known)))).toBe(`
  WAF custom rules · http_request_firewall_custom · version 7  zones/shop.yaml:8
    ~ managed  zones/shop.yaml:20
        overrides
          categories
            - {category: ${long('a')}, action: log}
            + {category: ${long('a')}, action: block}
            … 1 unchanged
        overrides of rule 55555555555555555555555555555555
          action  log → block
        overrides of rule Drupal: XSS (66666666666666666666666666666666)
          enabled  (not set) → false
`);
  });

  it('shows a new ruleset with its rules, and one that is deleted', () => {
    const created = update(
      [
        add('limit', {
          content: content({
            ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 100 },
          }),
        }),
      ],
      { target: { kind: 'ruleset', level: 'zone', phase: 'http_ratelimit', name: 'default' } },
    );
    const gone = update([remove('a'), remove('b')], {
      target: { kind: 'ruleset', level: 'custom', phase: 'http_request_firewall_custom', name: 'Login' },
    });
    const { staying: _staying, description: _description, ...deleted } = gone;
    const document = plan(
      scope([
        { ...created, operation: 'create', base: { kind: 'absent' }, description: 'Limits' },
        { ...deleted, operation: 'delete' },
      ]),
    );
    expect(text(document)).toBe(`Plan for https://api.example.test/client/v4

zone shop.example

  - Login · custom ruleset · http_request_firewall_custom · ruleset deleted,
    with 2 rules · version 7  zones/shop.yaml:8
    - a
        action      block
        expression  ip.src eq 192.0.2.1
    - b
        action      block
        expression  ip.src eq 192.0.2.1

  + Rate limiting rules · http_ratelimit · new ruleset  zones/shop.yaml:8
    description  Limits
    + limit  zones/shop.yaml:10
        action      block
        expression  ip.src eq 192.0.2.1
        ratelimit
          characteristics      [ip.src, cf.colo.id]
          period               60
          requests_per_period  100

Plan: 1 to add, 2 to delete · 1 ruleset to create, 1 to delete.
`);
  });

  it('puts findings of guards at the top, refusals first and with how to allow them', () => {
    const findings: readonly GuardFinding[] = [
      { kind: 'weakened', effect: 'warn', rule: 'bots', message: 'a block becomes a challenge' },
      {
        kind: 'deleted',
        effect: 'refuse',
        step: 'zone:shop.example/http_request_firewall_custom',
        message: '3 of 4 rules would be deleted',
      },
    ];
    const document = plan(scope([update([remove('old')])], { findings }));
    expect(text(document).split('\n').slice(2, 7)).toEqual([
      'Blocked: needs --allow deleted, or merging this reviewed plan (apply --expect):',
      '  ! deleted  3 of 4 rules would be deleted  zones/shop.yaml:8',
      '',
      'Attention:',
      '  ! weakened  a block becomes a challenge',
    ]);
    const told = (allowed: Permission): string | undefined =>
      planText(document, { width: 80, colour: false, allowed }).split('\n')[2];
    expect(told({ kinds: [] })).toBe('Refused until allowed with --allow deleted:');
    expect(told({ kinds: ['deleted'] })).toBe('Allowed for this run:');
    expect(told({ kinds: [], reviewed: findings })).toBe('Allowed: the reviewed plan showed it:');
    const elsewhere = findings.map((one) => ({ ...one, step: 'zone:blog.example/ddos_l7' }));
    expect(told({ kinds: [], reviewed: elsewhere })).toBe('Refused until allowed with --allow deleted:');
  });

  it('shows notes, the use of a pack, and the description of a rule without a telling ref', () => {
    const unnamed = 'b'.repeat(32);
    const document = plan(
      scope([update([move(unnamed, { description: 'From the dashboard' })])], {
        notes: [
          {
            kind: 'ignored',
            step: 'zone:shop.example/http_ratelimit',
            rule: 'limit',
            message: 'differs from the file and stays as it is: /x',
            cause: { file: 'packs/limits.yaml', line: 4, column: 3, via: [cause(12)] },
          },
        ],
      }),
    );
    expect(body(document)).toBe(`
  WAF custom rules · http_request_firewall_custom · version 7  zones/shop.yaml:8
    > “From the dashboard”  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb  zones/shop.yaml:30
        place  3 → 1, first

  Notes:
    i limit · http_ratelimit  packs/limits.yaml:4 via zones/shop.yaml:12
        differs from the file and stays as it is: /x
`);
  });

  it('counts expressions that live spells differently, and shows them with the detail “each”', () => {
    const note: PlanNote = {
      kind: 'respelled',
      step: 'zone:shop.example/http_ratelimit',
      rule: 'limit',
      message: 'same meaning, other text',
    };
    const same = scope([], { notes: [note, note] });
    expect(text(plan(same))).toBe(`No changes. Live equals the files (0 rulesets in 1 scope).\n`);
    const verbose = planText(plan(same), { width: 80, colour: false, detail: 'each' });
    expect(verbose).toContain('    i limit · http_ratelimit\n        same meaning, other text\n');
    const changed = text(plan(scope([update([move('bots')])], { notes: [note] })));
    expect(changed).not.toContain('same meaning, other text');
  });

  it('shows scopes that could not be planned, with the reason', () => {
    expect(text(plan(broken))).toBe(`Plan for https://api.example.test/client/v4

1 scope of 1 could not be planned:
  ! zone broken.example  api/forbidden
      GET /zones/1/rulesets: 403 (10000).
      second
      hint: Allow WAF Read.

1 scope of 1 could not be planned.
`);
  });

  it('shows an equal failure of many scopes once', () => {
    const failed = (index: number, more: Partial<FailedScope['error']> = {}): FailedScope => {
      const name = `z${index}.example`;
      const message = `GET /zones?name=${name}&page=1: 403 Authentication error (10000)`;
      return {
        kind: 'failed',
        scope: { kind: 'zone', name },
        error: { code: 'api/forbidden', message, hint: 'The token needs "Zone" Read.', ...more },
      };
    };
    const many = Array.from({ length: 100 }, (_, index) => failed(index));
    const other = failed(100, { code: 'api/timeout', message: 'no answer', hint: 'Later.' });
    expect(text(plan(...many, other))).toBe(`Plan for https://api.example.test/client/v4

101 scopes of 101 could not be planned:
  ! 100 scopes  api/forbidden
      zone z0.example, zone z1.example, zone z2.example, zone z3.example, zone
      z4.example and 95 more
      GET /zones?name=…&page=1: 403 Authentication error (10000)
      hint: The token needs "Zone" Read.
  ! zone z100.example  api/timeout
      no answer
      hint: Later.

101 scopes of 101 could not be planned.
`);
  });

  it('does not say that live equals the files where no scope was compared', () => {
    expect(text(plan())).toBe('Nothing was compared: no scope changed, or none was chosen.\n');
  });

  it('says that nothing changes', () => {
    const { target, base } = update([]);
    const quiet = scope([], { bases: [{ target, base }] });
    expect(text(plan(quiet))).toBe('No changes. Live equals the files (1 ruleset in 1 scope).\n');
    expect(text(plan(quiet, broken))).toContain(
      'No changes in what could be read (1 ruleset in 1 scope).\n1 scope of 2 could not be planned.\n',
    );
  });

  it('is the same text with and without colour, apart from escape sequences', () => {
    const document = plan(scope([update([add('a'), move('b'), remove('c')])]));
    const coloured = planText(document, { width: 80, colour: true });
    expect(coloured).toContain('\u001b[32m+\u001b[39m ');
    expect(stripVTControlCharacters(coloured)).toBe(text(document));
  });
});

it('names the failed scopes at the end of a plan', () => {
  const failed = ['v', 'w', 'x', 'y', 'z'].map((name): FailedScope => ({
    ...broken,
    scope: { kind: 'zone', name: `${name}.example` },
  }));
  expect(text(plan(scope([]), ...failed)).replaceAll(/\n +/g, ' ')).toContain(
    '5 scopes of 6 could not be planned: zone v.example, zone w.example, zone x.example and 2 more.\n',
  );
});
