/** The plan of a zone or account (api.md 8.1). */
export type ZonePlanLevel = 'free' | 'pro' | 'business' | 'enterprise';

/** The plans from the smallest to the largest. */
export const planLevels: readonly ZonePlanLevel[] = ['free', 'pro', 'business', 'enterprise'];

/** An account, with the entitlements that it has bought beyond its plan. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: ZonePlanLevel;
  /** Entitlements such as `account_rulesets`, `magic_transit`, `network_ddos`, `advanced_ddos`. */
  readonly features: readonly string[];
  readonly created_on: string;
  /** Absent: by the plan. */
  readonly type?: AccountType;
  /** Whether members must use two factors; absent: not. */
  readonly enforce_twofactor?: boolean;
}

/** The types of accounts. */
export const accountTypes = ['standard', 'enterprise'] as const;

type AccountType = (typeof accountTypes)[number];

/** The types of zones: how their DNS comes to the service. */
export const zoneTypes = ['full', 'partial', 'secondary', 'internal'] as const;

/** A zone; `account` is the id of its account. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly plan: ZonePlanLevel;
  /** Entitlements such as `pro_plus`, `advanced_rate_limiting`, `advanced_ddos`, `application_security`. */
  readonly features: readonly string[];
  readonly created_on: string;
  /** Absent: `full`. */
  readonly type?: (typeof zoneTypes)[number];
  /** Absent: `active`; a new zone is pending. */
  readonly status?: 'active' | 'pending';
  /** Whether the service only answers for its DNS; absent: not. */
  readonly paused?: boolean;
  readonly vanity_name_servers?: readonly string[];
  readonly firewall?: ZoneFirewall;
}

/** How the old firewall interfaces of a zone behave; an absent member has its default. */
export interface ZoneFirewall {
  /** `one_list` (default): old rules are a view of the custom rules; `two_lists`: old rules are stored apart (api.md 9.3). */
  readonly rules?: 'one_list' | 'two_lists';
  /** The order of rules with equal priority: by place in the list (`list`, default) or by action (`priority`; api.md 9.1). */
  readonly order?: 'list' | 'priority';
  /** `maintenance` refuses writes, `gone` all calls (api.md 9); defaults to the service's switch `oldInterfaces`. */
  readonly interface?: 'open' | 'maintenance' | 'gone';
}

/** A user; all credentials of a user share one request budget (api.md 1.7). */
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

/** An API token of a user; `user` is the user's id. */
export interface Token {
  readonly id: string;
  /** What its owner called it; state files of older versions lack it. */
  readonly name?: string;
  readonly value: string;
  readonly user: string;
  readonly status: 'active' | 'disabled' | 'expired';
  readonly policies: readonly Policy[];
}
