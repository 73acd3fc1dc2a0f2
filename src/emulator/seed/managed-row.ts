import type { WireObject } from '../protocol/wire-object.ts';
import type { ZonePlanLevel } from '../records/directory-record.ts';

/** A synthetic rule of a managed ruleset; `id` and `ref` are given where the real ones are public (api.md 7.2). */
export interface ManagedRuleRow {
  readonly description: string;
  readonly categories: readonly string[];
  readonly action: string;
  readonly enabled?: boolean;
  readonly parameters?: WireObject;
  readonly scoreThreshold?: number;
  readonly id?: string;
  readonly ref?: string;
}

/** One managed ruleset with its real id, name and phase. */
export interface ManagedRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly phase: string;
  readonly version: number;
  readonly lastUpdated: string;
  /** The plans that include the ruleset; absent means all. */
  readonly plans?: readonly ZonePlanLevel[];
  readonly rules: readonly ManagedRuleRow[];
}
