import type { Values } from '../expression/index.ts';
import type { JsonValue } from '../data/index.ts';
import { skipsPhase, skipsRule } from '../model/index.ts';
import type { ScopeRef, ScopeKind, OldRules, RulesSource, Skip, VerdictKind } from '../model/index.ts';
import type { Scenario } from './exchange.ts';
import type { OpaqueResult, RecordedRequest } from './recorded.ts';
import type { ExchangeState } from './request-values.ts';
import type { HeaderChange } from './headers.ts';
import type { PreparedRule, PreparedRuleset, PreparedScope } from './prepared.ts';

/** A skip that took effect, with the rule, level and phase it came from. */
interface Applied {
  readonly skip: Skip;
  readonly by: string;
  readonly level: ScopeKind;
  readonly phase: string;
}

/** The skips so far. */
type Skips = readonly Applied[];

/** Returns the skips with one more. */
export function addSkip(
  skips: Skips,
  skip: Skip,
  { rule, ruleset }: { readonly rule: PreparedRule; readonly ruleset: PreparedRuleset },
): Skips {
  return [...skips, { skip, by: rule.name, level: ruleset.scope.kind, phase: ruleset.phase }];
}

/**
 * Returns the name of the rule that skips a phase at a level. A skip of named phases in an account also applies to its zones; every other
 * skip applies at its own level only (api.md 5.4).
 */
export function phaseSkippedBy(skips: Skips, phase: string, level: ScopeKind): string | undefined {
  return skips.find(
    (applied) =>
      (applied.level === level && skipsPhase(applied.skip, phase, applied.phase)) ||
      (applied.level === 'account' && applied.skip.phases.includes(phase)),
  )?.by;
}

/** Returns the name of the rule that skips a whole ruleset. */
export function rulesetSkippedBy(skips: Skips, reference: string, level: ScopeKind): string | undefined {
  return skips.find((applied) => applied.level === level && applied.skip.rulesets.includes(reference))?.by;
}

/** Returns the name of the rule that skips a rule of a custom ruleset; skips name rules by id. */
export function ruleSkippedBy(
  skips: Skips,
  { rule }: PreparedRule,
  { reference, scope }: PreparedRuleset,
): string | undefined {
  const { id } = rule;
  return reference === undefined || id === undefined
    ? undefined
    : skips.find(({ skip, level }) => level === scope.kind && skipsRule(skip, reference, id))?.by;
}

/** Returns the ids of the rules of a ruleset that are skipped one by one, for the verdict on a managed ruleset. */
export function rulesSkippedIn(skips: Skips, reference: string, level: ScopeKind): readonly string[] {
  return skips
    .filter((applied) => applied.level === level)
    .flatMap(({ skip }) => skip.rules.get(reference) ?? []);
}

/** The verdict of one rule on a request. Common verdicts are shared values. */
export interface SimulatedVerdict {
  readonly kind: VerdictKind;
  /** Whether the request, or in a response phase the phase, ends here. */
  readonly ends: boolean;
  readonly why: string;
  /** Set where the request meets the rule's condition, though what comes of it is not known. */
  readonly isMet?: true;
  /** The verdicts of the custom ruleset that the rule executes. */
  readonly inner?: RulesetTrace;
}

/** The verdicts of a ruleset's rules, in their order. */
export interface RulesetTrace {
  readonly ruleset: PreparedRuleset;
  readonly verdicts: readonly SimulatedVerdict[];
  /** The fields as these rules saw them. */
  readonly values: Values;
}

/** Returns a verdict with a reason. */
export function verdict(kind: VerdictKind, why: string): SimulatedVerdict {
  return { kind, ends: false, why };
}

/** The rule's expression is false. */
export const MISSED: SimulatedVerdict = verdict('missed', '');

/** The rule is not enabled. */
export const DISABLED: SimulatedVerdict = verdict('disabled', '');

/** The rule acts, and the request goes on. */
export const MATCHED: SimulatedVerdict = verdict('matched', '');

/** The rule acts, and the request, or the phase, ends. */
export const ENDED: SimulatedVerdict = { kind: 'matched', ends: true, why: '' };

/** The rule that ended a request, or its phase, and the response it gave. */
export interface TraceEnd {
  readonly rule: PreparedRule;
  readonly ruleset: PreparedRuleset;
  readonly status: number | null;
  readonly location: string | null;
  /** What the service did, where only it knows the rule's work. */
  readonly opaque?: OpaqueResult;
}

/** A setting made by a rule. */
export interface Left {
  readonly phase: string;
  readonly value: JsonValue;
  readonly rule: string;
}

/** Rules that the request may have met but that are not known. */
export type UnknownRules =
  | { readonly kind: 'others'; readonly ruleset: PreparedRuleset }
  | { readonly kind: 'phase'; readonly scope: ScopeRef; readonly phase: string }
  | { readonly kind: 'account'; readonly phase: string }
  | { readonly kind: 'old'; readonly rules: OldRules };

/** Whether rules match, said in advance. */
export type Assumed = ReadonlyMap<PreparedRule, boolean>;

/** The mutable state of one request on its way through the phases. */
export interface TraceState {
  readonly scenario: Scenario;
  /** Present for a request that was recorded. */
  readonly recorded?: RecordedRequest | undefined;
  /** Whether rules match of which nobody here can tell. */
  readonly assumed: Assumed;
  /** Rules that were met and of which nobody can tell, nor assumed, whether they match, or what comes of them. */
  readonly open: PreparedRule[];
  state: ExchangeState;
  values: Values;
  skips: Skips;
  /** The rule that ended the request. */
  end: TraceEnd | undefined;
  /** The rule whose challenge the request has solved before; it goes on. */
  solved: TraceEnd | undefined;
  /** The rule whose error page takes the place of the response; the request goes on. */
  errorPage: TraceEnd | undefined;
  /** The name of the rule that ended the current response phase; the request goes on. */
  phaseEnd: string | undefined;
  /** The rewrites of the current phase, in `path`, `query` and `headers`; only later phases see them. */
  path: string | undefined;
  query: string | undefined;
  headers: HeaderChange[];
  readonly settings: Map<string, Left>;
  readonly products: Set<string>;
  readonly gaps: UnknownRules[];
  /** The state that each phase saw. */
  readonly states: Map<string, ExchangeState>;
}

/** A ruleset, and the scope whose custom rulesets its rules may execute. */
export interface RulesetStage {
  readonly ruleset: PreparedRuleset;
  readonly scope: PreparedScope;
}

/** The result of a simulation: every entry point that the request met, in order, and the final state. */
export interface Trace extends Readonly<
  Pick<
    TraceState,
    'end' | 'solved' | 'errorPage' | 'state' | 'settings' | 'products' | 'gaps' | 'states' | 'open'
  >
> {
  readonly entries: readonly RulesetTrace[];
  readonly source: RulesSource;
  /** The zone that the request is for. */
  readonly zone: string;
}
