import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import { guardAgain } from '../../../src/plan/guard/guard-again.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { planRules } from '../../../src/plan/plan-ruleset.ts';
import { desiredRule, ruleOptions, liveRule } from '../build.ts';

const BLOCK = { action: 'block', expression: 'http.host eq "a.example"' };
const SKIP: Partial<RuleContent> = {
  action: 'skip',
  expression: 'ip.src eq 192.0.2.1',
  action_parameters: { ruleset: 'current' },
};

/** The changes from `live` to `wanted`, each a list of [ref, content] in order. */
function protection(
  live: readonly (readonly [string, Partial<RuleContent>])[],
  wanted: readonly (readonly [string, Partial<RuleContent>])[],
) {
  return planRules(
    nameRules(wanted.map(([ref, content]) => desiredRule({ ref, ...content }))),
    live.map(([ref, content], index) => liveRule(index + 1, { ref, ...content })),
    ruleOptions(),
  ).changes;
}
const kinds = (changes: ReturnType<typeof protection>) =>
  changes.map(({ kind, ref, protection: { kind: effect } }) => `${kind} ${ref}: ${effect}`);

describe('a rule that is recreated under a new ref', () => {
  it('is neutral, neither a removed protection nor an added skip', () => {
    expect(
      kinds(
        protection(
          [
            ['skip-a', SKIP],
            ['block-a', BLOCK],
          ],
          [
            ['skip-b', SKIP],
            ['block-b', BLOCK],
          ],
        ),
      ),
    ).toEqual([
      'add skip-b: neutral',
      'add block-b: neutral',
      'delete skip-a: neutral',
      'delete block-a: neutral',
    ]);
  });

  it('weakens if it comes to stand behind a skip, or if it protects less', () => {
    expect(
      kinds(
        protection(
          [
            ['block-a', BLOCK],
            ['skip', SKIP],
          ],
          [
            ['skip', SKIP],
            ['block-b', BLOCK],
          ],
        ),
      ),
    ).toContain('add block-b: weakening');
    const log = { ...BLOCK, action: 'log' };
    expect(kinds(protection([['block-a', BLOCK]], [['block-b', log]]))).toContain(
      'delete block-a: weakening',
    );
  });

  it('weakens if recreated rules change their order, or stand behind a new skip', () => {
    const log = { action: 'log', expression: 'ssl' };
    const two = [
      ['a', BLOCK],
      ['sk', SKIP],
    ] as const;
    const hidden = [
      protection(two, [
        ['sk2', SKIP],
        ['a2', BLOCK],
      ]),
      protection(
        [['log', log], ...two],
        [
          ['log', log],
          ['sk2', SKIP],
          ['a2', BLOCK],
        ],
      ),
      protection(
        [...two, ['a1', BLOCK]],
        [
          ['sk2', SKIP],
          ['a2', BLOCK],
          ['a3', BLOCK],
        ],
      ),
      protection(
        [['a', BLOCK]],
        [
          ['sk2', SKIP],
          ['a2', BLOCK],
        ],
      ),
    ];
    for (const changes of hidden) {
      expect(kinds(changes).filter((one) => one.endsWith('weakening'))).not.toEqual([]);
    }
    // Between rules that stay, and beside a deleted one, it is a mere change of name.
    expect(
      kinds(
        protection(
          [['log', log], ...two, ['gone', log]],
          [
            ['log', log],
            ['a2', BLOCK],
            ['sk', SKIP],
          ],
        ),
      ),
    ).toEqual(['add a2: neutral', 'delete a: neutral', 'delete gone: neutral']);
  });

  it('is neutral beside any other change, also with another description', () => {
    const log = { action: 'log', expression: 'ssl' };
    const live = [
      ['a', { ...BLOCK, description: 'old' }],
      ['log', log],
      ['more', log],
    ] as const;
    const a2 = ['a2', { ...BLOCK, description: 'new' }] as const;
    const edited = ['log', { ...log, expression: 'not ssl' }] as const;
    const names = ['add a2: neutral', 'delete a: neutral'];
    for (const wanted of [
      [a2, edited, live[2]],
      [a2, live[2], live[1]],
      [a2, live[1], live[2], ['fresh', { action: 'block', expression: 'cf.client.bot' }]],
    ] as const) {
      const found = kinds(protection(live, wanted));
      expect(found).toHaveLength(3);
      expect(found).toEqual(expect.arrayContaining(names));
    }
  });

  it('makes a skip that moves in front of it weaken', () => {
    const log = { action: 'log', expression: 'ssl' };
    const changes = protection(
      [
        ['one', log],
        ['two', log],
        ['a', BLOCK],
        ['sk', SKIP],
      ],
      [
        ['sk', SKIP],
        ['one', log],
        ['two', log],
        ['a2', BLOCK],
      ],
    );
    expect(kinds(changes)).toContain('move sk: weakening');
  });

  it('replaces only one of several equal rules', () => {
    const changes = kinds(
      protection(
        [
          ['a', BLOCK],
          ['b', BLOCK],
        ],
        [['c', BLOCK]],
      ),
    );
    expect(changes).toEqual(['add c: neutral', 'delete a: neutral', 'delete b: weakening']);
  });

  it('stays neutral in a plan from a file as long as the file has both of its changes', () => {
    const changes = protection([['block-a', BLOCK]], [['block-b', BLOCK]]);
    const again = (some: typeof changes) =>
      guardAgain(
        makePlan('emulator', [
          {
            kind: 'planned',
            scope: { kind: 'zone', id: '1'.repeat(32), name: 'shop.example', accountId: '2'.repeat(32) },
            bases: [],
            steps: [
              {
                id: 'zone:shop.example/http_request_firewall_custom',
                operation: 'update',
                target: {
                  kind: 'ruleset',
                  level: 'zone',
                  phase: 'http_request_firewall_custom',
                  name: 'default',
                },
                base: { kind: 'absent' },
                after: [],
                changes: some,
                staying: [],
              },
            ],
            findings: [],
            notes: [],
          },
        ]),
        DEFAULT_SAFETY,
        '2026-01-01',
      ).scopes.flatMap((scope) => (scope.kind === 'planned' ? kinds(scope.steps[0]?.changes ?? []) : []));
    expect(again(changes)).toEqual(['add block-b: neutral', 'delete block-a: neutral']);
    expect(again(changes.slice(1))).toEqual(['delete block-a: weakening']);
  });
});
