import type { Shard } from '../model/shard.ts';
import { MOST_SHARDS } from '../model/shard.ts';
import { fileFlag, switchFlag, textFlag, valueFlag } from './flag.ts';
import type { FlagsFor } from './flag.ts';

/** Which part of the scopes a run is about, beside `--target`. */
export interface PartFlags {
  readonly changedSince?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly ownBudget?: boolean | undefined;
}

/** Who hears how a run went. */
export interface ObservedFlags {
  readonly metrics?: string | undefined;
}

/** Parameters of `ObservedFlags`. */
export const OBSERVED_FLAGS: FlagsFor<ObservedFlags> = {
  metrics: fileFlag('FILE', 'Write OpenMetrics about the run, however it ends'),
};

/** Parameters of `PartFlags`. */
export const PART_FLAGS: FlagsFor<PartFlags> = {
  changedSince: textFlag('REV', 'Only scopes that differ from this Git revision'),
  shard: valueFlag(shard, 'I/N', 'Only part I of N of the scopes'),
  ownBudget: switchFlag('This shard has credentials of its own'),
};

function shard(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const found = { index: Number(index), count: Number(count) };
  if (!(found.index >= 1 && found.index <= found.count && found.count <= MOST_SHARDS)) {
    throw new Error(`expected a part of at most ${MOST_SHARDS}, such as 1/8 to 8/8 for eight`);
  }
  return found;
}
