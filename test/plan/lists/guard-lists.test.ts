import { expect, test } from 'vitest';
import { DEFAULT_SAFETY } from '../../../src/model/guard.ts';
import type { Safety } from '../../../src/model/guard.ts';
import type { DesiredList, ListItem } from '../../../src/model/list.ts';
import { guardObjects } from '../../../src/plan/guard/guard-objects.ts';
import { listsNamed } from '../../../src/plan/lists/list-rules.ts';
import { planLists } from '../../../src/plan/lists/plan-lists.ts';
import { CAUSE, content, desiredRule, desiredRuleset, id } from '../build.ts';
import { SCOPE as ZONE, planOne } from '../world.ts';

const ACCOUNT = { kind: 'account', id: id(2), name: 'Example Shop', accountId: id(2) } as const;
const TEN = Array.from({ length: 10 }, (_, index): ListItem => ({ ip: `192.0.2.${index}` }));

/** The kinds of findings on the list `office`, which has ten items live and may be named by a rule that is switched off. */
function kinds(
  items: readonly ListItem[],
  { safety = {}, isNamed = false, presence = 'present', rulesToo = false, comes = [] }: GuardedCase = {},
): readonly string[] {
  const now = {
    id: id(7),
    name: 'office',
    kind: 'ip',
    description: '',
    modifiedOn: '2026-01-01T00:00:00Z',
    itemCount: TEN.length,
    referenceCount: 0,
    items: TEN.map((item, index) => ({ id: id(100 + index), item })),
  } as const;
  const naming = content({ action: 'block', expression: 'ip.src in $office', enabled: false });
  const lists = listsNamed(naming);
  const rules = isNamed
    ? [{ scope: ZONE, phase: 'http_request_firewall_custom', ref: 'r', content: naming, lists, live: lists }]
    : [];
  const planned = planLists({
    scope: ACCOUNT,
    desired: [
      { name: 'office', kind: 'ip', presence, items, cause: CAUSE },
      ...(comes.length === 0
        ? []
        : [{ name: 'hq', kind: 'ip', presence: 'present', items: comes, cause: CAUSE } as const]),
    ],
    heads: [now],
    read: new Map([['office', now]]),
    rules,
    known: new Map(),
    awaited: new Set(),
  });
  if (planned.kind === 'failed') {
    throw new Error(planned.error.message);
  }
  const steps = rulesToo ? planOne(desiredRuleset([desiredRule({ ref: 'r' })]), null, ACCOUNT).steps : [];
  const plan = { kind: 'planned', scope: ACCOUNT, bases: [], steps, findings: [], notes: [] } as const;
  const means = { safety: { ...DEFAULT_SAFETY, ...safety }, today: '2026-06-01' };
  return guardObjects(plan, { objects: planned.lists, rules }, means).findings.map(({ kind }) => kind);
}

interface GuardedCase {
  readonly safety?: Partial<Safety>;
  readonly isNamed?: boolean;
  readonly presence?: DesiredList['presence'];
  /** Whether rules of the account change too, which have guards of their own. */
  readonly rulesToo?: boolean;
  /** The items of a new list that comes beside it. */
  readonly comes?: readonly ListItem[];
}

const FEW = { maxDeleted: { kind: 'count', count: 2 }, minRules: 1 } as const;

test.each<[string, readonly ListItem[], GuardedCase, readonly string[]]>([
  ['few items that go', TEN.slice(2), { safety: FEW }, []],
  ['more items that go than may', TEN.slice(3), { safety: FEW }, ['deleted']],
  ['a list that is emptied', [], {}, ['emptied']],
  ['a list that only gets another name', [], { presence: 'absent', comes: TEN }, []],
  [
    'a list that goes while a smaller one comes',
    [],
    { presence: 'absent', comes: TEN.slice(1) },
    ['emptied'],
  ],
  [
    'a protected list that goes',
    [],
    { presence: 'absent', safety: { protect: ['off*'] } },
    ['protected', 'emptied'],
  ],
  ['a protected list that changes', TEN.slice(1), { safety: { protect: ['off*'] } }, ['protected']],
  ['a list of an account that is not named', TEN.slice(1), { safety: { accounts: [id(3)] } }, ['account']],
  [
    'a list of such an account beside rules, whose guards say it',
    TEN.slice(1),
    { safety: { accounts: [id(3)] }, rulesToo: true },
    [],
  ],
  ['a list that goes and is named', [], { presence: 'absent', isNamed: true }, ['referenced', 'emptied']],
])('guards of %s', (_, items, given, expected) => {
  expect(kinds(items, given)).toEqual(expected);
});
