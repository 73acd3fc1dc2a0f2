import { describe, expect, test } from 'vitest';
import type { ListItem, ListKind } from '../../../src/model/list.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { judgeList } from '../../../src/plan/lists/judge-list.ts';
import { listsNamed } from '../../../src/plan/lists/list-rules.ts';
import { content, id } from '../build.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;

interface Change {
  readonly kind?: ListKind;
  readonly add?: readonly ListItem[];
  readonly remove?: readonly ListItem[];
  readonly stay?: readonly ListItem[];
  readonly unread?: number | null;
  readonly isAwaited?: boolean;
  readonly operation?: 'update' | 'delete';
}

/** Judges a change of the list `office` by one rule that names it. */
function judge(rule: Partial<RuleContent>, change: Change, phase = 'http_request_firewall_custom') {
  const {
    kind = 'ip',
    add = [],
    remove = [],
    stay = [],
    unread = 0,
    isAwaited = false,
    operation = 'update',
  } = change;
  const live = [...stay, ...remove].map((item, index) => ({ id: id(index + 1), item }));
  const ruled = content(rule);
  const lists = listsNamed(ruled);
  return judgeList({
    id: 'account:A/list:office',
    name: 'office',
    kind,
    operation,
    changes: { add, change: [], remove: live.slice(stay.length) },
    items: live,
    rules: [{ scope: SCOPE, phase, ref: 'r', content: ruled, lists, live: lists }],
    unread,
    isAwaited,
  });
}

const ONE = { ip: '198.51.100.7' };
const BLOCK_OTHERS = {
  action: 'block',
  expression: 'http.request.uri.path eq "/admin" and not ip.src in $office',
};
const BLOCK_THESE = { action: 'block', expression: 'ip.src in $office' };
const LET_PAST = {
  action: 'skip',
  expression: 'ip.src in $office',
  action_parameters: { ruleset: 'current' },
};

