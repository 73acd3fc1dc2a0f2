import type { Values } from '../expression/index.ts';
import type { JsonValue } from '../model/json.ts';
import type { ScopeRef } from '../model/scope.ts';
import type { RulesSource } from '../model/simulation.ts';
import type { Scenario } from './exchange.ts';
import type { ExchangeState } from './field-values.ts';
import type { HeaderChange } from './headers.ts';
import type { PreparedRule, PreparedRuleset, PreparedScope } from './prepared.ts';
import type { Skips } from './skips.ts';
import type { RulesetTrace } from './verdict.ts';

/** Where a request ended, and with what answer. */
export interface End {
  readonly rule: PreparedRule;
  readonly ruleset: PreparedRuleset;
  readonly status: number | null;
  readonly location: string | null;
}

/** A setting that a rule left. */
export interface Left {
  readonly phase: string;
  readonly value: JsonValue;
  readonly rule: string;
}

/** Rules that the request came by and that nobody gave. */
export type Gap =
  | { readonly kind: 'others'; readonly ruleset: PreparedRuleset }
  | { readonly kind: 'phase'; readonly scope: ScopeRef; readonly phase: string }
  | { readonly kind: 'account'; readonly phase: string };

/** A request on its way. Changed while it goes; one for each request. */
export interface Way {
  readonly scenario: Scenario;
  state: ExchangeState;
  values: Values;
  skips: Skips;
  /** What ended the request. */
  end: End | undefined;
  /** What ended this phase of the response: the request goes on behind it. */
  errorPage: End | undefined;
  phaseEnd: string | undefined;
  /** Rewrites of this phase; later phases see them. */
  path: string | undefined;
  query: string | undefined;
  headers: HeaderChange[];
  readonly settings: Map<string, Left>;
  readonly products: Set<string>;
  readonly gaps: Gap[];
  /** What each phase saw. */
  readonly states: Map<string, ExchangeState>;
}

/** A ruleset's rules and the scope that they execute custom rulesets of. */
export interface Stage {
  readonly ruleset: PreparedRuleset;
  readonly scope: PreparedScope;
}

/** What one request met: every entry point that it came by, in order, and what was left behind. */
export interface Trace extends Readonly<
  Pick<Way, 'end' | 'errorPage' | 'state' | 'settings' | 'products' | 'gaps' | 'states'>
> {
  readonly entries: readonly RulesetTrace[];
  readonly source: RulesSource;
}
