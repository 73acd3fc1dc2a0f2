// CPU of planning against JSON.parse of the same live bodies: zones of a hundred rules, taken scope by scope as a run does; ten
// rules are changed in each zone, in every tenth zone, or in none. What is measured is the difference between ways that do more and more of the same work.
import { hash } from 'node:crypto';
import { decodeRuleset } from '../src/api/decode-ruleset.ts';
import type { JsonValue } from '../src/data/json.ts';
import { contentToWire } from '../src/model/rule.ts';
import type { DesiredRule } from '../src/model/rule.ts';
import type { LiveRuleset } from '../src/model/ruleset.ts';
import type { ScopePlan } from '../src/model/plan.ts';
import type { DesiredScope, LiveScope } from '../src/model/state.ts';
import { makePlan, factsOf } from '../src/plan/document/make-plan.ts';
import { planScope } from '../src/plan/plan-scope.ts';
import type { ScopeFacts } from '../src/plan/document/make-plan.ts';
import { median, printTable, round } from './table.ts';

const RULES = 100;
const PHASE = 'http_request_firewall_custom';
const RUNS = 5;
const SIZES = [10, 100, 1000, 10_000];
/** How many bodies are kept; with more zones than that, zones use them in turn. */
const MOST_BODIES = 1000;

/** Ids without a pattern, as the service makes them: sequential ones would compress to almost nothing. */
const id = (number: number): string => hash('md5', String(number));

/** Whether zones share the texts of their conditions, as with packs, or each has its own. */
type Texts = 'shared' | 'own';

function desiredRule(index: number, zone: string): DesiredRule {
  return {
    ref: `rule-${index}`,
    adopt: false,
    cause: { file: 'zones/example.yaml', line: index + 1, column: 9 },
    content: {
      action: index % 3 === 0 ? 'block' : 'managed_challenge',
      expression: `http.host eq "host-${index}.${zone}example" and ip.src in {192.0.2.0/24 198.51.100.${index}}`,
      description: `Rule ${index}`,
      enabled: true,
    },
  };
}

function desiredScope(zone: number, texts: Texts): DesiredScope {
  const cause = { file: `zones/${zone}.yaml`, line: 1, column: 1 };
  return {
    scope: { kind: 'zone', name: `zone-${zone}.example` },
    rulesetOwnership: 'declared',
    cause,
    rulesets: [
      {
        address: { kind: 'entrypoint', phase: PHASE },
        presence: 'present',
        ownership: { kind: 'all' },
        place: 'any',
        cause,
        rules: Array.from({ length: RULES }, (_, index) =>
          desiredRule(index, texts === 'own' ? `z${zone}.` : ''),
        ),
      },
    ],
  };
}

/** Zones in which ten of the hundred rules are changed. */
type Changed = 'all zones' | 'a tenth of zones' | 'none';

const ZONES_PER_CHANGED = {
  'all zones': 1,
  'a tenth of zones': 10,
  none: Infinity,
} as const satisfies Record<Changed, number>;

/** The service's answer to a read of the zone's entry point: as desired, except for the changed rules. */
function body(zone: number, scope: DesiredScope, changed: Changed): JsonValue {
  // The last zone of each group is changed; with none changed, the group has no end.
  const isChanged = (zone + 1) % ZONES_PER_CHANGED[changed] === 0;
  return {
    id: id(zone),
    name: 'default',
    description: '',
    kind: 'zone',
    version: '7',
    source: 'firewall_custom',
    phase: PHASE,
    last_updated: '2026-01-01T00:00:00.000000Z',
    rules:
      scope.rulesets[0]?.rules.map((rule, index) => ({
        id: id(zone * 1000 + index),
        version: '1',
        ref: rule.ref ?? '',
        last_updated: '2026-01-01T00:00:00.000000Z',
        ...contentToWire(isChanged && index % 10 === 0 ? { ...rule.content, action: 'log' } : rule.content),
      })) ?? [],
  };
}

