import { encodeBytes } from '../expression/index.ts';
import type { Values } from '../expression/index.ts';
import { memoiseWeakly } from '../data/index.ts';
import { PHASES, phaseFacts } from '../model/index.ts';
import type { PhaseStage } from '../model/index.ts';
import type { Scenario } from './exchange.ts';
import { allFields } from './request-values.ts';
import type { ExchangeState } from './request-values.ts';
import { changeHeader } from './headers.ts';
import type { Header, HeaderChange } from './headers.ts';
import type { PreparedRule, PreparedRuleset, PreparedZone } from './prepared.ts';
import { noteAccount, noteOld, notePhase } from './gaps.ts';
import { leaveToService } from './act.ts';
import { DISABLED, MATCHED, MISSED, verdict } from './trace.ts';
import type { Assumed, RulesetTrace, SimulatedVerdict, Trace, TraceState } from './trace.ts';
import type { RecordedRequest } from './recorded.ts';
import { walkRuleset } from './walk-ruleset.ts';

const REQUEST_PHASES = phasesOf('request');
const RESPONSE_PHASES = phasesOf('response');

/**
 * Sends a request through the phases in order (api.md 4.3). Rewrites take effect when their phase ends, for later phases
 * and for the origin. The phases of the response follow when the scenario has a response and nothing ended the request.
 * Pure, and linear in the number of rules.
 */
export function simulate(prepared: PreparedZone, scenario: Scenario, given: Given = {}): Trace {
  const way = setOut(prepared, scenario, given);
  const { request, response, newer } = phasesToWalk(prepared);
  for (const phase of request) {
    walkPhase(way, prepared, phase);
  }
  for (const phase of meetResponse(way) ? response : []) {
    walkPhase(way, prepared, phase);
  }
  for (const ruleset of newer) {
    way.entries.push(passNewPhase(way, ruleset));
  }
  return way;
}

/** What is given beside a scenario. */
interface Given {
  readonly assumed?: Assumed;
  readonly recorded?: RecordedRequest;
}

const NOTHING: Assumed = new Map();

/** A request on its way, with what is known of the way so far. */
interface SentRequest extends TraceState {
  readonly entries: RulesetTrace[];
  readonly source: PreparedZone['source'];
  readonly zone: string;
}

/**
 * Returns the phases in which a zone has rules, or something has to be noted, and its rulesets of unknown phases: worked out once, for any number
 * of requests.
 */
const phasesToWalk = memoiseWeakly((prepared: PreparedZone) => {
  const { scopes, source, old } = prepared;
  const notes =
    source === 'files' || (old ?? []).length > 0 || scopes.every(({ scope }) => scope.kind !== 'account');
  const isMet = (phase: string): boolean => notes || scopes.some(({ entrypoints }) => entrypoints.has(phase));
  return {
    request: REQUEST_PHASES.filter(isMet),
    response: RESPONSE_PHASES.filter(isMet),
    newer: scopes.flatMap(({ entrypoints }) =>
      [...entrypoints.values()].filter(({ phase }) => phaseFacts(phase) === undefined),
    ),
  };
});

/** Gives all rules of an unknown phase the verdict `undecided`: nobody can tell when it runs, and so what its rules see. */
function passNewPhase(way: TraceState, ruleset: PreparedRuleset): RulesetTrace {
  const { phase, rules } = ruleset;
  const { values } = way;
  way.states.set(phase, way.state);
  const unknown = verdict('undecided', `when the phase ${phase} runs is known to the service only`);
  const verdicts = rules.map((rule) => {
    if (!rule.rule.content.enabled) {
      return DISABLED;
    }
    return way.recorded === undefined ? unknown : askNew(way, { rule, ruleset, unknown });
  });
  return { ruleset, verdicts, values };
}

