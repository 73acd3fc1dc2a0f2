import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListStep } from '../../../src/model/list-step.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { DesiredList, ListItem, LiveList } from '../../../src/model/list.ts';
import { listItemKey } from '../../../src/model/list-item.ts';
import { coveredBy } from '../../../src/plan/lists/covered-addresses.ts';
import { listNamingRules, listsNamed, listsNamedByStep } from '../../../src/plan/lists/list-rules.ts';
import { compareItems, planLists } from '../../../src/plan/lists/plan-lists.ts';
import {
  leavingRedirects,
  leftUnderOldName,
  perhapsRenamed,
  renamedLists,
} from '../../../src/plan/lists/list-notes.ts';
import { reverseListStep } from '../../../src/plan/lists/reverse-list.ts';
import { CAUSE, content, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { planOne, SCOPE as ZONE } from '../world.ts';

const SCOPE = { kind: 'account', id: id(2), name: 'Example Shop', accountId: id(2) } as const;

function desired(items: DesiredList['items'], over: Partial<DesiredList> = {}): DesiredList {
  return { name: 'office', kind: 'ip', presence: 'present', items, cause: CAUSE, ...over };
}

function live(items: readonly ListItem[], over: Partial<LiveList> = {}): LiveList {
  return {
    id: id(7),
    name: 'office',
    kind: 'ip',
    description: '',
    modifiedOn: '2026-01-01T00:00:00Z',
    itemCount: items.length,
    referenceCount: 0,
    items: items.map((item, index) => ({ id: id(100 + index), item })),
    ...over,
  };
}

function steps(wanted: DesiredList, now: LiveList | null): readonly ListStep[] {
  const planned = planLists({
    scope: SCOPE,
    desired: [wanted],
    heads: now === null ? [] : [now],
    read: new Map(now === null ? [] : [[now.name, now]]),
    rules: [],
    known: new Map(),
    awaited: new Set(),
  });
  if (planned.kind === 'failed') {
    throw new Error(planned.error.message);
  }
  return planned.lists.map(({ step }) => step);
}

const A: ListItem = { ip: '192.0.2.1' };
const B: ListItem = { ip: '192.0.2.2' };
const C: ListItem = { ip: '192.0.2.3' };

describe('the plan of a list', () => {
  test('is empty where live says the same in another order, and where somebody else fills it', () => {
    expect(steps(desired([A, B]), live([B, A]))).toEqual([]);
    expect(steps(desired('external'), live([A]))).toEqual([]);
    expect(steps(desired('external'), null)).toEqual([]);
    expect(steps(desired([], { presence: 'absent' }), null)).toEqual([]);
  });

  test('what the service fills in is no difference: flags, status and the rest of the path', () => {
    const wanted = {
      source_url: 'a.example/',
      target_url: 'https://b.example/',
      status_code: 301,
      subpath_matching: true,
    } as const;
    const now = { ...wanted, preserve_path_suffix: true };
    expect(steps(desired([wanted], { kind: 'redirect' }), live([now], { kind: 'redirect' }))).toEqual([]);
  });

  test('makes, fills, changes and deletes with the fewest operations', () => {
    expect(steps(desired([A, B], { description: 'Ours' }), null)).toMatchObject([
      {
        operation: 'create',
        base: { kind: 'absent' },
        items: { add: [A, B] },
        description: { before: '', after: 'Ours' },
      },
    ]);
    expect(steps(desired([A, { ...B, comment: 'two' }, C]), live([A, B]))).toMatchObject([
      {
        operation: 'update',
        items: { add: [C], change: [{ before: B, after: { comment: 'two' } }], remove: [] },
        writing: 'add-remove',
      },
    ]);
    expect(steps(desired([], { presence: 'absent' }), live([A]))).toMatchObject([
      { operation: 'delete', turn: 'last', items: { remove: [{ item: A }] } },
    ]);
  });

  test('replaces all items only where that is one operation instead of two and sends no more', () => {
    const many = Array.from({ length: 20 }, (_, index): ListItem => ({ ip: `198.51.100.${index}` }));
    expect(steps(desired([C]), live([A, B]))).toMatchObject([{ writing: 'replace' }]);
    expect(steps(desired([...many, C]), live([...many, A]))).toMatchObject([{ writing: 'add-remove' }]);
    expect(steps(desired([A, C]), live([A]))).toMatchObject([{ writing: 'add-remove' }]);
  });

  test('fails for a list that has another kind live', () => {
    expect(() => steps(desired([A]), live([], { kind: 'asn' }))).toThrow(
      'is declared with kind ip, and live it has kind asn',
    );
  });
});

const item = fc.record(
  {
    ip: fc.integer({ min: 0, max: 30 }).map((last) => `192.0.2.${last}`),
    comment: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['ip'] },
);
const items = fc.uniqueArray(item, { selector: ({ ip }) => ip });

/** Carries a step out on a set of items. */
function carryOut(now: readonly ListItem[], { items: { add, change, remove } }: Pick<ListStep, 'items'>) {
  const left = new Map(now.map((one) => [listItemKey(one), one]));
  remove.forEach((one) => left.delete(listItemKey(one.item)));
  [...add, ...change.map(({ after }) => after)].forEach((one) => left.set(listItemKey(one), one));
  return left;
}

describe('for all items', () => {
  test('the changes lead from live to what is wanted, and say nothing of what stays', () => {
    fc.assert(
      fc.property(items, items, (wanted, now) => {
        const changes = compareItems(wanted, live(now).items);
        expect(carryOut(now, { items: changes })).toEqual(new Map(wanted.map((one) => [one.ip, one])));
        const touched = [...changes.add, ...changes.change.map(({ after }) => after)].map(listItemKey);
        const same = wanted.filter((one) =>
          now.some((other) => other.ip === one.ip && other.comment === one.comment),
        );
        expect(same.some(({ ip }) => touched.includes(ip))).toBe(false);
      }),
    );
  });

  test('the way back leads to what was', () => {
    fc.assert(
      fc.property(items, items, (wanted, now) => {
        const [step] = steps(desired(wanted), live(now));
        if (step === undefined) {
          return;
        }
        const after = live([...carryOut(now, step).values()]);
        const back = reverseListStep(step, after, after.items);
        const undone =
          back.kind === 'step'
            ? carryOut(
                after.items.map((one) => one.item),
                back.step,
              )
            : null;
        expect(undone).toEqual(new Map(now.map((one) => [one.ip, one])));
      }),
    );
  });

  test('a network covers exactly the addresses within it', () => {
    const network = fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 24, max: 31 }))
      .map(([last, bits]) => {
        const size = 2 ** (32 - bits);
        return { first: last - (last % size), size, bits };
      });
    fc.assert(
      fc.property(fc.array(network), fc.integer({ min: 0, max: 255 }), (networks, last) => {
        const isCovered = coveredBy(networks.map(({ first, bits }) => `10.0.0.${first}/${bits}`));
        const expected = networks.some(({ first, size }) => last >= first && last < first + size);
        expect(isCovered(`10.0.0.${last}`)).toBe(expected);
      }),
    );
  });
});

