import { assertNever } from '../../data/index.ts';
import type { RuleChange, ToEveryRequest, Step, RuleContent, LiveScope } from '../../model/index.ts';
import { actionFacts, describedName, directsRules, actionKind } from '../../model/index.ts';
import { FIRST_VISITS, ORDINARY, OVER_IPV4 } from '../../simulate/index.ts';
import type { Requests } from '../../simulate/index.ts';
import { walkRules } from './walk-rules.ts';
import type { RulesWalk } from './walk-rules.ts';
import { conditionsIn, phaseIn, phasesOf, acts, isChanged } from './phase-rules.ts';
import type { About, PhaseRules, JudgedPhase, RuleInPhase, RulesInPhase, PlanSide } from './phase-rules.ts';
import { openedAlone, openedNames, passedAt, placesOf, waysTo } from './unprotected.ts';
import type { RulesetRules } from './unprotected.ts';
import { bypassedBy, inWords } from './bypass.ts';
import { createWorstEffects, grownAmong } from './worst-effects.ts';
import type { EffectContext } from './security-effect.ts';
import type { TimeSpan } from './conditions.ts';
import { conditionIn, timeSpans, trialSpans, whenText } from './conditions.ts';
import {
  hitsOf,
  isEnding,
  requestsOf,
  shareLetPast,
  appliesTo,
  namesTyped,
  shareEnded,
  shareOf,
  endsFirstVisits,
  shareAmong,
} from './every-request.ts';
import type { TrafficShare, Traffic } from './every-request.ts';

/**
 * Finds the changes by which the rules of a phase together newly end every ordinary request, though none does alone: changes of rules that end
 * what others leave, and of what prevented that, such as a skip that is deleted. Judged only by trying ordinary requests.
 */
function endedTogether(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const told = new Map<RuleChange, string>();
  const { entrypoint, custom } = phase;
  for (const rules of entrypoint === undefined ? custom.values() : [entrypoint]) {
    tell(rules, { phase, about, told });
  }
  return told;
}

/** The ordinary requests of each share. */
const ENDED = { 0: 0, 1: FIRST_VISITS, 2: OVER_IPV4, 4: ORDINARY } as const;

interface TerminatingSearch extends JudgedPhase {
  readonly told: Map<RuleChange, string>;
}

function tell(rules: RulesInPhase, { phase, about: { context, way }, told }: TerminatingSearch): void {
  const walk = (side: PlanSide): RulesWalk => walkRules(rules, { phase, side, context });
  const now = walk(way.to);
  const share = shareAmong(endedIn(now, way.to));
  const former = share === 0 ? now : walk(way.from);
  if (share <= shareAmong(endedIn(former, way.from))) {
    return;
  }
  /** Whether a rule changed and formerly did not match, or not act on, some of these requests. */
  const isNew = (rule: RuleInPhase, requests: Requests): boolean => {
    const content = rule[way.from];
    return (
      isChanged(rule) &&
      (content === null || !acts(content) || (requests & ~hitsOf([content.expression], context).most) !== 0)
    );
  };
  const lets = `lets rules together stop or redirect ${requestsOf(share)}`;
  let open = ENDED[share] & ~former.ended;
  const blame = (rule: RuleInPhase | undefined, requests: Requests, text: string): void => {
    if (rule?.change !== undefined && (requests & open) !== 0) {
      told.set(rule.change, told.get(rule.change) ?? text);
      open &= ~requests;
    }
  };
  for (const { rule, by, requests } of now.ends) {
    if (isNew(rule, requests & open)) {
      blame(rule, requests, `stops or redirects, with other rules, ${requestsOf(share)}`);
    } else if (by !== undefined && isNew(by, requests & open)) {
      blame(by, requests, lets);
    }
  }
  // For the rest, the rule was reached before as well, and another rule came first.
  for (const { rule, by, requests } of [...former.skips, ...now.ends]) {
    blame(rule.change === undefined ? by : rule, requests, lets);
  }
}

/** Returns the requests that rules end for good. */
function endedIn({ ends }: RulesWalk, side: PlanSide): Requests {
  return ends.reduce(
    (ended, { rule, requests }) =>
      ended | (endsFirstVisits(rule[side]) ? requests : requests & ~FIRST_VISITS),
    0,
  );
}

/**
 * Adds to the changes of steps what each newly does to every request (end it, or let it past protection), and what undoing it would. Judged
 * with all that was read of a phase, and so under the conditions under which its rules run.
 */