describe('a change of items is judged by what the rules that name the list then do', () => {
  test.each([
    ['added to a list that a block exempts', BLOCK_OTHERS, { add: [ONE] }, 'weakening'],
    ['removed from a list that a block exempts', BLOCK_OTHERS, { remove: [ONE] }, 'strengthening'],
    ['added to a list that is blocked', BLOCK_THESE, { add: [ONE] }, 'strengthening'],
    ['removed from a list that is blocked', BLOCK_THESE, { remove: [ONE] }, 'weakening'],
    ['added to a list that a skip lets past', LET_PAST, { add: [ONE] }, 'weakening'],
    ['removed from a list that a skip lets past', LET_PAST, { remove: [ONE] }, 'strengthening'],
    ['of a rule that is switched off', { ...BLOCK_THESE, enabled: false }, { remove: [ONE] }, 'neutral'],
    [
      'within a network that stays',
      BLOCK_THESE,
      { remove: [ONE], stay: [{ ip: '198.51.100.0/24' }] },
      'neutral',
    ],
    [
      'whose halves come instead',
      BLOCK_THESE,
      {
        remove: [{ ip: '198.51.100.0/24' }],
        add: [{ ip: '198.51.100.0/25' }, { ip: '198.51.100.128/26' }, { ip: '198.51.100.192/26' }],
      },
      'neutral',
    ],
    [
      'of an exemption whose halves come instead',
      BLOCK_OTHERS,
      {
        remove: [{ ip: '198.51.100.0/24' }],
        add: [{ ip: '198.51.100.0/25' }, { ip: '198.51.100.128/25' }],
      },
      'neutral',
    ],
    [
      'of which only one half comes instead',
      BLOCK_THESE,
      { remove: [{ ip: '198.51.100.0/24' }], add: [{ ip: '198.51.100.0/25' }] },
      'weakening',
    ],
    [
      'whose two halves stay',
      BLOCK_OTHERS,
      { add: [{ ip: '2001:db8::/32' }], stay: [{ ip: '2001:db8::/33' }, { ip: '2001:db8:8000::/33' }] },
      'neutral',
    ],
    [
      'of which neighbours stay that are no halves of one network',
      BLOCK_OTHERS,
      { add: [{ ip: '10.0.0.0/15' }], stay: [{ ip: '10.1.0.0/16' }, { ip: '10.2.0.0/16' }] },
      'weakening',
    ],
    [
      'in a limit that exempts them',
      { ...BLOCK_OTHERS, ratelimit: { period: 60 } },
      { add: [ONE] },
      'weakening',
    ],
  ] as const)('an item %s', (_, rule, change, kind) => {
    expect(judge(rule, change).protection.kind).toBe(kind);
  });

  test.each([
    ['asn', 'ip.src.asnum in $office', { asn: 64_496 }],
    ['hostname', 'http.host in $office', { hostname: 'shop.example' }],
  ] as const)('in lists of kind %s too', (kind, expression, item) => {
    expect(judge({ expression }, { kind, remove: [item] }).protection.kind).toBe('weakening');
  });

  test('by a rule with a window, it is told when', () => {
    const ended = (expression: string): string =>
      `(${expression}) and http.request.timestamp.sec lt 1735689600`;
    const { protection } = judge(
      { ...BLOCK_OTHERS, expression: ended(BLOCK_OTHERS.expression) },
      { add: [ONE] },
    );
    expect(protection).toMatchObject({
      kind: 'weakening',
      reason: expect.stringContaining('until 2025-01-01 00:00 UTC'),
    });
    const also = judge({ ...BLOCK_THESE, expression: ended(BLOCK_THESE.expression) }, { add: [ONE] });
    expect(also.protection.kind).toBe('strengthening');
  });

  test('the finding names rule, list and how many items', () => {
    const { findings } = judge(BLOCK_OTHERS, { add: [ONE, { ip: '198.51.100.8' }] });
    expect(findings).toEqual([
      expect.objectContaining({
        kind: 'weakened',
        step: 'account:A/list:office',
        rule: 'r',
        message:
          'account:A/list:office: rule r of zone:shop.example/http_request_firewall_custom applies to fewer requests, with 2 items added to the list office',
      }),
    ]);
  });

  test('what is not proven is never called neutral: rules that were not read, and a list that is looked up twice', () => {
    expect(judge({ enabled: false }, { add: [ONE], unread: 2 })).toMatchObject({
      protection: { kind: 'weakening', proven: false },
      findings: [
        { proven: false, message: expect.stringContaining('2 rules that name it could not be read') },
      ],
    });
    expect(judge({ enabled: false }, { add: [ONE], unread: null })).toMatchObject({
      findings: [{ proven: false, message: expect.stringContaining('does not say how many rules name it') }],
    });
    const twice = { action: 'block', expression: '(ip.src in $office) ne (cf.edge.server_ip in $office)' };
    expect(judge(twice, { add: [ONE] }).protection).toMatchObject({ kind: 'weakening', proven: false });
  });

  test('a list that rules name which were not read is not deleted, with items or without', () => {
    for (const remove of [[ONE], []]) {
      const { findings } = judge({ enabled: false }, { operation: 'delete', remove, unread: 1 });
      expect(findings).toEqual([
        expect.objectContaining({
          kind: 'referenced',
          effect: 'refuse',
          message: expect.stringContaining('the service counts 1 rule that still names it'),
        }),
      ]);
    }
  });

  test('no more than some items are looked at, and the rest is proven where no condition can tell items apart', () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }));
    expect(judge(BLOCK_THESE, { add: many }).protection.kind).toBe('strengthening');
    const within = { ...BLOCK_THESE, expression: 'ip.src in $office and not ip.src in {10.0.0.0/24}' };
    expect(judge(within, { add: many }).protection).toMatchObject({ kind: 'weakening', proven: false });
  });

  test('what weakens goes last, unless a rule of the same plan needs the list filled', () => {
    expect(judge(BLOCK_OTHERS, { add: [ONE] }).turn).toBe('last');
    expect(judge(BLOCK_OTHERS, { add: [ONE], isAwaited: true }).turn).toBe('first');
    expect(judge(BLOCK_THESE, { add: [ONE] }).turn).toBe('first');
  });
});