describe('items do something by the rules that name their list live', () => {
  const OFFICE = { action: 'block', expression: 'not ip.src in $office' } as const;
  const INLINE = { ...OFFICE, expression: 'not ip.src in {192.0.2.1 192.0.2.2}' };

  /** What adding an item to the list `office` does, with the rules of a ruleset. */
  function adding(before: Partial<RuleContent>, after: Partial<RuleContent>, ref = 'admin') {
    const slot = {
      kind: 'present',
      ruleset: liveRuleset([liveRule(1, { ref: 'admin', ...before })]),
    } as const;
    const wanted = desiredRuleset([desiredRule({ ref, ...after })]);
    const reading = { scope: ZONE, entries: [{ address: wanted.address, slot }], catalogue: [] };
    const { steps: written } = planOne(wanted, slot.ruleset);
    const rules = listNamingRules(written, reading).after;
    const now = live([A]);
    const planned = planLists({
      scope: SCOPE,
      desired: [desired([A, B])],
      heads: [now],
      read: new Map([['office', now]]),
      rules,
      known: new Map(),
      awaited: new Set(),
    });
    return planned.kind === 'failed' ? planned : planned.lists.map(({ step: one }) => one.protection.kind);
  }

  test.each([
    ['comes to name it', INLINE, OFFICE, ['office']],
    ['names it and does something else', { ...OFFICE, action: 'log' }, OFFICE, ['office']],
    ['names it and comes into force', { ...OFFICE, enabled: false }, OFFICE, ['office']],
    [
      'names it, does the same and looks at more',
      OFFICE,
      { ...OFFICE, expression: `${OFFICE.expression} and ssl` },
      [],
    ],
    ['names it and gets other words only', OFFICE, { ...OFFICE, description: 'Admin' }, []],
  ] as const)('is awaited by a rule that %s', (_, before, after, names) => {
    const { steps: written } = planOne(
      desiredRuleset([desiredRule({ ref: 'admin', ...after })]),
      liveRuleset([liveRule(1, { ref: 'admin', ...before })]),
    );
    expect(written.flatMap((step) => [...listsNamedByStep(step)])).toEqual(names);
  });

  test.each([
    ['that names it before and after', OFFICE, OFFICE, 'admin', 'weakening'],
    ['that gets another ref', OFFICE, OFFICE, 'renamed', 'weakening'],
    ['that comes to name it', INLINE, OFFICE, 'admin', 'neutral'],
    ['that is new', INLINE, OFFICE, 'other', 'neutral'],
  ] as const)('a rule %s', (_, before, after, ref, kind) => {
    expect(adding(before, after, ref)).toEqual([kind]);
  });
});

