import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { propertyRuns } from '../property-runs.ts';
import { blockRule, entryPoint } from './bench.ts';
import type { RulesetView } from './bench.ts';
import { startFirewall } from './firewall-bench.ts';
import type { FirewallBench, FirewallRuleView } from './firewall-bench.ts';

const CUSTOM = 'http_request_firewall_custom';

interface Named {
  readonly id: string;
}

type RuleView = NonNullable<RulesetView['rules']>[number];

/** A write on one side; its numbers select among the existing rules. */
type Write =
  | {
      readonly side: 'old';
      readonly kind: 'create';
      readonly action: string;
      readonly priority: number | null;
    }
  | { readonly side: 'old'; readonly kind: 'prioritise' | 'remove' | 'pause'; readonly pick: number }
  | { readonly side: 'old'; readonly kind: 'filter'; readonly pick: number; readonly text: number }
  | { readonly side: 'new'; readonly kind: 'add'; readonly form: number; readonly at: number }
  | { readonly side: 'new'; readonly kind: 'move' | 'drop' | 'rewrite'; readonly pick: number };

const pick = fc.nat(30);
const writes: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    side: fc.constant('old' as const),
    kind: fc.constant('create' as const),
    action: fc.constantFrom('block', 'allow', 'bypass', 'challenge'),
    priority: fc.option(fc.nat(5)),
  }),
  fc.record({
    side: fc.constant('old' as const),
    kind: fc.constantFrom('prioritise' as const, 'remove' as const, 'pause' as const),
    pick,
  }),
  fc.record({ side: fc.constant('old' as const), kind: fc.constant('filter' as const), pick, text: pick }),
  fc.record({ side: fc.constant('new' as const), kind: fc.constant('add' as const), form: pick, at: pick }),
  fc.record({
    side: fc.constant('new' as const),
    kind: fc.constantFrom('move' as const, 'drop' as const, 'rewrite' as const),
    pick,
  }),
);

const FORMS = [
  { action: 'block' },
  { action: 'managed_challenge', enabled: false },
  { action: 'skip', action_parameters: { ruleset: 'current' } },
  { action: 'skip', action_parameters: { products: ['bic', 'hot'] } },
  { action: 'skip', action_parameters: { ruleset: 'current', phases: ['http_ratelimit'] } },
  { action: 'skip', action_parameters: { phases: ['http_request_sbfm'] } },
];

let fresh = 0;
function text(): string {
  fresh += 1;
  return `http.host eq "p${fresh}.example"`;
}

async function carryOut(bench: FirewallBench, write: Write): Promise<void> {
  const rules = await bench.rules();
  const at = <T>(items: readonly T[], place: number): T | undefined =>
    items[place % Math.max(1, items.length)];
  if (write.side === 'old') {
    if (write.kind === 'create') {
      const products = write.action === 'bypass' ? { products: ['waf', 'uaBlock'] } : {};
      const rule = {
        action: write.action,
        priority: write.priority,
        ...products,
        filter: { expression: text() },
      };
      await bench.call('POST', bench.rulesPath, [rule]);
      return;
    }
    const rule = at(rules, write.pick);
    if (rule === undefined) {
      return;
    }
    const path = `${bench.rulesPath}/${rule.id}`;
    if (write.kind === 'filter') {
      await bench.call('PUT', `${bench.filtersPath}/${rule.filter.id}`, {
        ...rule.filter,
        expression: text(),
      });
    } else if (write.kind === 'remove') {
      await bench.call('DELETE', path);
    } else if (write.kind === 'pause') {
      await bench.call('PUT', path, { ...rule, paused: !rule.paused, filter: { id: rule.filter.id } });
    } else {
      await bench.call('PATCH', path, { id: rule.id, priority: write.pick });
    }
    return;
  }
  const custom = await customRules(bench);
  const ids = custom.map(({ id }) => ({ id }));
  const target = at(custom, 'pick' in write ? write.pick : 0);
  const others = ids.filter(({ id }) => id !== target?.id);
  const next =
    write.kind === 'add'
      ? ids.toSpliced(
          write.at % (ids.length + 1),
          0,
          blockRule({ ...FORMS[write.form % FORMS.length], expression: text() }) as never,
        )
      : write.kind === 'drop'
        ? others
        : write.kind === 'move'
          ? [...others, ...(target === undefined ? [] : [{ id: target.id }])]
          : ids.map((each) =>
              each.id === target?.id ? { ...blockRule({ expression: text() }), id: each.id } : each,
            );
  await bench.call('PUT', entryPoint(bench.zone, CUSTOM), { rules: next });
}

async function customRules(bench: FirewallBench): Promise<readonly RuleView[]> {
  const reply = await bench.call('GET', entryPoint(bench.zone, CUSTOM));
  return reply.status === 404 ? [] : (reply.body.result.rules ?? []);
}

/** How a custom rule shows in the old interface by the table of api.md 9.3, written down independently. */
function expected(rule: RuleView): readonly (readonly unknown[])[] {
  const parameters = rule.action_parameters ?? {};
  const phases = (parameters['phases'] ?? []) as readonly string[];
  const products = new Set((parameters['products'] ?? []) as readonly string[]);
  if (phases.includes('http_ratelimit')) {
    products.add('rateLimit');
  }
  if (phases.includes('http_request_firewall_managed')) {
    products.add('waf');
  }
  const rest = [rule.expression, rule.enabled];
  if (rule.action !== 'skip') {
    return [[rule.action, '', ...rest]];
  }
  return [
    ...(parameters['ruleset'] === 'current' ? [['allow', '', ...rest]] : []),
    ...(products.size > 0 ? [['bypass', [...products].sort().join(), ...rest]] : []),
  ];
}

function seen({ action, products, filter, paused }: FirewallRuleView): readonly unknown[] {
  return [action, [...(products ?? [])].sort().join(), filter.expression, !paused && !filter.paused];
}

test('api.md 9.3: after any writes on either side, both sides show the same rules in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writes, { maxLength: 12 }), async (sequence) => {
      const bench = await startFirewall({ world: 'one_list' });
      for (const write of sequence) {
        const before = { old: await bench.rules(), new: await customRules(bench) };
        await carryOut(bench, write);
        const after = { old: await bench.rules(), new: await customRules(bench) };
        expect(after.old.map(seen)).toEqual(after.new.flatMap(expected));

        // Ids are stable, and what was not written to keeps its bytes and its relative order.
        const same = after.new.filter((rule) =>
          before.new.some((was) => JSON.stringify(was) === JSON.stringify(rule)),
        );
        const touched = write.side === 'old' && write.kind !== 'filter' ? 2 : before.new.length;
        expect(same.length).toBeGreaterThanOrEqual(Math.min(before.new.length, after.new.length) - touched);
        expect(new Set(after.old.map(({ id }) => id)).size).toBe(after.old.length);
        const moved = write.kind === 'prioritise' || write.kind === 'move';
        const kept = (ids: readonly Named[], among: readonly Named[]) =>
          moved ? [] : ids.map(({ id }) => id).filter((id) => among.some((other) => other.id === id));
        expect(kept(after.new, before.new)).toEqual(kept(before.new, after.new));
        expect(kept(after.old, before.old)).toEqual(kept(before.old, after.old));

        // Every filter that a rule shows exists exactly once.
        const filters = await bench.filters();
        for (const rule of after.old) {
          expect(filters.filter(({ id }) => id === rule.filter.id)).toEqual([rule.filter]);
        }
      }
    }),
    { numRuns: Math.min(propertyRuns(), 500) },
  );
});
