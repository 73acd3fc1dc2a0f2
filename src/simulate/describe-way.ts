import type { HeaderLine, RequestWay, RulePlace, RuleVerdict, WayEnd } from '../model/index.ts';
import { showBytes, lowerAscii } from '../expression/index.ts';
import { groupBy } from '../data/index.ts';
import { explainCondition } from './explain-condition.ts';
import type { Evaluation } from './evaluation.ts';
import { allFields, knownFields } from './request-values.ts';
import { describeGaps } from './gaps.ts';
import type { Header } from './headers.ts';
import type { PreparedRule, PreparedRuleset } from './prepared.ts';
import { SECOND } from './read-scenario.ts';
import { joinUrl } from './url.ts';
import type { RulesetTrace, SimulatedVerdict, TraceEnd, Trace } from './trace.ts';

/** Selects the rules that are explained clause by clause. */
export interface Explaining {
  readonly evaluation: Evaluation;
  readonly wants: (rule: RulePlace, verdict: SimulatedVerdict) => boolean;
  readonly timeZone?: string | undefined;
}

/** Describes a trace as plain data, for reports. */
export function describeWay(trace: Trace, explaining: Explaining): RequestWay {
  const { state, end, errorPage, settings, products } = trace;
  const { original, request, response } = state;
  const verdicts = trace.entries.flatMap((entry) => describeEntry(entry, trace, explaining));
  return {
    source: trace.source,
    verdicts,
    end: end === undefined ? null : describeEnd(end),
    ...describeGaps(trace.gaps, { verdicts, path: original.url.path, zone: trace.zone }),
    errorPage: errorPage === undefined ? null : describeEnd(errorPage),
    method: original.method,
    url: showBytes(joinUrl(original.url)),
    urlAtOrigin: showBytes(joinUrl(request.url)),
    headers: describeHeaders(request.headers),
    changedHeaders: changedHeaders(original.headers, request.headers),
    response:
      response === undefined
        ? null
        : { status: errorPage?.status ?? response.status, headers: describeHeaders(response.headers) },
    settings: [...settings].map(([key, left]) => ({ name: key.slice(left.phase.length + 1), ...left })),
    skippedProducts: [...products].sort(),
    ...(explaining.timeZone === undefined ? {} : { timeZone: explaining.timeZone }),
    ...timeOf(trace),
  };
}

/** Returns when the request is made, if a rule asks for it. */
function timeOf({ entries, state }: Trace): Pick<RequestWay, 'at'> {
  const asks = entries.some(({ ruleset }) =>
    ruleset.rules.some(({ rule }) => rule.content.expression.includes(SECOND)),
  );
  const second = state.original.fields.get(SECOND);
  return asks ? { at: typeof second === 'number' ? second : 'not said' } : {};
}

function describeEntry(
  { ruleset, verdicts }: RulesetTrace,
  trace: Trace,
  explaining: Explaining,
): readonly RuleVerdict[] {
  return ruleset.rules.flatMap((rule, index) => {
    const said = verdicts[index];
    if (said === undefined) {
      return [];
    }
    const place = placeOf(rule, ruleset);
    const asked = ASKED.has(said.kind) || (said.kind === 'undecided' && rule.newFields.length > 0);
    const own: RuleVerdict = {
      ...place,
      verdict: said.kind,
      ends: said.ends,
      why: showBytes(said.why),
      assumes: asked ? rule.assumes : [],
      clause:
        asked && explaining.wants(place, said)
          ? explain(rule, ruleset, { trace, evaluation: explaining.evaluation })
          : null,
    };
    return [own, ...(said.inner === undefined ? [] : describeEntry(said.inner, trace, explaining))];
  });
}

/** Verdicts for which the expression was evaluated. */
const ASKED: ReadonlySet<SimulatedVerdict['kind']> = new Set(['matched', 'counted', 'missed', 'opaque']);

/** Explains the clauses of a rule by the state of the request when its phase began. */
function explain(
  rule: PreparedRule,
  ruleset: PreparedRuleset,
  { trace, evaluation }: { readonly trace: Trace; readonly evaluation: Evaluation },
): RuleVerdict['clause'] {
  const state = trace.states.get(ruleset.phase) ?? trace.state;
  return explainCondition(rule.rule.content.expression, {
    values: allFields(state),
    known: knownFields(state),
    evaluation,
  });
}

function placeOf(rule: PreparedRule, ruleset: PreparedRuleset): RulePlace {
  return {
    scope: { kind: ruleset.scope.kind, name: ruleset.scope.name },
    phase: ruleset.phase,
    ruleset: ruleset.name,
    rule: rule.name,
    action: rule.rule.content.action,
    cause: rule.rule.cause ?? null,
  };
}

function describeEnd({ rule, ruleset, status, location }: TraceEnd): WayEnd {
  return { ...placeOf(rule, ruleset), status, location };
}

function changedHeaders(before: readonly Header[], after: readonly Header[]): readonly HeaderLine[] {
  const now = describeHeaders(after);
  const then = new Map(describeHeaders(before).map((line) => [line.name.toLowerCase(), line]));
  const changed = now.filter(
    ({ name, values }) => then.get(name.toLowerCase())?.values.join('\n') !== values.join('\n'),
  );
  const kept = new Set(now.map(({ name }) => name.toLowerCase()));
  const gone = [...then].filter(([name]) => !kept.has(name)).map(([, { name }]) => ({ name, values: [] }));
  return [...changed, ...gone];
}

function describeHeaders(headers: readonly Header[]): readonly HeaderLine[] {
  const groups = groupBy(headers, ({ name }) => lowerAscii(name));
  return [...groups.values()].map((group) => ({
    name: group[0]?.name ?? '',
    values: group.map(({ value }) => showBytes(value)),
  }));
}
