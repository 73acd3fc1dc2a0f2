import { textOf } from '../data/index.ts';
import { compareText } from '../text/index.ts';
import { showBytes } from '../expression/index.ts';
import type { ReplayExample, ReplayOutcome, TrafficOutcome } from '../model/index.ts';
import { outcomeOf } from './compare-traces.ts';
import { addNumbers, addOutcomes, addValues, countValue, hashOf, noOutcomes, noValues } from './counts.ts';
import type { OutcomeTally, ValueCounts } from './counts.ts';
import { judgeThen } from './judge-record.ts';
import type { RecordJudgement } from './judge-record.ts';
import type { RecordValues } from './record-values.ts';
import type { TrafficRecord } from './record.ts';
import type { KnownNetwork } from './known-network.ts';
import { networkOf, printable, redactAgent, redactPath } from './redact-request.ts';
import type { ReadyZone, ReplayedRule } from './replay-zone.ts';
import { ruleAnswers } from './rule-answers.ts';
import type { RuleAnswer } from './rule-answers.ts';

/** One request among those with an outcome, without what may identify somebody. */
export interface TrafficExample extends Omit<ReplayExample, 'time'> {
  /** By which examples are chosen: the same ones, however the log is divided. */
  readonly order: number;
  readonly time: number | null;
}

/** What is told of the records with one outcome. */
export interface GroupTally {
  records: number;
  verifiedBots: number;
  /** Of how many it is known whether a verified bot sent them. */
  botsKnown: number;
  readonly networks: Map<string, number>;
  readonly paths: ValueCounts;
  readonly countries: ValueCounts;
  readonly agents: ValueCounts;
  examples: readonly TrafficExample[];
}

/** What is told of one rule. */
export interface RuleTally {
  matchedLive: number;
  matchedDesired: number;
  /** Requests that it may match, for all that their records say. */
  undecidedLive: number;
  undecidedDesired: number;
  /** Requests that meet the condition of a wanted rule, and certainly ended at an earlier one, or that skipped it. */
  endedBefore: number;
  skippedBefore: number;
  readonly outcomes: OutcomeTally;
  /** Only of rules that the plan changes. */
  readonly groups: Map<ReplayOutcome, GroupTally>;
}

/** How often the simulation of live says what the service did. */
export interface AgreementTally {
  compared: number;
  /** Of these, by rules that were in force before the live ones. */
  comparedEarlier: number;
  agreed: number;
  /** Records with the service's action that were left out, by why. */
  readonly leftOut: Map<LeftOutRecord, number>;
  /** By rule, recorded and simulated outcome, with newlines between. */
  readonly disagreements: Map<string, number>;
}

/** Why a record is not compared: rules may have been others at its time; its time, or what the rules do with it, is not known. */
export type LeftOutRecord = 'other-rules' | 'no-time' | 'not-simulated';

/** All counts of a replay. */
export interface ReplayTally {
  records: number;
  otherZones: number;
  withoutHost: number;
  from: number | null;
  to: number | null;
  readonly outcomes: OutcomeTally;
  readonly zones: Map<string, OutcomeTally>;
  readonly dependsOn: Map<string, number>;
  readonly agreement: AgreementTally;
  readonly groups: Map<ReplayOutcome, GroupTally>;
  readonly rules: readonly RuleTally[];
}

/** What counting needs to know besides the records. */
export interface CountingContext {
  readonly fields: RecordValues;
  readonly networks: readonly KnownNetwork[];
  readonly showAddresses: boolean;
  readonly rules: readonly ReplayedRule[];
}

/** Returns counts of nothing, for so many rules. */
export function newTally(rules: number): ReplayTally {
  return {
    records: 0,
    otherZones: 0,
    withoutHost: 0,
    from: null,
    to: null,
    outcomes: noOutcomes(),
    zones: new Map(),
    dependsOn: new Map(),
    agreement: { compared: 0, comparedEarlier: 0, agreed: 0, leftOut: new Map(), disagreements: new Map() },
    groups: new Map(),
    rules: Array.from({ length: rules }, () => ({
      matchedLive: 0,
      matchedDesired: 0,
      undecidedLive: 0,
      undecidedDesired: 0,
      endedBefore: 0,
      skippedBefore: 0,
      outcomes: noOutcomes(),
      groups: new Map(),
    })),
  };
}

const MOST_EXAMPLES = 5;

/** The most rules that an example names. */
const MOST_CAUSES = 3;

/** A record with what was found of it. */
export interface JudgedRecord {
  readonly record: TrafficRecord;
  readonly zone: ReadyZone;
  readonly judgement: RecordJudgement;
}

