import type {
  Equivalence,
  OldFirewallRule,
  RequestOutcome,
  WorldDifference,
  ZoneConversion,
} from '../conversion.ts';
import type { LiveRule } from '../../model/index.ts';
import type { SimulatedScope, PreparedZone, Evaluation, SimulatedRule } from '../../simulate/index.ts';
import { prepareScope, simulate, compileCondition } from '../../simulate/index.ts';
import type { Values } from '../../expression/index.ts';
import { generateRequests } from '../generated-requests.ts';
import type { Assignment } from '../generated-request.ts';
import { GENERATED_ZONE, describeRequest, scenarioOf, valuesOf } from '../generated-request.ts';
import { GENERATED_EVALUATION } from '../clause-values.ts';
import { convertedRef, PRODUCT_PHASES } from './firewall-convert-rule.ts';
import { CUSTOM_PHASE, conversionsOf, placedRules } from './firewall-conversion.ts';

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

/** What old rules do with a request. */
interface OldVerdict {
  /** The rule that ended the request; null when the request went on. */
  readonly end: OldFirewallRule | null;
  /** Rules that matched, in order, including the one that ended the request. */
  readonly acted: readonly OldFirewallRule[];
  /** Products that a bypass skipped, and the phases that replace them. */
  readonly skipped: ReadonlySet<string>;
}

/** Runs a request through old rules. */
type OldWorld = (values: Values) => OldVerdict;

/**
 * Compiles the old engine (api.md 9.1): rules run in the order of execution; log and bypass go on, allow ends the old rules without ending the
 * request, and every other action ends the request. A rule that is paused, or whose filter is paused or deleted, does not match. Written from the
 * specification of old rules alone, because the conversion is judged by it.
 */
function compileOldWorld(rules: readonly OldFirewallRule[], evaluation: Evaluation): OldWorld {
  const ready = rules.flatMap((rule) =>
    rule.paused || rule.filter.kind === 'deleted' || rule.filter.paused
      ? []
      : [{ rule, test: compileCondition(rule.filter.expression, evaluation).evaluate }],
  );
  return (values) => {
    const acted: OldFirewallRule[] = [];
    const skipped = new Set<string>();
    for (const { rule, test } of ready) {
      if (!test(values)) {
        continue;
      }
      acted.push(rule);
      switch (rule.action) {
        case 'log':
          break;
        case 'bypass':
          for (const product of rule.products) {
            skipped.add(product);
            const phase = PRODUCT_PHASES.get(product);
            if (phase !== undefined) {
              skipped.add(phase);
            }
          }
          break;
        case 'allow':
          return { end: null, acted, skipped };
        default:
          return { end: rule, acted, skipped };
      }
    }
    return { end: null, acted, skipped };
  };
}
