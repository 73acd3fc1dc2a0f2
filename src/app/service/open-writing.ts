import type { AnalyticsClient, Closable, WriteClient, ConnectionOptions } from '../../api/index.ts';
import { openWriteClient } from '../../api/index.ts';

/** Opens a client that can write. An abort stops what waits, never a write in progress. */
export function openWriting({
  signal,
  ...connection
}: ConnectionOptions): WriteClient & AnalyticsClient & Closable {
  return openWriteClient({ ...connection, interrupt: signal });
}