/** Counts one record. */
export function countRecord(tally: ReplayTally, judged: JudgedRecord, counting: CountingContext): void {
  const { record, zone, judgement } = judged;
  const { outcome, dependsOn, traces } = judgement;
  tally.records += 1;
  tally.outcomes[outcome] += 1;
  outcomesIn(tally.zones, zone.name)[outcome] += 1;
  if (record.time !== null) {
    tally.from = Math.min(tally.from ?? record.time, record.time);
    tally.to = Math.max(tally.to ?? record.time, record.time);
  }
  for (const name of dependsOn) {
    tally.dependsOn.set(name, (tally.dependsOn.get(name) ?? 0) + 1);
  }
  countAgreement(tally.agreement, judged, counting);
  const met = new Set<number>();
  const live = ruleAnswers(traces.live, zone.live);
  // A way that is the same on both sides was walked once.
  const desired = traces.desired === traces.live ? live : ruleAnswers(traces.desired, zone.desired);
  countAnswers(tally, { answers: live, counts: LIVE_COUNTS, met });
  countAnswers(tally, { answers: desired, counts: DESIRED_COUNTS, met });
  countOpen(met, judged);
  if (met.size > 0 || outcome !== 'unchanged') {
    countGroups(tally, { ...judged, met }, counting);
  }
}

function outcomesIn(zones: Map<string, OutcomeTally>, name: string): OutcomeTally {
  const known = zones.get(name) ?? noOutcomes();
  zones.set(name, known);
  return known;
}

function countAnswers(
  { rules }: ReplayTally,
  {
    answers,
    counts,
    met,
  }: {
    readonly answers: ReadonlyMap<number, RuleAnswer>;
    readonly counts: AnswerCounts;
    readonly met: Set<number>;
  },
): void {
  for (const [number, answer] of answers) {
    const rule = rules[number];
    const count = counts[answer];
    if (answer === 'matched') {
      met.add(number);
    }
    if (rule !== undefined && count !== null) {
      rule[count] += 1;
    }
  }
}

/** Under what each answer of a rule is counted. */
type AnswerCounts = Readonly<
  Record<
    RuleAnswer,
    | 'matchedLive'
    | 'matchedDesired'
    | 'undecidedLive'
    | 'undecidedDesired'
    | 'endedBefore'
    | 'skippedBefore'
    | null
  >
>;

const LIVE_COUNTS: AnswerCounts = {
  matched: 'matchedLive',
  undecided: 'undecidedLive',
  'ended-before': null,
  'skipped-before': null,
};

const DESIRED_COUNTS: AnswerCounts = {
  matched: 'matchedDesired',
  undecided: 'undecidedDesired',
  'ended-before': 'endedBefore',
  'skipped-before': 'skippedBefore',
};

/** Adds the changed rules of which nobody knows what they do with a request, where its outcome is not known for that. */
function countOpen(met: Set<number>, { zone, judgement: { outcome, traces } }: JudgedRecord): void {
  if (outcome !== 'unknown') {
    return;
  }
  for (const [trace, side] of [
    [traces.live, zone.live],
    [traces.desired, zone.desired],
  ] as const) {
    for (const rule of trace.open) {
      const number = side.numberOf.get(rule);
      if (number !== undefined) {
        met.add(number);
      }
    }
  }
}

function countGroups(
  tally: ReplayTally,
  judged: JudgedRecord & { readonly met: ReadonlySet<number> },
  counting: CountingContext,
): void {
  const { outcome } = judged.judgement;
  const causes = outcome === 'unchanged' ? [] : causesOf(judged, counting);
  const seen = outcome === 'unchanged' ? undefined : sightOf(judged, causes, counting);
  if (seen !== undefined) {
    addToGroup(groupIn(tally.groups, outcome), seen);
  }
  for (const number of judged.met) {
    const rule = tally.rules[number];
    if (rule !== undefined) {
      rule.outcomes[outcome] += 1;
    }
  }
  for (const number of seen === undefined ? [] : causes) {
    const rule = tally.rules[number];
    if (rule !== undefined && seen !== undefined) {
      addToGroup(groupIn(rule.groups, outcome), seen);
    }
  }
}

