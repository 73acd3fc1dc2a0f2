import type { JsonObject } from '../protocol/json.ts';

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
  readonly content: JsonObject;
}
