// CPU of planning against JSON.parse of the same live bodies, at three sizes: zones of a hundred rules, a tenth of them changed.
import { decodeRuleset } from '../src/api/decode-ruleset.ts';
import type { JsonValue } from '../src/model/json.ts';
import { contentToWire } from '../src/model/rule-fields.ts';
import type { DesiredRule } from '../src/model/rule.ts';
import type { LiveRuleset } from '../src/model/ruleset.ts';
import type { DesiredScope } from '../src/model/state.ts';
import { makePlan } from '../src/plan/make-plan.ts';
import { planScope } from '../src/plan/plan-scope.ts';
import { median, printTable, round } from './table.ts';

const RULES = 100;
const PHASE = 'http_request_firewall_custom';
const RUNS = 7;

const id = (number: number): string => number.toString(16).padStart(32, '0');

function desiredRule(index: number): DesiredRule {
  return {
    ref: `rule-${index}`,
    adopt: false,
    cause: { file: 'zones/example.yaml', line: index + 1, column: 9 },
    content: {
      action: index % 3 === 0 ? 'block' : 'managed_challenge',
      expression: `http.host eq "host-${index}.example" and ip.src in {192.0.2.0/24 198.51.100.${index}}`,
      description: `Rule ${index}`,
      enabled: true,
    },
  };
}

function desiredScope(zone: number): DesiredScope {
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
        place: 'last',
        cause,
        rules: Array.from({ length: RULES }, (_, index) => desiredRule(index)),
      },
    ],
  };
}

/** The service's answer to a read of the zone's entry point: as wanted, but for every tenth rule. */
function body(zone: number): JsonValue {
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
      desiredScope(zone).rulesets[0]?.rules.map((rule, index) => ({
        id: id(zone * 1000 + index),
        version: '1',
        ref: rule.ref ?? '',
        last_updated: '2026-01-01T00:00:00.000000Z',
        ...contentToWire(index % 10 === 0 ? { ...rule.content, action: 'log' } : rule.content),
      })) ?? [],
  };
}

function cpu(work: () => unknown): number {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}

const rows: Record<string, string | number>[] = [];
for (const zones of [10, 100, 1000]) {
  const desired = Array.from({ length: zones }, (_, zone) => desiredScope(zone + 1));
  const bodies = desired.map((_, zone) => JSON.stringify(body(zone + 1)));
  const live = bodies.map((text): LiveRuleset => decodeRuleset(JSON.parse(text)));
  const parsing = cpu(() => bodies.map((text) => JSON.parse(text) as unknown));
  const decoding = cpu(() => bodies.map((text) => decodeRuleset(JSON.parse(text))));
  const planning = cpu(() =>
    makePlan(
      'bench',
      desired.map((scope, index) => {
        const ruleset = live[index];
        return planScope(scope, {
          scope: { kind: 'zone', id: id(index + 1), name: scope.scope.name, accountId: id(1) },
          catalogue: [],
          entries:
            ruleset === undefined
              ? []
              : [{ address: { kind: 'entrypoint', phase: PHASE }, slot: { kind: 'present', ruleset } }],
        });
      }),
    ),
  );
  rows.push({
    rules: zones * RULES,
    'JSON.parse ms': round(parsing),
    'parse and decode ms': round(decoding),
    'plan ms': round(planning),
    'plan/JSON.parse': round(planning / parsing),
  });
}
printTable('CPU of planning', rows);