/** Asks a rule of an unknown phase about a record: what nobody knows of it is open, unless the request certainly does not meet its condition. */
function askNew(
  way: TraceState,
  {
    rule,
    ruleset,
    unknown,
  }: {
    readonly rule: PreparedRule;
    readonly ruleset: PreparedRuleset;
    readonly unknown: SimulatedVerdict;
  },
): SimulatedVerdict {
  const assumed = way.assumed.get(rule);
  const isAsSent = way.state.request === way.state.original;
  const misses = rule.undecidable === undefined && isAsSent && rule.test(way.values) === false;
  if (assumed === false || misses) {
    return MISSED;
  }
  if (assumed === undefined) {
    way.open.push(rule);
    return unknown;
  }
  return way.end === undefined ? leaveToService(way, { rule, ruleset }, () => unknown.why) : MATCHED;
}

function phasesOf(stage: PhaseStage): readonly string[] {
  return PHASES.filter((phase) => phase.stage === stage).map(({ name }) => name);
}

function setOut(
  { zone, source }: PreparedZone,
  scenario: Scenario,
  { assumed = NOTHING, recorded }: Given,
): SentRequest {
  const state: ExchangeState = {
    zone: { name: encodeBytes(zone.name), plan: zone.plan },
    original: scenario.request,
    request: scenario.request,
  };
  return {
    entries: [],
    source,
    zone: zone.name,
    scenario,
    recorded,
    assumed,
    open: [],
    state,
    values: valuesIn(recorded, state),
    skips: [],
    end: undefined,
    solved: undefined,
    errorPage: undefined,
    phaseEnd: undefined,
    path: undefined,
    query: undefined,
    headers: [],
    settings: new Map(),
    products: new Set(),
    gaps: [],
    states: new Map(),
  };
}

/** Returns the values of the fields in a state. */
function valuesIn(recorded: RecordedRequest | undefined, state: ExchangeState): Values {
  return recorded === undefined ? allFields(state) : recorded.valuesOf(state);
}

function walkPhase(way: SentRequest, prepared: PreparedZone, phase: string): void {
  if (way.recorded === undefined) {
    // Nobody asks a record, of which there are many, for explanations.
    way.states.set(phase, way.state);
    noteAccount(way, prepared, phase);
    noteOld(way, prepared, phase);
  }
  for (const scope of prepared.scopes) {
    const ruleset = scope.entrypoints.get(phase);
    if (ruleset !== undefined) {
      way.entries.push(walkRuleset(way, { ruleset, scope }));
    } else if (prepared.source === 'files') {
      notePhase(way, scope.scope, phase);
    }
  }
  way.phaseEnd = undefined;
  applyRewrites(way, phase);
}

/** Applies the rewrites of a phase; where several rules set the same thing, the last one wins. */
function applyRewrites(way: TraceState, phase: string): void {
  const { state, path, query, headers } = way;
  if (path === undefined && query === undefined && headers.length === 0) {
    return;
  }
  way.path = undefined;
  way.query = undefined;
  way.headers = [];
  const { request, response } = state;
  const url = { ...request.url, path: path ?? request.url.path, query: query ?? request.url.query };
  const toResponse = RESPONSE_PHASES.includes(phase) && response !== undefined;
  way.state = toResponse
    ? { ...state, response: { ...response, headers: changeAll(response.headers, headers) } }
    : { ...state, request: { ...request, url, headers: changeAll(request.headers, headers) } };
  way.values = valuesIn(way.recorded, way.state);
}

function changeAll(headers: readonly Header[], changes: readonly HeaderChange[]): readonly Header[] {
  return changes.reduce<readonly Header[]>(changeHeader, headers);
}

/** Adds the origin's response to the state; returns false when there is none or the request has ended. */
function meetResponse(way: TraceState): boolean {
  const { response } = way.scenario;
  if (response === undefined || way.end !== undefined) {
    return false;
  }
  const { status, headers, fields } = response;
  way.state = {
    ...way.state,
    response: { status, headers, originHeaders: headers },
    responseGiven: fields,
  };
  way.values = valuesIn(way.recorded, way.state);
  return true;
}
