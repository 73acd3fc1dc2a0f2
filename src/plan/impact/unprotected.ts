import type { RuleChange, RuleContent } from '../../model/index.ts';
import {
  describedName,
  isAlwaysOn,
  canonicalReference,
  stopsRequests,
  actionKind,
} from '../../model/index.ts';
import { eitherHits } from '../../simulate/index.ts';
import type { Hits } from '../../simulate/index.ts';
import { executedBy, isChanged, callersOf } from './phase-rules.ts';
import type { About, JudgedPhase, PhaseRules, RuleInPhase, PlanSide, RulesInPhase } from './phase-rules.ts';
import type { EffectContext } from './security-effect.ts';
import { clauseOverTime } from './conditions.ts';
import {
  requestsOf,
  shareLetPast,
  exceptFirstVisits,
  hitsOf,
  namesTyped,
  shareAmong,
} from './every-request.ts';
import type { TrafficShare, Traffic } from './every-request.ts';
import { createWorstEffects, grownAmong } from './worst-effects.ts';
import { inWords, bypassedBy, REST, rulesetOf, isOff } from './bypass.ts';
import type { BypassedParts } from './bypass.ts';

/** The rules of a ruleset, and the rules that execute it; undefined when every request of the phase may reach the ruleset. */
export interface RulesetRules {
  readonly rules: RulesInPhase;
  readonly callers: RulesInPhase | undefined;
}

/** Returns the rulesets of a phase. When the entry point was not read, each rule of a custom ruleset is judged by its own condition. */
export function placesOf({ entrypoint, custom }: PhaseRules): readonly RulesetRules[] {
  return [
    ...(entrypoint === undefined ? [] : [{ rules: entrypoint, callers: undefined }]),
    ...[...custom].map(([reference, rules]) => ({
      rules,
      callers: entrypoint === undefined ? undefined : callersOf(reference, entrypoint),
    })),
  ];
}

/** Returns, for each way that leads to a rule, the conditions that a request meets which the rule matches. */
export function waysTo(
  { expression }: RuleContent,
  { callers }: RulesetRules,
  side: PlanSide,
): readonly (readonly string[])[] {
  return callers?.[side].map((caller) => [caller[side]?.expression ?? '', expression]) ?? [[expression]];
}

interface PhaseAtRuleset extends JudgedPhase {
  readonly place: RulesetRules;
}

/**
 * Returns what a rule lets requests past at its place. In an entry point the rules after it are known: only those count that stop requests both
 * before and after the plan, and only rulesets that are executed after it.
 */
export function passedAt(
  rule: RuleInPhase,
  side: PlanSide,
  { place, phase, about }: PhaseAtRuleset,
): BypassedParts {
  const passed = bypassedBy(rule[side], about.context);
  if (place.rules !== phase.entrypoint) {
    return passed;
  }
  const list = place.rules[side];
  const behind = list.slice(list.indexOf(rule) + 1).filter((one) => stops(one.before) && stops(one.after));
  const executed = new Set(behind.map((one) => canonicalReference(executedBy(one[side]) ?? '')));
  return new Set(
    [...passed].flatMap((one) => {
      const ruleset = rulesetOf(one);
      if (one === REST) {
        return behind.map(({ id }) => `behind ${id}`);
      }
      return ruleset === undefined || executed.has(ruleset) ? [one] : [];
    }),
  );
}

/** Whether a rule stops requests, or executes a ruleset that may. */
function stops(content: RuleContent | null): boolean {
  return (
    content?.enabled === true && (stopsRequests(content.action) || actionKind(content.action) === 'execute')
  );
}

/**
 * Finds the changes by which protection newly misses every request, with what these are let past: changes of rules that skip protection, switch
 * it off, or used to run it; and of rules that execute such rules.
 */
export function openedAlone(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  return openedTo(about.context, { phase, about });
}

/** Like `openedAlone`, for every request to a host name that people type. */
export function openedNames(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const { context } = about;
  return new Map(
    // Reversed so that the zone's bare name wins when both names are affected.
    namesTyped(context)
      .toReversed()
      .flatMap((host) => [...openedTo({ ...context, host }, { phase, about })]),
  );
}

function openedTo(traffic: Traffic, { phase, about }: JudgedPhase): ReadonlyMap<RuleChange, string> {
  const worst = createWorstEffects();
  for (const place of placesOf(phase)) {
    for (const rule of place.rules[about.way.to]) {
      const { by, share, passed } = comesToLetPast(rule, place, { phase, about, traffic });
      const what = (): string => `${requestsOf(share, traffic.host)} past ${inWords(passed)}`;
      const description = rule[about.way.to]?.description ?? '';
      worst.tell(by, share, (one) =>
        one === rule ? `lets ${what()}` : `makes rule ${describedName(rule.ref, description)} let ${what()}`,
      );
    }
  }
  for (const { by, share } of stopped(phase, { about, traffic })) {
    worst.tell(by, share, () => `lets ${requestsOf(share, traffic.host)} past its managed rules`);
  }
  return worst.texts();
}

