import { holdFile } from '../../files/index.ts';
import type { Clock } from '../../network/index.ts';

/** What one of several watchers holds while it works. */
export interface WatchLease {
  /** Takes the lease; null while another watcher has it. Rejects where that cannot be known. */
  readonly take: () => Promise<HeldLease | null>;
  readonly close: () => Promise<void>;
}

/** A lease that is held. */
export interface HeldLease {
  /** Whether it still is; if so, nobody else takes it for half a minute. Rejects where that cannot be known. */
  readonly isStillHeld: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Returns the lease of all watchers that share a file. */
export function fileLease(path: string, clock: Clock): WatchLease {
  return {
    take: async () => {
      const hold = await holdFile(path, () => clock.now());
      return hold.kind === 'held' ? hold : null;
    },
    close: () => Promise.resolve(),
  };
}