export function withEndings(steps: readonly Step[], live: LiveScope): readonly Step[] {
  const { scope } = live;
  const deciding = steps.filter(({ changes, target: { phase } }) =>
    changes.some((change) => mayDecide(change, { scope, phase })),
  );
  if (deciding.length === 0) {
    return steps;
  }
  const phases = phasesOf(steps, live, new Set(deciding.map(({ target }) => target.phase)));
  const found = (judge: PhaseJudge): BothWays => {
    const going = (way: About['way']): ReadonlyMap<RuleChange, string> =>
      new Map(
        phases.flatMap((phase) => [
          ...inEachSpan(phase, { scope, phase: phase.phase }, (then, context) =>
            judge(then, { context, way }),
          ),
        ]),
      );
    return {
      forth: going({ from: 'before', to: 'after' }),
      back: going({ from: 'after', to: 'before' }),
    };
  };
  const [ending, opening] = [found(endingsOf), found(openingsOf)];
  const marked = (change: RuleChange): RuleChange => {
    const [ends, opens] = [clausesOf(change, ending), clausesOf(change, opening)];
    return ends === undefined && opens === undefined
      ? change
      : { ...change, ...(ends === undefined ? {} : { ends }), ...(opens === undefined ? {} : { opens }) };
  };
  return [ending, opening].every(({ forth, back }) => forth.size + back.size === 0)
    ? steps
    : steps.map((step) => ({ ...step, changes: step.changes.map(marked) }));
}

/** Finds what the changes of a phase do to every request in one direction. */
type PhaseJudge = (phase: PhaseRules, about: About) => ReadonlyMap<RuleChange, string>;

type BothWays = Readonly<Record<'forth' | 'back', ReadonlyMap<RuleChange, string>>>;

/** Judges a phase in each span of time that its conditions tell apart; a clause that does not always hold says when it does. */
function inEachSpan(
  phase: PhaseRules,
  context: EffectContext,
  judge: (then: PhaseRules, context: EffectContext) => ReadonlyMap<RuleChange, string>,
): ReadonlyMap<RuleChange, string> {
  // Rules that match no ordinary request at any time make no difference.
  const trials = trialSpans(conditionsIn(phase).filter((text) => mayHit(text, context)));
  const all = new Map<RuleChange, string>();
  for (const spans of trials) {
    const found = new Map<RuleChange, Map<string, TimeSpan[]>>();
    for (const span of spans) {
      const then = spans.length === 1 ? phase : phaseIn(span, phase);
      for (const [change, clause] of judge(then, context)) {
        const clauses = found.get(change) ?? new Map<string, TimeSpan[]>();
        found.set(change, clauses.set(clause, [...(clauses.get(clause) ?? []), span]));
      }
    }
    for (const [change, clauses] of found) {
      // A later trial knows nothing of the times of this one.
      const told = [...clauses].map(([clause, when]) => `${clause}${whenText(when, spans)}`).join('; ');
      all.set(change, all.get(change) ?? told);
    }
  }
  return all;
}

function clausesOf(change: RuleChange, { forth, back }: BothWays): ToEveryRequest | undefined {
  const [comes, came] = [forth.get(change), back.get(change)];
  return comes === undefined && came === undefined
    ? undefined
    : {
        ...(comes === undefined ? {} : { forth: comes }),
        ...(came === undefined ? {} : { back: came }),
      };
}

/** A cheap first test: whether the change can end or skip requests beyond the rule's own condition. Nearly all changes fail it. */
function mayDecide(change: RuleChange, context: EffectContext): boolean {
  const decides = (content: RuleContent): boolean =>
    content.enabled &&
    (directsRules(content.action) ||
      bypassedBy(content, context).size > 0 ||
      (isEnding(content) && mayHit(content.expression, context)));
  switch (change.kind) {
    case 'add':
      return decides(change.content);
    case 'patch':
      return decides(change.content) || decides(change.before);
    case 'delete':
      return decides(change.before);
    case 'move':
      return true;
    default:
      return assertNever(change);
  }
}

/** Whether a condition may hold for an ordinary request at some time. */
function mayHit(text: string, context: EffectContext): boolean {
  return timeSpans([text]).some((span) => hitsOf([conditionIn(span, text)], context).most !== 0);
}

/** What a rule does by itself takes precedence over what it does together with others, and over what it does to one host name only. */
function endingsOf(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const alone = endedAlone(phase, about);
  return new Map([...endedNames(phase, about), ...(alone.size > 0 ? alone : endedTogether(phase, about))]);
}

/** What a rule lets past by itself takes precedence over what it lets past together with others, and over what it lets past to one host name. */
function openingsOf(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  return new Map([
    ...openedNames(phase, about),
    ...openedTogether(phase, about),
    ...openedAlone(phase, about),
  ]);
}

/** The skips that let requests past something, by the name of what they let past. */
type Skipped = ReadonlyMap<string, readonly RuleInPhase[]>;

/**
 * Finds the changes by which skips of an entry point together newly let every request past something, or by which a rule comes after such
 * skips. Blames the skips that skip more; if there are none, the rule itself.
 */
