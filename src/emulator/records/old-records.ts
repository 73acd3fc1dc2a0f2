import type { WireObject } from '../protocol/wire-object.ts';

/** The sensitivity of a zone's core rule set (api.md 9.4). */
export type Sensitivity = 'high' | 'medium' | 'low' | 'off';

/** What the core rule set does with a request whose score is too high (api.md 9.4). */
export type ActionMode = 'simulate' | 'block' | 'challenge';

/** The settings of a zone in the old WAF; what is absent has the vendor's default. Each write replaces the whole record. */
export interface OldWaf {
  /** The zone's id. */
  readonly zone: string;
  /** Whether the old WAF as a whole is on (zone setting `waf`). */
  readonly enabled: boolean;
  /** By package id. */
  readonly packages: Readonly<Record<string, PackageSettings>>;
  /** By group id. */
  readonly groups: Readonly<Record<string, 'on' | 'off'>>;
  /** The mode by rule id. */
  readonly rules: Readonly<Record<string, string>>;
}

/**
 * The settings of an anomaly package. An absent member was never set, which the migration calls `Default`
 * (specification 3.3).
 */
export interface PackageSettings {
  readonly sensitivity?: Sensitivity;
  readonly action_mode?: ActionMode;
}

/** A URI-based override; `content` is the body that the client sent. */
export interface WafOverride {
  readonly id: string;
  readonly zone: string;
  readonly content: WireObject;
}

/** The values of `migration_state` that public tools have seen, and `pending` while the last step takes time (api.md 10.1). */
export type MigrationState = 'default' | 'start' | 'validation' | 'pending' | 'complete';

/** Who caused a step of the migration. */
export type MigrationCause = 'seed' | 'api' | 'dashboard' | 'service';

/** One step of a migration, with what was active after it, as the control endpoint lists the steps (oldest first). */
export interface MigrationStep {
  /** RFC 3339. */
  readonly at: string;
  readonly cause: MigrationCause;
  readonly step: 'configuration saved' | 'new managed rules enabled' | 'previous WAF disabled';
  readonly old_waf_status: StoredWafStatus;
  readonly new_waf_status: StoredWafStatus;
  readonly migration_state: MigrationState;
}

/** Whether the managed rules of a WAF are active. */
export type StoredWafStatus = 'enabled' | 'disabled';

/** The migration record of a zone that had the old WAF; a zone without a record has only ever had the new managed rules. */
export interface WafMigration {
  /** The zone's id. */
  readonly zone: string;
  /** RFC 3339. */
  readonly created: string;
  readonly state: Exclude<MigrationState, 'default'>;
  /** While `pending`: when the previous WAF is switched off, in milliseconds of the service's clock. */
  readonly finishes?: number;
  readonly steps: readonly MigrationStep[];
}

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
