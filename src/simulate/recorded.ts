import type { Values } from '../expression/index.ts';
import type { ExchangeState } from './request-values.ts';
import type { PreparedRule, PreparedRuleset } from './prepared.ts';

/** What came of a rule whose work only the service knows. */
export type OpaqueResult = 'passed' | 'blocked' | 'challenged';

/** What is known of a request that was recorded, and of what the service did with it. */
export interface RecordedRequest {
  /** Returns the fields that are known in a state of the request; others are unknown, and so is what depends on them. */
  readonly valuesOf: (state: ExchangeState) => Values;
  /** Whether the status of the answer is known, where there was one. */
  readonly hasStatus: boolean;
  /** Returns what came of a rule whose work only the service knows, such as a managed ruleset; undefined where that is not known either. */
  readonly opaque: (rule: PreparedRule, ruleset: PreparedRuleset) => OpaqueResult | undefined;
  /** Returns whether a rate limit acts on the request; undefined where that is not known. */
  readonly exceeds: (rule: PreparedRule, ruleset: PreparedRuleset) => boolean | undefined;
}