/** Returns the changed rules that an outcome comes from: the one that ends the request, or no longer does, or else all that it meets. */
function causesOf(
  { met, zone, judgement: { outcome, traces } }: JudgedRecord & { readonly met: ReadonlySet<number> },
  { rules }: CountingContext,
): readonly number[] {
  const isChanged = (number: number): boolean => rules[number]?.change !== 'none';
  const end =
    outcome === 'newly_passed'
      ? traces.live.end && zone.live.numberOf.get(traces.live.end.rule)
      : outcome === 'newly_blocked' || outcome === 'newly_challenged'
        ? traces.desired.end && zone.desired.numberOf.get(traces.desired.end.rule)
        : undefined;
  return end !== undefined && isChanged(end) ? [end] : [...met].filter(isChanged);
}

function groupIn(groups: Map<ReplayOutcome, GroupTally>, outcome: ReplayOutcome): GroupTally {
  const known = groups.get(outcome) ?? newGroup();
  groups.set(outcome, known);
  return known;
}

function newGroup(): GroupTally {
  return {
    records: 0,
    verifiedBots: 0,
    botsKnown: 0,
    networks: new Map(),
    paths: noValues(),
    countries: noValues(),
    agents: noValues(),
    examples: [],
  };
}

/** What is told of a record, worked out once for all groups that it belongs to. */
interface Sight {
  readonly client: number;
  readonly isBot: boolean | undefined;
  readonly networks: readonly string[];
  readonly path: string;
  readonly country: string;
  readonly agent: string;
  readonly example: TrafficExample;
}

function sightOf(
  { record, judgement }: JudgedRecord,
  causes: readonly number[],
  { networks, rules, showAddresses }: CountingContext,
): Sight {
  const { address, fields, headers, host, method, time, url } = record;
  const { live, desired } = judgement.traces;
  const path = redactPath(url.path);
  const country = textOf(fields.get('ip.src.country'));
  const agent = headers.find(({ name }) => name.toLowerCase() === 'user-agent')?.value ?? '';
  const bot = fields.get('cf.client.bot');
  const ip = fields.get('ip.src');
  return {
    client: hashOf(address),
    isBot: typeof bot === 'boolean' ? bot : undefined,
    networks: ip === undefined ? [] : networks.flatMap((one) => (one.contains(ip) ? [one.name] : [])),
    path,
    country: printable(showBytes(country)),
    agent: redactAgent(agent),
    example: {
      order: hashOf(`${time ?? ''} ${address} ${method} ${url.path} ${url.query} ${host}`),
      time,
      method: printable(showBytes(method)),
      host: printable(showBytes(host)),
      path,
      country: printable(showBytes(country)),
      from: showAddresses ? printable(address) : networkOf(address),
      live: outcomeOf(live),
      desired: outcomeOf(desired),
      rule: causes
        .slice(0, MOST_CAUSES)
        .map((number) => rules[number]?.ref ?? '')
        .join(', '),
    },
  };
}

function addToGroup(group: GroupTally, seen: Sight): void {
  group.records += 1;
  group.botsKnown += seen.isBot === undefined ? 0 : 1;
  group.verifiedBots += seen.isBot === true ? 1 : 0;
  for (const name of seen.networks) {
    group.networks.set(name, (group.networks.get(name) ?? 0) + 1);
  }
  countValue(group.paths, seen.path, seen.client);
  if (seen.country !== '') {
    countValue(group.countries, seen.country, seen.client);
  }
  if (seen.agent !== '') {
    countValue(group.agents, seen.agent, seen.client);
  }
  const last = group.examples.at(-1);
  if (group.examples.length < MOST_EXAMPLES || last === undefined || seen.example.order <= last.order) {
    group.examples = withExamples(group.examples, [seen.example]);
  }
}

function withExamples(
  examples: readonly TrafficExample[],
  more: readonly TrafficExample[],
): readonly TrafficExample[] {
  const sorted = [...examples, ...more].toSorted(
    (a, b) => a.order - b.order || compareText(JSON.stringify(a), JSON.stringify(b)),
  );
  const first = new Map(sorted.toReversed().map((example) => [kindOf(example), example]));
  return sorted.filter((example) => first.get(kindOf(example)) === example).slice(0, MOST_EXAMPLES);
}

/** What makes an example another one: a second one of the same kind tells nothing new. */
function kindOf({ method, host, path, live, desired, rule }: TrafficExample): string {
  return [method, host, path, live, desired, rule].join('\n');
}

/** What a disagreement is told under that belongs to no rule of the zone or its account. */
const OTHER_RULE = 'another rule or product';

/**
 * Compares what the simulation says of the rules that were in force with what the service did. A redirect is no matter of security: the record says
 * nothing of it.
 */
