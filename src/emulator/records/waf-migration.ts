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
  readonly old_waf_status: WafStatus;
  readonly new_waf_status: WafStatus;
  readonly migration_state: MigrationState;
}

/** Whether the managed rules of a WAF are active. */
export type WafStatus = 'enabled' | 'disabled';

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
