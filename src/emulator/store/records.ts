/** The plan of a zone or account (api.md 8.1). */
export type PlanLevel = 'free' | 'pro' | 'business' | 'enterprise';

/** The plans from the smallest to the largest. */
export const planLevels: readonly PlanLevel[] = ['free', 'pro', 'business', 'enterprise'];

/** An account with what it has bought beyond its plan. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanLevel;
  /** Entitlements such as `account_rulesets`, `magic_transit`, `network_ddos`, `advanced_ddos`. */
  readonly features: readonly string[];
  readonly created_on: string;
}

/** A zone. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly plan: PlanLevel;
  /** Entitlements such as `pro_plus`, `advanced_rate_limiting`, `advanced_ddos`, `application_security`. */
  readonly features: readonly string[];
  readonly created_on: string;
}

/** A person; all credentials of one user share one request budget (api.md 1.7). */
export interface User {
  readonly id: string;
  readonly email: string;
  /** The global key that goes with the e-mail address: 37 hex characters. */
  readonly key: string;
}

/** What a token may do: permission groups (`*` is all) on resources (`*`, zone ids, account ids). */
export interface Policy {
  readonly permissions: readonly string[];
  readonly resources: readonly string[];
}

/** An API token. */
export interface Token {
  readonly id: string;
  readonly value: string;
  readonly user: string;
  readonly status: 'active' | 'disabled' | 'expired';
  readonly policies: readonly Policy[];
}
