/** The words of `migration_state` that public tools have seen, and `pending` while a finish takes time (api.md 10.1). */
export type MigrationState = 'default' | 'start' | 'validation' | 'pending' | 'complete';

/** Who caused a step. */
export type MigrationCause = 'seed' | 'api' | 'dashboard' | 'service';

/** One step of a migration, with what was switched on after it: what the control endpoint shows, oldest first. */
export interface MigrationStep {
  /** RFC 3339. */
  readonly at: string;
  readonly cause: MigrationCause;
  readonly step: 'configuration saved' | 'new managed rules enabled' | 'previous WAF disabled';
  readonly old_waf_status: WafStatus;
  readonly new_waf_status: WafStatus;
  readonly migration_state: MigrationState;
}

/** Whether managed rules are active. */
export type WafStatus = 'enabled' | 'disabled';

/** The migration record of a zone that had the old WAF; zones without one were born on the new managed rules. */
export interface WafMigration {
  /** The zone's id. */
  readonly zone: string;
  /** RFC 3339. */
  readonly created: string;
  readonly state: Exclude<MigrationState, 'default'>;
  /** While `pending`: when the previous WAF is switched off, in milliseconds of the clock. */
  readonly finishes?: number;
  readonly steps: readonly MigrationStep[];
}
