import type { Values } from '../expression/index.ts';
import { simulate } from '../simulate/index.ts';
import type {
  Assumed,
  OpaqueResult,
  PreparedRule,
  PreparedRuleset,
  Scenario,
  Trace,
} from '../simulate/index.ts';
import { phaseFacts } from '../model/index.ts';
import type { ReplayOutcome, TrafficOutcome } from '../model/index.ts';
import { compareTraces, outcomeOf } from './compare-traces.ts';
import type { TrafficRecord } from './record.ts';
import type { RecordValues } from './record-values.ts';
import type { ReadyZone, ReplaySide } from './replay-zone.ts';

/** What a plan changes for one record. */
export interface RecordJudgement {
  readonly outcome: ReplayOutcome;
  /** What the record lacks where the outcome is not known. */
  readonly dependsOn: readonly string[];
  /** What becomes of the request live; null where that is not known. */
  readonly live: TrafficOutcome | null;
  /** The fields of the request as it came in. */
  readonly values: Values;
  /** The ways on which rules do nothing of which nobody knows whether they match. */
  readonly traces: { readonly live: Trace; readonly desired: Trace };
}

/** What becomes of a request by the rules that were in force when it came. */
interface OutcomeThen {
  /** Null where that is not known. */
  readonly outcome: TrafficOutcome | null;
  /** The rule that it comes from. */
  readonly rule: PreparedRule | undefined;
}

/** The most things that nobody knows for which both answers are tried. */
const MOST_OPEN = 4;

/** Sends a record through both sides of its zone. */
export function judge(record: TrafficRecord, zone: ReadyZone, fields: RecordValues): RecordJudgement {
  const values = fields.original(record, zone.facts);
  const scenario = scenarioOf(record, zone.answers);
  const sent = { record, values, fields, scenario, zone };
  const live = send(sent, zone.live, NOTHING);
  if (live.open.length === 0 && isSameWay(sent, live)) {
    const outcome = outcomeOf(live);
    return { outcome: 'unchanged', dependsOn: NONE, live: outcome, values, traces: { live, desired: live } };
  }
  const desired = send(sent, zone.desired, NOTHING);
  const traces = { live, desired };
  if (live.open.length === 0 && desired.open.length === 0) {
    const outcome = compareTraces(live, desired);
    const dependsOn = outcome === 'unknown' ? [COMPUTED] : NONE;
    return { outcome, dependsOn, live: outcomeOf(live), values, traces };
  }
  if (isUntouched(sent, traces)) {
    const known = live.open.length === 0 ? outcomeOf(live) : null;
    return { outcome: 'unchanged', dependsOn: NONE, live: known, values, traces };
  }
  return { ...tryAll(sent, traces), values, traces };
}

/** Sends a record through rules that were in force at its time, and says what becomes of it, as far as these rules alone decide it. */
export function judgeThen(
  { record, zone, fields }: Pick<SentRecord, 'record' | 'zone' | 'fields'>,
  side: ReplaySide,
): OutcomeThen {
  const values = fields.original(record, zone.facts);
  const sent = { record, values, fields, scenario: scenarioOf(record, false), zone };
  const first = send(sent, side, NOTHING);
  const ends = new Set<TrafficOutcome | null>();
  const waiting = [{ assumptions: NOTHING, trace: first }];
  for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
    const { assumptions, trace } = world;
    const couple = openCouple(trace, side);
    if (trace.end?.opaque !== undefined || isRewrittenAnyhow(trace) || assumptions.size > MOST_OPEN) {
      ends.add(null);
    } else if (couple === undefined) {
      ends.add(outcomeOf(trace));
    } else {
      for (const matches of [true, false]) {
        const next = new Map([...assumptions, [couple, matches]]);
        waiting.push({ assumptions: next, trace: send(sent, side, next) });
      }
    }
    if (ends.size > 1 || ends.has(null)) {
      return { outcome: null, rule: undefined };
    }
  }
  const [outcome = null] = ends;
  return { outcome, rule: (first.end ?? first.solved)?.rule };
}

