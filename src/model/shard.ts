import type { Safety } from './settings.ts';

/** One part of the scopes of a run, of several that machines work on side by side. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** The shard that a plan is of, and what it takes to put the whole together. */
export interface PlanShard extends Shard {
  /** Version of the program that made it. */
  readonly version: string;
  /** SHA-256 of all that the whole run was made from, hex: what the files want, where they say it, and the guards. */
  readonly run: string;
  /** How many scopes the whole run has. */
  readonly scopes: number;
  /** The place of each scope of this plan in the whole, from 0. */
  readonly places: readonly number[];
  /** The guards of the whole run. */
  readonly safety: Safety;
}

/** Which part it is, and of which run. */
export type RunPart = Pick<PlanShard, 'index' | 'count' | 'run'>;

/** The most shards that a run is cut into. */
export const MAX_SHARDS = 256;