/** What is newly let past for all requests, and the changed rules to blame. */
interface Opened {
  readonly by: readonly RuleInPhase[];
  readonly share: TrafficShare;
  readonly passed: BypassedParts;
}

const NOTHING: Opened = { by: [], share: 0, passed: new Set() };

function comesToLetPast(
  rule: RuleInPhase,
  place: RulesetRules,
  { traffic, ...around }: JudgedPhase & { readonly traffic: Traffic },
): Opened {
  const { context, way } = around.about;
  if (bypassedBy(rule[way.to], context).size === 0) {
    return NOTHING;
  }
  const changed = [rule, ...(place.callers?.[way.to] ?? [])].filter(({ change }) => change !== undefined);
  const reach = (side: PlanSide): TrafficShare => {
    const content = rule[side];
    return content === null || bypassedBy(content, context).size === 0
      ? 0
      : shareLetPast(waysTo(content, place, side), traffic);
  };
  const share = changed.length === 0 ? 0 : reach(way.to);
  if (share === 0) {
    return NOTHING;
  }
  const hasGrown = share > reach(way.from);
  const had = hasGrown ? NOTHING.passed : passedAt(rule, way.from, { place, ...around });
  const passed = new Set([...passedAt(rule, way.to, { place, ...around })].filter((one) => !had.has(one)));
  if (passed.size === 0) {
    return NOTHING;
  }
  const alone = (content: RuleContent): TrafficShare =>
    bypassedBy(content, context).size > 0 || executedBy(content) !== undefined
      ? shareLetPast([[content.expression]], traffic)
      : 0;
  return { by: hasGrown ? grownAmong(changed, way, alone) : [rule], share, passed };
}

/** Returns what a rule newly lets all requests past by itself, wherever it stands; undefined when it is nothing. */
export function opensAlone(
  old: RuleContent | null,
  now: RuleContent,
  context: EffectContext,
): string | undefined {
  return clauseOverTime([old?.expression ?? '', now.expression], (conditionThen) => {
    for (const host of [undefined, ...namesTyped(context)]) {
      const traffic = { ...context, host };
      const reach = (content: RuleContent | null): TrafficShare =>
        content === null || bypassedBy(content, context).size === 0
          ? 0
          : shareLetPast([[conditionThen(content.expression)]], traffic);
      const share = reach(now);
      const had: BypassedParts =
        share === 0 || share > reach(old) ? NOTHING.passed : bypassedBy(old, context);
      const passed = [...bypassedBy(now, context)].filter(
        (one) => !had.has(one) && one !== REST && rulesetOf(one) === undefined,
      );
      if (share > 0 && passed.length > 0) {
        return `lets ${requestsOf(share, host)} past ${inWords(new Set(passed))}`;
      }
    }
    return undefined;
  });
}

/** A managed ruleset that requests no longer reach, and the changed rules that executed it. */
interface Stopped {
  readonly by: readonly RuleInPhase[];
  readonly share: TrafficShare;
}

/** Finds managed rulesets that ordinary requests no longer reach, though the rules executed them for all. */
function stopped(
  { entrypoint, custom }: PhaseRules,
  { about: { context, way }, traffic }: { readonly about: About; readonly traffic: Traffic },
): readonly Stopped[] {
  if (entrypoint === undefined || isAlwaysOn(context)) {
    return [];
  }
  const runs = (one: RuleInPhase, side: PlanSide): string | undefined =>
    isOff(one[side]?.action_parameters ?? {}) ? undefined : executedBy(one[side]);
  const changed = entrypoint[way.from].filter(isChanged);
  const rulesets = new Set(changed.map((one) => runs(one, way.from)));
  return [...rulesets].flatMap((ruleset) => {
    if (ruleset === undefined || custom.has(ruleset)) {
      return [];
    }
    const waysOn = (side: PlanSide): readonly (readonly string[])[] =>
      entrypoint[side].flatMap((one) => (runs(one, side) === ruleset ? [[one[side]?.expression ?? '']] : []));
    const [before, after] = [waysOn(way.from), waysOn(way.to)];
    const lost = hitsOn(before, traffic).least & ~hitsOn(after, traffic).most;
    const share = after.length === 0 ? shareLetPast(before, traffic) : exceptFirstVisits(shareAmong(lost));
    return [{ by: changed.filter((one) => runs(one, way.from) === ruleset), share }];
  });
}

function hitsOn(ways: readonly (readonly string[])[], traffic: Traffic): Hits {
  return ways.map((way) => hitsOf(way, traffic)).reduce(eitherHits, { least: 0, most: 0 });
}
