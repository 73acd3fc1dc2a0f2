import type { Shard } from '../model/index.ts';
import { MAX_SHARDS } from '../model/index.ts';
import { CACHE_FLAGS, EACH_SCOPE, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from './flags.ts';
import { PLAN_FORMATS, formatFlags } from './formats.ts';
import type { FlagsOf } from './flag.ts';
import { fileFlag, switchFlag, textFlag, valueFlag } from './flag.ts';

/** The part of the scopes that a run is about, besides `--target`. */
const PART_FLAGS = {
  changedSince: textFlag('REV', 'Only scopes changed since HEAD branched off this Git revision'),
  shard: valueFlag(shard, 'I/N', 'Only part I of N of the scopes'),
  ownBudget: switchFlag('This shard has credentials of its own'),
};

/** The values of `PART_FLAGS`. */
export type PartFlags = FlagsOf<typeof PART_FLAGS>;

/** Flags of `plan`, `apply` and `drift`: what the run is about, where live state is, and how the result is reported. */
export const RUN_FLAGS = {
  ...SELECTION_FLAGS,
  ...PART_FLAGS,
  ...CACHE_FLAGS,
  ...SERVICE_FLAGS,
  metrics: fileFlag('FILE', 'Write OpenMetrics about the run, however it ends'),
  ...RESULT_FLAGS,
  ...formatFlags(PLAN_FORMATS),
  ...EACH_SCOPE,
};

function shard(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const found = { index: Number(index), count: Number(count) };
  if (!(found.index >= 1 && found.index <= found.count && found.count <= MAX_SHARDS)) {
    throw new Error(`expected I/N with 1 ≤ I ≤ N ≤ ${MAX_SHARDS}, such as 3/8`);
  }
  return found;
}