function openedTogether(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const { context, way } = about;
  const rules = phase.entrypoint ?? { before: [], after: [] };
  const now = skippedOn(way.to, rules, { phase, about });
  const former = skippedOn(way.from, rules, { phase, about });
  const reach = (skips: readonly RuleInPhase[], side: PlanSide): TrafficShare =>
    shareLetPast(
      skips.map((one) => [one[side]?.expression ?? '']),
      context,
    );
  const found = new Map<RuleInPhase, { readonly share: TrafficShare; readonly passed: Set<string> }>();
  for (const [name, skips] of now) {
    const before = former.get(name) ?? [];
    const share = reach(skips, way.to);
    if (share > 0 && share > reach(before, way.from)) {
      const more = skips.filter((one) => one.change !== undefined && doesMore(one, before, about));
      for (const one of more.length > 0 ? more : rules[way.to].filter(({ id }) => name === `behind ${id}`)) {
        const passed = found.get(one)?.passed ?? new Set();
        found.set(one, { share, passed: passed.add(name) });
      }
    }
  }
  const worst = createWorstEffects();
  for (const [one, { share, passed }] of found) {
    worst.tell([one], share, () =>
      actionKind(one[way.to]?.action) === 'skip'
        ? `lets, with other rules, ${requestsOf(share)} past ${inWords(passed)}`
        : `comes after skips that let ${requestsOf(share)} past it`,
    );
  }
  return worst.texts();
}

function skippedOn(side: PlanSide, rules: RulesInPhase, around: JudgedPhase): Skipped {
  const skipped = new Map<string, RuleInPhase[]>();
  for (const one of rules[side]) {
    if (actionKind(one[side]?.action) === 'skip') {
      for (const name of passedAt(one, side, { place: { rules, callers: undefined }, ...around })) {
        skipped.set(name, [...(skipped.get(name) ?? []), one]);
      }
    }
  }
  return skipped;
}

/** Whether a skip lets ordinary requests past something that it did not let them past before. */
function doesMore(one: RuleInPhase, before: readonly RuleInPhase[], { context, way }: About): boolean {
  const hits = (side: PlanSide): number => hitsOf([one[side]?.expression ?? ''], context).most;
  return (hits(way.to) & ~(before.includes(one) ? hits(way.from) : 0)) !== 0;
}

/**
 * Finds the changes by which a single rule newly ends every request: changes of the rule itself, and of rules that execute its ruleset. When
 * the entry point was not read, each rule of a custom ruleset is judged by its own condition.
 */
function endedAlone(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  return endedOf(about.context, { phase, about });
}

/** Like `endedAlone`, for every request to a host name that people type. */
function endedNames(phase: PhaseRules, about: About): ReadonlyMap<RuleChange, string> {
  const { context } = about;
  return new Map(
    // Reversed so that the zone's bare name wins when both names are affected.
    [...namesTyped(context)]
      .reverse()
      .flatMap((host) => [...endedOf({ ...context, host }, { phase, about })]),
  );
}

function endedOf(traffic: Traffic, { phase, about }: JudgedPhase): ReadonlyMap<RuleChange, string> {
  const worst = createWorstEffects();
  for (const place of placesOf(phase)) {
    for (const rule of place.rules[about.way.to]) {
      const content = rule[about.way.to];
      const { share, by } = comesToEnd(rule, { place, about, traffic });
      if (content !== null) {
        const name = describedName(rule.ref, content.description);
        worst.tell(by, share, (one) =>
          one === rule
            ? appliesTo(content, share, traffic.host)
            : `lets rule ${name} ${stoppingWord(content.action)} ${requestsOf(share, traffic.host)}`,
        );
      }
    }
  }
  return worst.texts();
}

/** What an action does to requests, after `lets` and a name. */
function stoppingWord(action: string): string {
  return actionFacts(action)?.verbs?.[1] ?? `apply ${action} to`;
}

interface TrafficAtRuleset {
  readonly place: RulesetRules;
  readonly about: About;
  readonly traffic: Traffic;
}

/** Returns the share that a rule newly ends, and the changed rules that are to blame. */
function comesToEnd(
  rule: RuleInPhase,
  { place, about: { way }, traffic }: TrafficAtRuleset,
): { readonly share: TrafficShare; readonly by: readonly RuleInPhase[] } {
  const { from, to } = way;
  const changed = [rule, ...(place.callers?.[to] ?? [])].filter(isChanged);
  const ends = (side: PlanSide): TrafficShare => {
    const content = rule[side];
    return content === null ? 0 : shareEnded(content, waysTo(content, place, side), traffic);
  };
  const share = changed.length === 0 ? 0 : ends(to);
  return share === 0 || share <= ends(from)
    ? { share: 0, by: [] }
    : {
        share,
        by: grownAmong(changed, way, (content) =>
          acts(content) ? shareOf([[content.expression]], traffic) : 0,
        ),
      };
}
