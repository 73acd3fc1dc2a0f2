/** Security events of one rule, some time ago. */
export interface StoredSecurityEvents {
  /** `ref` or id of the rule. */
  readonly rule: string;
  readonly count: number;
  readonly hoursAgo: number;
  readonly action: string;
}

/** The security events of a zone. */
export interface ZoneSecurityEvents {
  readonly zone: string;
  readonly events: readonly StoredSecurityEvents[];
}
