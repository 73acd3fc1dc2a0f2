import type { Values } from '../expression/index.ts';
import type { JsonValue } from '../model/json.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { OldRules, RulesSource } from '../model/simulation.ts';
import type { Scenario } from './exchange.ts';
import type { ExchangeState } from './field-values.ts';
import type { HeaderChange } from './headers.ts';
import type { PreparedRule, PreparedRuleset, PreparedScope } from './prepared.ts';
import type { Skips } from './skips.ts';
import type { RulesetTrace } from './verdict.ts';

/** The rule that ended a request, or its phase, and the response it gave. */
export interface End {
  readonly rule: PreparedRule;
  readonly ruleset: PreparedRuleset;
  readonly status: number | null;
  readonly location: string | null;
}

/** A setting made by a rule. */
export interface Left {
  readonly phase: string;
  readonly value: JsonValue;
  readonly rule: string;
}

/** Rules that the request may have met but that are not known. */
export type Gap =
  | { readonly kind: 'others'; readonly ruleset: PreparedRuleset }
  | { readonly kind: 'phase'; readonly scope: ScopeRef; readonly phase: string }
  | { readonly kind: 'account'; readonly phase: string }
  | { readonly kind: 'old'; readonly rules: OldRules };

/** The mutable state of one request on its way through the phases. */
export interface Way {
  readonly scenario: Scenario;
  state: ExchangeState;
  values: Values;
  skips: Skips;
  /** The rule that ended the request. */
  end: End | undefined;
  /** The rule whose error page takes the place of the response; the request goes on. */
  errorPage: End | undefined;
  /** The name of the rule that ended the current response phase; the request goes on. */
  phaseEnd: string | undefined;
  /** The rewrites of the current phase, in `path`, `query` and `headers`; only later phases see them. */
  path: string | undefined;
  query: string | undefined;
  headers: HeaderChange[];
  readonly settings: Map<string, Left>;
  readonly products: Set<string>;
  readonly gaps: Gap[];
  /** The state that each phase saw. */
  readonly states: Map<string, ExchangeState>;
}

/** A ruleset, and the scope whose custom rulesets its rules may execute. */
export interface Stage {
  readonly ruleset: PreparedRuleset;
  readonly scope: PreparedScope;
}

/** The result of a simulation: every entry point that the request met, in order, and the final state. */
export interface Trace extends Readonly<
  Pick<Way, 'end' | 'errorPage' | 'state' | 'settings' | 'products' | 'gaps' | 'states'>
> {
  readonly entries: readonly RulesetTrace[];
  readonly source: RulesSource;
  /** The zone that the request is for. */
  readonly zone: string;
}
