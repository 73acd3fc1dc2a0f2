import type { Safety } from './guard.ts';

/** One of several parts of a run's scopes, planned side by side by several machines. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** The shard that a plan covers, and what merging needs to know of the whole run. */
export interface PlanShard extends Shard {
  /** Version of Rulewright that made the plan. */
  readonly version: string;
  /** SHA-256 (hex) of all inputs of the whole run: what the files want, where they say it, and the guards. */
  readonly run: string;
  /** Number of scopes in the whole run. */
  readonly scopes: number;
  /** The position of each scope of this plan in the whole run, from 0. */
  readonly places: readonly number[];
  /** The guards of the whole run. */
  readonly safety: Safety;
}

/** Which part of which run a plan is. */
export type RunPart = Pick<PlanShard, 'index' | 'count' | 'run'>;

/** The most shards that a run may have. */
export const MAX_SHARDS = 256;
