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
  /** `with_rule`: made by the call that made its rule; it cannot be changed then (specification 4.2 rule 4). */
  readonly made: 'alone' | 'with_rule';
  /** How many other features refer to it. */
  readonly otherUses: number;
}

/** An old firewall rule (specification 2.4, api.md 9.1). */
export interface FirewallRule {
  readonly id: string;
  /** The id of the zone. */
  readonly zone: string;
  readonly action: string;
  /** What a bypass bypasses; empty for every other action. */
  readonly products: readonly string[];
  /** Null counts as last. */
  readonly priority: number | null;
  readonly paused: boolean;
  readonly description: string;
  readonly ref: string;
  /** The id of its filter. */
  readonly filter: string;
  /** In the world of one list: the id of the custom rule that this rule shows. */
  readonly custom?: string;
}

/** A zone's old rules in list order, with all its filters: what both worlds of api.md 9.3 come down to. */
export interface FirewallList {
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
}

/** The actions in the order in which they go when priorities do not decide (api.md 9.1). */
export const firewallActions = [
  'log',
  'bypass',
  'allow',
  'challenge',
  'managed_challenge',
  'js_challenge',
  'block',
] as const;

/** The products that a bypass may name, in the order in which a custom rule's are shown (api.md 9.1). */
export const bypassProducts: readonly string[] = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
];
