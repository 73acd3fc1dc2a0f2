import type { JsonObject } from '../protocol/json.ts';

/** How much a zone's core rule set tolerates (api.md 9.4). */
export type Sensitivity = 'high' | 'medium' | 'low' | 'off';

/** What the core rule set does with a request over its score (api.md 9.4). */
export type ActionMode = 'simulate' | 'block' | 'challenge';

/** What a zone has set in the old WAF; what is not set is as the vendor delivers it. Replaced as a whole at each write. */
export interface OldWaf {
  /** The zone's id. */
  readonly zone: string;
  /** The switch of the whole old WAF (zone setting `waf`). */
  readonly enabled: boolean;
  /** By package id. */
  readonly packages: Readonly<Record<string, PackageSettings>>;
  /** By group id. */
  readonly groups: Readonly<Record<string, 'on' | 'off'>>;
  /** By rule id. */
  readonly rules: Readonly<Record<string, string>>;
}

/** The settings of an anomaly package; absent: never set, which the migration calls `Default` (specification 3.3). */
export interface PackageSettings {
  readonly sensitivity?: Sensitivity;
  readonly action_mode?: ActionMode;
}

/** A URI-based override; `content` is what the client sent. */
export interface WafOverride {
  readonly id: string;
  readonly zone: string;
  readonly content: JsonObject;
}
