import type { Closable, WriteClient } from '../../api/client.ts';
import { openWriteClient } from '../../api/client.ts';
import type { ConnectionOptions } from '../../api/connection.ts';

/** Opens a client that can write. An abort stops what waits, never a write in progress. */
export function openWriting({ signal, ...connection }: ConnectionOptions): WriteClient & Closable {
  return openWriteClient({ ...connection, interrupt: signal });
}
