import { encodeBytes } from '../expression/index.ts';
import { PHASES, phaseFacts } from '../model/index.ts';
import type { PhaseStage } from '../model/index.ts';
import type { Scenario } from './exchange.ts';
import { allFields } from './field-values.ts';
import type { ExchangeState, ZoneFacts } from './field-values.ts';
import { changeHeader } from './headers.ts';
import type { Header, HeaderChange } from './headers.ts';
import type { PreparedRuleset, PreparedZone } from './prepared.ts';
import { noteAccount, noteOld, notePhase } from './gaps.ts';
import { DISABLED, verdict } from './trace.ts';
import type { Assumed, RulesetTrace, Trace, TraceState } from './trace.ts';
import { walkRuleset } from './walk-ruleset.ts';

const REQUEST_PHASES = phasesOf('request');
const RESPONSE_PHASES = phasesOf('response');

/**
 * Sends a request through the phases in order (api.md 4.3). Rewrites take effect when their phase ends, for later phases
 * and for the origin. The phases of the response follow when the scenario has a response and nothing ended the request.
 * Pure, and linear in the number of rules.
 */
export function simulate(prepared: PreparedZone, scenario: Scenario, assumed: Assumed = new Map()): Trace {
  const way: TraceState = { ...setOut(prepared.zone, scenario), assumed };
  const newer = prepared.scopes.flatMap(({ entrypoints }) =>
    [...entrypoints.values()].flatMap((ruleset) => passNewPhase(way, ruleset)),
  );
  const entries = REQUEST_PHASES.flatMap((phase) => walkPhase(way, prepared, phase));
  const answered = meetResponse(way);
  const responses = answered ? RESPONSE_PHASES.flatMap((phase) => walkPhase(way, prepared, phase)) : [];
  return {
    ...way,
    entries: [...entries, ...responses, ...newer],
    source: prepared.source,
    zone: prepared.zone.name,
  };
}

/** Gives all rules of an unknown phase the verdict `undecided`: nobody can tell when it runs, and so what its rules see. */
function passNewPhase(way: TraceState, ruleset: PreparedRuleset): readonly RulesetTrace[] {
  const { phase, rules } = ruleset;
  if (phaseFacts(phase) !== undefined) {
    return [];
  }
  way.states.set(phase, way.state);
  const unknown = verdict('undecided', `when the phase ${phase} runs is known to the service only`);
  return [{ ruleset, verdicts: rules.map(({ rule }) => (rule.content.enabled ? unknown : DISABLED)) }];
}

function phasesOf(stage: PhaseStage): readonly string[] {
  return PHASES.filter((phase) => phase.stage === stage).map(({ name }) => name);
}

function setOut(zone: ZoneFacts, scenario: Scenario): Omit<TraceState, 'assumed'> {
  const state: ExchangeState = {
    zone: { name: encodeBytes(zone.name), plan: zone.plan },
    original: scenario.request,
    request: scenario.request,
  };
  return {
    scenario,
    open: [],
    state,
    values: allFields(state),
    skips: [],
    end: undefined,
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

function walkPhase(way: TraceState, prepared: PreparedZone, phase: string): readonly RulesetTrace[] {
  way.states.set(phase, way.state);
  noteAccount(way, prepared, phase);
  noteOld(way, prepared, phase);
  const entries = prepared.scopes.flatMap((scope) => {
    const ruleset = scope.entrypoints.get(phase);
    if (ruleset === undefined && prepared.source === 'files') {
      notePhase(way, scope.scope, phase);
    }
    return ruleset === undefined ? [] : [walkRuleset(way, { ruleset, scope })];
  });
  way.phaseEnd = undefined;
  applyRewrites(way, phase);
  return entries;
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
  way.values = allFields(way.state);
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
  way.values = allFields(way.state);
  return true;
}
