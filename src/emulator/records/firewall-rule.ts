/** An old filter: an expression that firewall rules and other features refer to (specification 2.5, api.md 9.2). */
export interface Filter {
  readonly id: string;
  /** The id of the zone. */
  readonly zone: string;
  readonly expression: string;
  readonly paused: boolean;
  /** Empty when there is none. */
  readonly description: string;
  /** Empty when there is none. */
  readonly ref: string;
  /** `with_rule`: created in the same call as its rule, and therefore cannot be written by itself (specification 4.2 rule 4). */
  readonly made: 'alone' | 'with_rule';
  /** How many features other than firewall rules refer to the filter. */
  readonly otherUses: number;
}

/** An old firewall rule (specification 2.4, api.md 9.1). */
export interface FirewallRule {
  readonly id: string;
  /** The id of the zone. */
  readonly zone: string;
  readonly action: string;
  /** The products that a bypass skips; empty for every other action. */
  readonly products: readonly string[];
  /** Null sorts last. */
  readonly priority: number | null;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
  /** The id of the rule's filter. */
  readonly filter: string;
  /** With `one_list`: the id of the custom rule that this rule shows. */
  readonly custom?: string;
}

/** A zone's old rules in list order, with all its filters: the common form of both worlds of api.md 9.3. */
export interface FirewallList {
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
}

/** The actions in the order in which they take precedence when priorities do not decide (api.md 9.1). */
export const firewallActions = [
  'log',
  'bypass',
  'allow',
  'challenge',
  'managed_challenge',
  'js_challenge',
  'block',
] as const;

/** The products that a bypass may name, in the order in which the bypass of a custom rule shows them (api.md 9.1). */
export const bypassProducts: readonly string[] = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
];