describe('a list that gets another name', () => {
  const old = live([A, B]);
  const office = desired([], { presence: 'absent' });

  function notes(wanted: readonly DesiredList[], now: readonly LiveList[] = [old]) {
    const planned = planLists({
      scope: SCOPE,
      desired: wanted,
      heads: now,
      read: new Map(now.map((one) => [one.name, one])),
      rules: [],
      known: new Map(),
      awaited: new Set(),
    });
    const rule = content({ action: 'block', expression: 'ip.src in $hq' });
    const lists = listsNamed(rule);
    return planned.kind === 'failed'
      ? planned
      : renamedLists(
          planned.lists.map(({ step }) => step),
          [
            {
              scope: ZONE,
              phase: 'http_request_firewall_custom',
              ref: 'r',
              content: rule,
              lists,
              live: lists,
            },
          ],
        );
  }

  test('is told as that, with the rules that name it', () => {
    expect(notes([office, desired([B, A], { name: 'hq' })])).toMatchObject([
      {
        kind: 'renamed-list',
        step: 'account:Example Shop/list:hq',
        message: 'renamed: office → hq, with the same items; 1 rule names it',
      },
    ]);
  });

  test.each([
    ['other items', [office, desired([A, C], { name: 'hq' })]],
    ['another comment', [office, desired([A, { ...B, comment: 'two' }], { name: 'hq' })]],
    [
      'two new lists of the same items',
      ['hq', 'depot'].map((name) => desired([A, B], { name })).concat(office),
    ],
    ['an old list that stays', [desired([A, B]), desired([A, B], { name: 'hq' })]],
  ])('is not told for %s', (_, wanted) => {
    expect(notes(wanted)).toEqual([]);
  });

  test('is told too where the old one stays live and no file declares it any more', () => {
    const hq = desired([B, A], { name: 'hq' });
    const made = steps(hq, null);
    const others = [
      old,
      live([A], { name: 'small' }),
      live([A, B], { name: 'numbers', kind: 'asn' }),
      live([A, C], { name: 'similar' }),
    ];
    const perhaps = perhapsRenamed(made, others, [hq]);
    expect(perhaps.map(({ name }) => name)).toEqual(['office', 'similar']);
    expect(perhapsRenamed(made, others, [hq, desired([A, B])]).map(({ name }) => name)).toEqual(['similar']);
    expect(leftUnderOldName(made, [old, live([A, C])])).toMatchObject([
      { kind: 'renamed-list', message: expect.stringContaining('declare office with absent: true') },
    ]);
    expect(leftUnderOldName(made, [old, live([A, B], { name: 'twin' })])).toEqual([]);
  });
});

describe('a redirect that leads to another site', () => {
  const from = (source: string, target: string) => ({
    source_url: `${source}/`,
    target_url: target,
    status_code: 301 as const,
  });
  const told = (item: ListItem, now: LiveList | null = null) =>
    leavingRedirects(steps(desired([item], { kind: 'redirect' }), now)).map(({ message }) => message);

  test.each([
    ['shop.example', 'https://evil.example/'],
    ['shop.example', 'https://shop.example@evil.example/'],
    // Browsers read a backslash as a slash.
    ['shop.example', String.raw`https://evil.example\.shop.example/`],
    ['shop.example', String.raw`https://evil.example:443\@shop.example/`],
    ['shop.co.uk', 'https://evil.co.uk/'],
    ['shop.com.au', 'https://www.evil.com.au/'],
    ['shop.example', 'https://[/'],
  ])('is told: %s to %s', (source, target) => {
    expect(told(from(source, target))).toEqual([expect.stringContaining('1 redirect leads to another site')]);
  });

  test.each([
    ['shop.example', 'https://www.shop.example/a'],
    ['https://www.shop.co.uk', 'HTTPS://SHOP.co.uk:8443/a?b=https://evil.example/'],
    ['shop.de', 'https://de.shop.de/'],
    ['shop.example', 'https://user:word@shop.example/'],
  ])('is not told: %s to %s', (source, target) => {
    expect(told(from(source, target))).toEqual([]);
  });

  test('is told where the target or what it applies to changes, and not where only its comment does', () => {
    const item = from('shop.example', 'https://evil.example/');
    const now = live([item], { kind: 'redirect' });
    expect(told({ ...item, comment: 'Partner' }, now)).toEqual([]);
    expect(told({ ...item, include_subdomains: true }, now)).toHaveLength(1);
    expect(told({ ...item, target_url: 'https://worse.example/' }, now)).toHaveLength(1);
  });
});