const NONE: readonly string[] = [];
const NOTHING: ReadonlyMap<string, boolean> = new Map();
const COMPUTED = 'a text that a rule computes';

interface SentRecord {
  readonly record: TrafficRecord;
  readonly values: Values;
  readonly fields: RecordValues;
  readonly scenario: Scenario;
  readonly zone: ReadyZone;
}

function scenarioOf(record: TrafficRecord, answers: boolean): Scenario {
  const request = {
    url: record.url,
    method: record.method,
    headers: record.headers,
    fields: record.fields,
    challengeSolved: record.recorded?.solved === true,
  };
  // Where the status is not known, rules for answers still say what they do with any.
  return answers
    ? { request, response: { status: record.status ?? 0, headers: [], fields: NO_FIELDS } }
    : { request };
}

const NO_FIELDS: Values = new Map();

/** Sends a record through one side, with assumptions by couple. */
function send(sent: SentRecord, side: ReplaySide, assumptions: ReadonlyMap<string, boolean>): Trace {
  const { record, values, fields, scenario } = sent;
  return simulate(side.prepared, scenario, {
    assumed: assumptions.size === 0 ? NO_RULES : assumedRules(side, assumptions),
    recorded: {
      valuesOf: (state) =>
        state.request === state.original && state.response === undefined
          ? values
          : fields.later(values, record, state),
      hasStatus: record.status !== null,
      opaque: (rule, ruleset) => recordedResult(sent, rule, ruleset),
      exceeds: (rule) => side.counters.get(rule)?.exceeds(record, values),
    },
  });
}

const NO_RULES: Assumed = new Map();

function assumedRules({ rulesOf }: ReplaySide, assumptions: ReadonlyMap<string, boolean>): Assumed {
  return new Map(
    [...assumptions].flatMap(([couple, matches]) =>
      (rulesOf.get(couple) ?? []).map((rule) => [rule, matches] as const),
    ),
  );
}

/**
 * Returns what the service did by a rule whose work only it knows. What it recorded holds for the live rule, and for a wanted one that is the same,
 * if the request came that far: one that something else ended tells nothing of what would have come.
 */
function recordedResult(
  { record: { recorded }, zone }: SentRecord,
  rule: PreparedRule,
  { phase }: PreparedRuleset,
): OpaqueResult | undefined {
  const products = phaseFacts(phase)?.securitySources;
  if (recorded === null || products === undefined || zone.desired.changed.includes(rule)) {
    return undefined;
  }
  for (const product of products) {
    const own = recorded.byProduct?.get(product);
    if (own === 'blocked' || own === 'challenged') {
      return recorded.solved ? 'passed' : own;
    }
  }
  return recorded.outcome === 'passed' || recorded.solved ? 'passed' : undefined;
}

function isChanged(rule: PreparedRule, { live, desired }: ReadyZone): boolean {
  return live.changed.includes(rule) || desired.changed.includes(rule);
}

/**
 * Whether a request goes the same way on both sides, as most do: it meets no rule that the plan changes, none has rewritten it, and no rate limit
 * has counted it, whose count may be another on the other side.
 */
function isSameWay({ record, values, zone }: SentRecord, live: Trace): boolean {
  return (
    isOriginal(live, zone.live) &&
    meetsNoChange(values, zone) &&
    (!zone.hasLimits || [...zone.live.counters.values()].every((counter) => !counter.asked(record)))
  );
}

function meetsNoChange(values: Values, { live, desired }: ReadyZone): boolean {
  return (
    live.changed.every((rule) => isMissed(rule, values)) &&
    desired.changed.every((rule) => isMissed(rule, values))
  );
}

function isMissed(rule: PreparedRule, values: Values): boolean {
  return !rule.rule.content.enabled || (rule.undecidable === undefined && rule.test(values) === false);
}

/**
 * Whether a request meets no rule that the plan changes, so that its way is the same on both sides, whatever it is. That is certain only if no
 * rule has changed what later ones see, and rate limits, which count other requests too, say the same on both sides.
 */