function countAgreement(
  agreement: AgreementTally,
  judged: JudgedRecord,
  { fields, rules }: CountingContext,
): void {
  const { recorded } = judged.record;
  const outcome = recorded?.outcome ?? null;
  if (recorded === null || outcome === null) {
    return;
  }
  const then = simulatedThen(judged, fields);
  if (typeof then === 'string') {
    agreement.leftOut.set(then, (agreement.leftOut.get(then) ?? 0) + 1);
    return;
  }
  if (then.outcome === null || (then.outcome === 'redirected' && outcome !== 'redirected')) {
    agreement.leftOut.set('not-simulated', (agreement.leftOut.get('not-simulated') ?? 0) + 1);
    return;
  }
  agreement.compared += 1;
  agreement.comparedEarlier += then.isEarlier ? 1 : 0;
  if (then.outcome === outcome) {
    agreement.agreed += 1;
    return;
  }
  // Any log may name any id; so only rules that are known are told apart.
  const rule =
    (recorded.rule === '' ? undefined : rules.find(({ id }) => id === recorded.rule)) ??
    (then.ruleId === '' ? undefined : rules.find(({ id }) => id === then.ruleId));
  const key = [rule?.ref ?? OTHER_RULE, outcome, then.outcome].join('\n');
  agreement.disagreements.set(key, (agreement.disagreements.get(key) ?? 0) + 1);
}

/** What becomes of a request by the rules that were in force at its time, by the id of the rule. */
interface SimulatedThen {
  readonly outcome: TrafficOutcome | null;
  readonly ruleId: string;
  readonly isEarlier: boolean;
}

function simulatedThen(
  { record, zone, judgement: { live, traces } }: JudgedRecord,
  fields: RecordValues,
): SimulatedThen | LeftOutRecord {
  const { time } = record;
  if (time === null) {
    return 'no-time';
  }
  if (zone.since !== null && time >= zone.since) {
    const end = traces.live.end ?? traces.live.solved;
    return {
      // What was taken from the record itself agrees with it, and proves nothing.
      outcome: traces.live.end?.opaque === undefined ? live : null,
      ruleId: end?.rule.rule.id ?? '',
      isEarlier: false,
    };
  }
  const span = zone.earlier.find(({ from, until }) => time >= from && time < until);
  if (span === undefined) {
    return 'other-rules';
  }
  const { outcome, rule } = judgeThen({ record, zone, fields }, span.side());
  return { outcome, ruleId: rule?.rule.id ?? '', isEarlier: true };
}

/** Adds the counts of another part of the same replay. */
export function addTally(into: ReplayTally, more: ReplayTally): void {
  into.records += more.records;
  into.otherZones += more.otherZones;
  into.withoutHost += more.withoutHost;
  into.from = more.from === null ? into.from : Math.min(into.from ?? more.from, more.from);
  into.to = more.to === null ? into.to : Math.max(into.to ?? more.to, more.to);
  addOutcomes(into.outcomes, more.outcomes);
  for (const [name, outcomes] of more.zones) {
    addOutcomes(outcomesIn(into.zones, name), outcomes);
  }
  addNumbers(into.dependsOn, more.dependsOn);
  into.agreement.compared += more.agreement.compared;
  into.agreement.comparedEarlier += more.agreement.comparedEarlier;
  into.agreement.agreed += more.agreement.agreed;
  for (const [why, count] of more.agreement.leftOut) {
    into.agreement.leftOut.set(why, (into.agreement.leftOut.get(why) ?? 0) + count);
  }
  addNumbers(into.agreement.disagreements, more.agreement.disagreements);
  addGroups(into.groups, more.groups);
  for (const [number, rule] of into.rules.entries()) {
    const other = more.rules[number];
    if (other !== undefined) {
      rule.matchedLive += other.matchedLive;
      rule.matchedDesired += other.matchedDesired;
      rule.undecidedLive += other.undecidedLive;
      rule.undecidedDesired += other.undecidedDesired;
      rule.endedBefore += other.endedBefore;
      rule.skippedBefore += other.skippedBefore;
      addOutcomes(rule.outcomes, other.outcomes);
      addGroups(rule.groups, other.groups);
    }
  }
}

function addGroups(into: Map<ReplayOutcome, GroupTally>, more: ReadonlyMap<ReplayOutcome, GroupTally>): void {
  for (const [outcome, other] of more) {
    const group = groupIn(into, outcome);
    group.records += other.records;
    group.verifiedBots += other.verifiedBots;
    group.botsKnown += other.botsKnown;
    addNumbers(group.networks, other.networks);
    addValues(group.paths, other.paths);
    addValues(group.countries, other.countries);
    addValues(group.agents, other.agents);
    group.examples = withExamples(group.examples, other.examples);
  }
}