const WAYS = ['parse', 'decode', 'plan', 'document'] as const;
type Way = (typeof WAYS)[number];

interface Zones {
  readonly count: number;
  readonly desired: readonly DesiredScope[];
  readonly bodies: readonly string[];
}

function zonesOf(count: number, texts: Texts, changed: Changed): Zones {
  const desired = Array.from({ length: Math.min(count, MOST_BODIES) }, (_, zone) =>
    desiredScope(zone, texts),
  );
  return { count, desired, bodies: desired.map((scope, zone) => JSON.stringify(body(zone, scope, changed))) };
}

/** Does the work of a way, including the ways before it, zone after zone. */
function work({ count, desired, bodies }: Zones, way: Way): unknown {
  const plans: ScopePlan[] = [];
  const facts: ScopeFacts[] = [];
  for (let zone = 0; zone < count; zone += 1) {
    const scope = desired[zone % desired.length];
    const parsed: unknown = JSON.parse(bodies[zone % bodies.length] ?? '');
    if (scope !== undefined && way !== 'parse') {
      const ruleset = decodeRuleset(parsed);
      if (way !== 'decode') {
        const plan = planScope(scope, liveScope(zone, scope.scope.name, ruleset));
        if (way === 'document' && plan.kind === 'planned') {
          facts.push(factsOf(plan));
        }
        plans.push(plan);
      }
    }
  }
  return way === 'document' ? makePlan('bench', plans, [], facts) : plans;
}

function liveScope(zone: number, name: string, ruleset: LiveRuleset): LiveScope {
  return {
    scope: { kind: 'zone', id: id(zone + 1), name, accountId: id(1) },
    catalogue: [],
    entries: [{ address: { kind: 'entrypoint', phase: PHASE }, slot: { kind: 'present', ruleset } }],
  };
}

function cpuMs(zones: Zones, way: Way): number {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const result = work(zones, way);
  const { user, system } = process.cpuUsage(before);
  return result === undefined ? 0 : (user + system) / 1000;
}

function measure(zones: Zones): Readonly<Record<Way, number>> {
  const rounds = Array.from({ length: zones.count > MOST_BODIES ? 3 : RUNS }, () =>
    Object.fromEntries(WAYS.map((way) => [way, cpuMs(zones, way)])),
  );
  const middle = (way: Way): number => median(rounds.map((round) => round[way] ?? 0));
  return {
    parse: middle('parse'),
    decode: middle('decode'),
    plan: middle('plan'),
    document: middle('document'),
  };
}

/** Megabytes that the plan holds when everything else has been collected. */
function planMegabytes(zones: Zones): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const plan = work(zones, 'document');
  globalThis.gc?.();
  const held = process.memoryUsage().heapUsed - before;
  return plan === undefined ? 0 : held / 1024 / 1024;
}

const rows: Record<string, string | number>[] = [];
work(zonesOf(100, 'shared', 'all zones'), 'document');
const CASES: readonly (readonly [number, Texts, Changed])[] = [
  ...SIZES.map((size) => [size, 'shared', 'all zones'] as const),
  [10_000, 'shared', 'a tenth of zones'],
  [10_000, 'shared', 'none'],
  [1000, 'own', 'all zones'],
  [1000, 'own', 'a tenth of zones'],
  [1000, 'own', 'none'],
];
for (const [count, texts, changed] of CASES) {
  const zones = zonesOf(count, texts, changed);
  const { parse, decode, plan, document } = measure(zones);
  rows.push({
    zones: count,
    rules: count * RULES,
    texts,
    'ten rules changed in': changed,
    'JSON.parse ms': round(parse),
    'decode ÷ parse': round((decode - parse) / parse),
    'plan ÷ parse': round((plan - decode) / parse),
    'document ÷ parse': round((document - plan) / parse),
    'all after parse ÷ parse': round((document - parse) / parse),
    'plan MB': round(planMegabytes(zones)),
  });
}
printTable('CPU of planning, as ratios to JSON.parse of the same bodies', rows);