function isUntouched({ record, values, zone }: SentRecord, traces: RecordJudgement['traces']): boolean {
  return (
    sameCounts(record, zone) &&
    (!zone.rewrites || (isOriginal(traces.live, zone.live) && isOriginal(traces.desired, zone.desired))) &&
    meetsNoChange(values, zone)
  );
}

function sameCounts(record: TrafficRecord, { live, desired }: ReadyZone): boolean {
  for (const [rule, counter] of live.counters) {
    const others = desired.rulesOf.get(live.couples.get(rule) ?? '') ?? [];
    if (others.some((other) => desired.counters.get(other)?.said(record) !== counter.said(record))) {
      return false;
    }
  }
  return true;
}

/** Whether no rule has rewritten the request, nor may have. */
function isOriginal({ state, open }: Trace, { mayRewrite }: ReplaySide): boolean {
  return state.request === state.original && open.every((rule) => !mayRewrite.has(rule));
}

/**
 * Tries both answers to everything that nobody knows: what is the same on both sides has the same answer there. The outcome is known if it is the
 * same whatever they are.
 */
function tryAll(
  sent: SentRecord,
  first: RecordJudgement['traces'],
): Pick<RecordJudgement, 'outcome' | 'dependsOn' | 'live'> {
  const { live, desired } = sent.zone;
  const outcomes = new Set<ReplayOutcome>();
  const ends = new Set<TrafficOutcome>();
  const waiting: {
    readonly assumptions: ReadonlyMap<string, boolean>;
    readonly traces: RecordJudgement['traces'];
  }[] = [{ assumptions: NOTHING, traces: first }];
  for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
    const { assumptions, traces } = world;
    const couple = openCouple(traces.live, live) ?? openCouple(traces.desired, desired);
    if (isRewrittenAnyhow(traces.live) || isRewrittenAnyhow(traces.desired)) {
      outcomes.add('unknown');
    } else if (couple === undefined) {
      outcomes.add(compareTraces(traces.live, traces.desired));
      ends.add(outcomeOf(traces.live));
    } else if (assumptions.size >= MOST_OPEN) {
      outcomes.add('unknown');
    } else {
      for (const matches of [true, false]) {
        const next = new Map([...assumptions, [couple, matches]]);
        waiting.push({
          assumptions: next,
          traces: { live: send(sent, live, next), desired: send(sent, desired, next) },
        });
      }
    }
    if (outcomes.has('unknown') || outcomes.size > 1) {
      return { outcome: 'unknown', dependsOn: whatIsOpen(sent, first), live: null };
    }
  }
  const [outcome = 'unknown'] = outcomes;
  const [end = null] = ends;
  return { outcome, dependsOn: NONE, live: ends.size === 1 ? end : null };
}

/** Whether a rule rewrites the request, and nobody can tell how: later rules may see anything. */
function isRewrittenAnyhow({ open }: Trace): boolean {
  return open.some(({ ineffective }) => ineffective !== undefined);
}

function openCouple({ open }: Trace, { couples }: ReplaySide): string | undefined {
  const [rule] = open;
  return rule === undefined ? undefined : couples.get(rule);
}

/** Returns what the record lacks, of the rules that the plan changes if any of these is open. */
function whatIsOpen(
  { values, zone }: SentRecord,
  { live, desired }: RecordJudgement['traces'],
): readonly string[] {
  const open = [...new Set([...live.open, ...desired.open])];
  const changed = open.filter((rule) => isChanged(rule, zone));
  const asked = changed.length === 0 ? open : changed;
  return [...new Set(asked.flatMap((rule) => missingOf(rule, values)))];
}

function missingOf(rule: PreparedRule, values: Values): readonly string[] {
  const missing = rule.missing?.(values) ?? [];
  if (missing.length > 0) {
    return missing;
  }
  if (rule.undecidable !== undefined || rule.ineffective !== undefined) {
    return ['a rule that cannot be evaluated'];
  }
  if (rule.effect.kind === 'error-page') {
    return ['http.response.code'];
  }
  return [rule.limit === undefined ? 'rules that only the service knows' : 'the count of a rate limit'];
}
