import type { ListStep } from '../../../src/model/list-step.ts';
import type { Plan, Step } from '../../../src/model/plan.ts';
import { add, cause, move, patch, plan, remove, scope, update } from '../plan-builder.ts';

/** Text that would do harm if it were not shown as plain text. */
export const HOSTILE = '<script>alert(1)</script> \u001b[31m ``` @team <!-- </style> \u202e "q"';

function idOf(ref: string): string {
  return Buffer.from(ref).toString('hex').padEnd(32, '0');
}

const STEP = 'zone:shop.example/http_request_firewall_custom';

/** A plan with every kind of change in two scopes, moves, findings, notes, and hostile text wherever text goes. */
export function colourfulPlan(): Plan {
  return plan(
    scope(
      [
        update(
          [
            add('new', {
              place: { index: 1, after: null },
              protection: { kind: 'strengthening', reason: 'adds block' },
            }),
            patch(
              'narrow',
              {
                before: {
                  expression: 'ip.src in {192.0.2.1 192.0.2.2} or http.host eq "a"',
                  description: 'old',
                },
                after: { expression: 'ip.src in {192.0.2.1} or http.host eq "a"', description: HOSTILE },
              },
              {
                protection: { kind: 'weakening', reason: 'may apply to fewer requests' },
                place: { index: 5, after: 'two' },
              },
            ),
            move('last', {
              move: { from: { index: 5, after: 'narrow' }, to: { index: 2, after: 'new' } },
              description: HOSTILE,
            }),
            remove('gone', {
              place: { index: 2, after: 'one' },
              protection: { kind: 'weakening', reason: 'no longer blocks what it matches' },
            }),
          ],
          { staying: [idOf('one'), idOf('two'), 'a'.repeat(32)] },
        ),
      ],
      {
        findings: [
          { kind: 'weakened', effect: 'warn', step: STEP, rule: 'narrow', message: HOSTILE },
          {
            kind: 'weakened',
            effect: 'warn',
            step: STEP,
            rule: 'gone',
            message: 'no longer blocks what it matches',
          },
          { kind: 'protected', effect: 'refuse', step: STEP, rule: 'gone', message: 'would be deleted' },
        ],
        notes: [
          { kind: 'shadowed', step: STEP, rule: 'narrow', message: HOSTILE },
          { kind: 'respelled', step: STEP, rule: 'one', message: 'same meaning, other text' },
        ],
      },
    ),
    scope([rateLimits()], {
      scope: { kind: 'zone', id: '1'.repeat(32), name: 'blog.example', accountId: 'f'.repeat(32) },
    }),
    {
      kind: 'failed',
      scope: { kind: 'zone', name: 'api.example' },
      error: { code: 'api/forbidden', message: HOSTILE, hint: 'ask for the permission' },
    },
  );
}

function rateLimits(): Step {
  return {
    id: 'zone:blog.example/http_ratelimit',
    operation: 'create',
    target: { kind: 'ruleset', level: 'zone', phase: 'http_ratelimit', name: 'default' },
    base: { kind: 'absent' },
    after: [],
    description: '',
    cause: cause(3),
    changes: [add('limit')],
  };
}

/** A plan of `changes` changes in scopes of a hundred each: a quarter each patched, moved, added, deleted. */
export function largePlan(changes: number): Plan {
  const zones = Math.ceil(changes / 100);
  return plan(
    ...Array.from({ length: zones }, (_, zone) =>
      scope([largeStep(zone)], {
        scope: {
          kind: 'zone',
          id: zone.toString(16).padStart(32, '0'),
          name: `zone-${zone}.example`,
          accountId: 'f'.repeat(32),
        },
      }),
    ),
  );
}

function largeStep(zone: number): Step {
  const names = (kind: string): readonly string[] =>
    Array.from({ length: 25 }, (_, index) => `${kind}-${index}`);
  const expression = (host: string): string =>
    `http.host eq "${host}.example" and ip.src in {${Array.from({ length: 30 }, (_, index) => `192.0.2.${index}`).join(' ')}}`;
  return update(
    [
      ...names('patched').map((ref, index) =>
        patch(
          ref,
          {
            before: { expression: expression(`old-${zone}`) },
            after: { expression: expression('new') },
          },
          { id: idOf(ref), place: { index: index + 1, after: null } },
        ),
      ),
      ...names('moved').map((ref, index) =>
        move(ref, {
          id: idOf(ref),
          move: { from: { index: index + 1, after: null }, to: { index: 26 + index, after: null } },
        }),
      ),
      ...names('added').map((ref, index) => add(ref, { place: { index: 51 + index, after: null } })),
      ...names('gone').map((ref, index) =>
        remove(ref, { id: idOf(ref), place: { index: 51 + index, after: null } }),
      ),
    ],
    {
      id: `zone:zone-${zone}.example/http_request_firewall_custom`,
      staying: names('patched').map(idOf),
    },
  );
}

/** A plan in which a list weakens protection and another comes, beside two rules. */
export function listsPlan(): Plan {
  const list = (name: string, more: Partial<ListStep>): ListStep => ({
    id: `account:Shop/list:${name}`,
    operation: 'update',
    target: { kind: 'list', name, holds: 'ip' },
    base: { kind: 'absent' },
    items: { add: [{ ip: '192.0.2.1' }], change: [], remove: [] },
    writing: 'add-remove',
    protection: { kind: 'neutral' },
    turn: 'first',
    ...more,
  });
  const office = list('office', {
    protection: { kind: 'weakening', reason: 'applies to fewer requests' },
  });
  const crawlers = list('crawlers', {
    operation: 'create',
    protection: { kind: 'strengthening', reason: 'applies to more requests' },
  });
  return plan(
    scope([update([add('one'), add('two')])], {
      scope: { kind: 'account', id: 'a'.repeat(32), name: 'Shop', accountId: 'a'.repeat(32) },
      objects: [office, crawlers],
      findings: [{ kind: 'weakened', effect: 'warn', step: office.id, message: 'fewer for office' }],
    }),
  );
}
