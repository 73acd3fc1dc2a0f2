import { onTestFinished } from 'vitest';
import { scopeId, startEmulator } from '../../../src/emulator/index.ts';
import type { EmulatorOptions } from '../../../src/emulator/index.ts';
import type { ReadClient, WriteClient } from '../../../src/api/client.ts';
import type { TraceEvent } from '../../../src/api/trace-events.ts';
import { openWriter } from '../../api/open.ts';

/** A zone with the old WAF on an embedded service, and a client that may read and write everything. */
export interface OldZone {
  readonly client: WriteClient & ReadClient;
  readonly zoneId: string;
  readonly controlUrl: string;
  /** The events that the client reported. */
  readonly events: readonly TraceEvent[];
}

export async function startOldZone(
  members: Readonly<Record<string, unknown>> = {},
  options: EmulatorOptions = {},
): Promise<OldZone> {
  const seed = {
    version: 1,
    accounts: [{ name: 'A', plan: 'enterprise' }],
    zones: [{ name: 'old.example', plan: 'enterprise', waf_migration: { state: 'start' }, ...members }],
  };
  const emulator = await startEmulator({ seed, budget: 'off', ...options });
  onTestFinished(() => emulator.close());
  const { client, events } = openWriter(emulator.baseUrl, {
    credentials: { kind: 'token', token: emulator.token },
  });
  return { client, zoneId: scopeId('zone', 'old.example'), controlUrl: emulator.controlUrl, events };
}
