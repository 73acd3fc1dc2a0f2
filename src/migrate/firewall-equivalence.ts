import type {
  Equivalence,
  OldFirewallRule,
  RequestOutcome,
  WorldDifference,
  ZoneConversion,
} from '../model/firewall-conversion.ts';
import type { LiveRule } from '../model/rule.ts';
import type { SimulatedScope, PreparedZone } from '../simulate/index.ts';
import { prepareScope, simulate } from '../simulate/index.ts';
import type { SimulatedRule } from '../simulate/scope-rules.ts';
import { GENERATED_EVALUATION } from './clause-values.ts';
import type { Assignment } from './assignment.ts';
import { CUSTOM_PHASE, conversionsOf, placedRules } from './firewall-conversion.ts';
import type { OldWorld } from './firewall-old-world.ts';
import { compileOldWorld } from './firewall-old-world.ts';
import { convertedRef } from './firewall-rule.ts';
import { GENERATED_ZONE, describeRequest, scenarioOf, valuesOf } from './generated-request.ts';
import { generateRequests } from './generate-requests.ts';

const LATER_PHASES = ['http_ratelimit', 'http_request_firewall_managed', 'http_request_sbfm'];

/** The old and the new world of a zone: the old rules in the order of execution with the custom rules behind them, and what takes their place. */
export interface Worlds {
  readonly old: readonly OldFirewallRule[];
  readonly existing: readonly LiveRule[];
  /** The custom rules of the new world; a converted one is recognised by its `ref`. */
  readonly after: readonly SimulatedRule[];
  /** Old rules that stay before the custom rules of the new world; none unless given. */
  readonly oldAfter?: readonly OldFirewallRule[];
}

/** Returns the worlds before and after a conversion. */
export function worldsOf(conversion: Pick<ZoneConversion, 'rules' | 'existing' | 'place'>): Worlds {
  const { rules, existing } = conversion;
  return {
    old: rules.map((rule) => rule.old),
    existing,
    after: placedRules<SimulatedRule>(conversion, conversionsOf(conversion), existing),
  };
}

/**
 * Evaluates both worlds on generated requests and compares what happens to each request. The old world is the old engine with the custom rules
 * behind it; the new one is a simulation of its custom rules, behind the old rules that stay.
 */
export function checkEquivalence({ old, existing, after, oldAfter = [] }: Worlds): Equivalence {
  const { requests, coverage } = generateRequests([
    ...old.flatMap(({ id, filter }) =>
      filter.kind === 'filter' ? [{ name: convertedRef(id), expression: filter.expression }] : [],
    ),
    ...existing.map(({ ref, content }) => ({ name: ref, expression: content.expression })),
  ]);
  const oldWorld = compileOldWorld(old, GENERATED_EVALUATION);
  const oldLeft = compileOldWorld(oldAfter, GENERATED_EVALUATION);
  const beside = zoneWith(existing);
  const joined = zoneWith(after);
  const differences = requests.flatMap((assignment): readonly WorldDifference[] => {
    const before = outcomeOf(oldWorld, beside, assignment);
    const now = outcomeOf(oldLeft, joined, assignment);
    const kind = differ(before, now);
    return kind === null ? [] : [{ kind, request: describeRequest(assignment), before, after: now }];
  });
  return { requests: requests.length, coverage, differences };
}

/** Returns what happens to a request: old rules run first, custom rules behind them. */
function outcomeOf(oldWorld: OldWorld, beside: PreparedZone, assignment: Assignment): RequestOutcome {
  const { end, acted, skipped } = oldWorld(valuesOf(assignment));
  const names = acted.map(({ id }) => convertedRef(id));
  if (end !== null) {
    return { end: { action: end.action, rule: convertedRef(end.id) }, acted: names, skipped: [] };
  }
  const behind = outcomeIn(beside, assignment);
  return {
    end: behind.end,
    acted: [...names, ...behind.acted],
    skipped: behind.end === null ? sorted([...skipped, ...behind.skipped]) : [],
  };
}

function outcomeIn(zone: PreparedZone, assignment: Assignment): RequestOutcome {
  const { entries, end, products } = simulate(zone, scenarioOf(assignment));
  const own = entries.find(({ ruleset }) => ruleset.phase === CUSTOM_PHASE);
  const acted = (own?.verdicts ?? []).flatMap((verdict, index) =>
    verdict.kind === 'matched' || verdict.kind === 'opaque' ? (own?.ruleset.rules[index]?.name ?? []) : [],
  );
  if (end !== undefined) {
    return {
      end: { action: end.rule.rule.content.action, rule: end.rule.name },
      acted,
      skipped: [],
    };
  }
  const phases = entries.flatMap(({ ruleset, verdicts }) =>
    LATER_PHASES.includes(ruleset.phase) && verdicts[0]?.kind === 'skipped' ? [ruleset.phase] : [],
  );
  return { end: null, acted, skipped: sorted([...products, ...phases]) };
}

function differ(before: RequestOutcome, after: RequestOutcome): WorldDifference['kind'] | null {
  const sameEnd = before.end?.action === after.end?.action && before.skipped.join() === after.skipped.join();
  if (!sameEnd) {
    return 'outcome';
  }
  return before.end?.rule === after.end?.rule && sorted(before.acted).join() === sorted(after.acted).join()
    ? null
    : 'events';
}

/** Returns a zone with these custom rules; each later phase has one rule that tells whether the phase is skipped. */
function zoneWith(rules: readonly SimulatedRule[]): PreparedZone {
  const watcher: SimulatedRule = {
    ref: 'watcher',
    content: { action: 'log', expression: 'true', description: '', enabled: true },
  };
  const scope: SimulatedScope = {
    scope: { kind: 'zone', name: GENERATED_ZONE.name },
    rulesets: [
      { address: { kind: 'entrypoint', phase: CUSTOM_PHASE }, rules },
      ...LATER_PHASES.map((phase) => ({ address: { kind: 'entrypoint' as const, phase }, rules: [watcher] })),
    ],
  };
  return {
    zone: GENERATED_ZONE,
    scopes: [prepareScope(scope, GENERATED_EVALUATION)],
    source: 'files',
  };
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
