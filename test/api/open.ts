import { onTestFinished } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import type { Closable, DryRunClient, ReadClient, WriteClient } from '../../src/api/client.ts';
import { openDryRunClient, openReadClient, openWriteClient } from '../../src/api/client.ts';
import type { ConnectionOptions } from '../../src/api/connection.ts';
import type { TraceEvent } from '../../src/api/trace-events.ts';
import type { FakeClock } from '../fake-clock.ts';
import { createFakeClock } from '../fake-clock.ts';

/** A token that nothing may ever show. */
export const CANARY = 'canary-3f9b1c7e5d2a48609d41';

/** A client with its virtual clock and everything that it reported. */
export interface Opened<Client> {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly events: readonly TraceEvent[];
}

type Overrides = Partial<ConnectionOptions>;

export function openReader(baseUrl: string, overrides: Overrides = {}): Opened<ReadClient> {
  return open(openReadClient, baseUrl, overrides);
}

export function openWriter(baseUrl: string, overrides: Overrides = {}): Opened<WriteClient> {
  return open(openWriteClient, baseUrl, overrides);
}

export function openDryRunner(baseUrl: string, overrides: Overrides = {}): Opened<DryRunClient> {
  return open(openDryRunClient, baseUrl, overrides);
}

function open<Client extends Closable>(
  opener: (options: ConnectionOptions) => Client,
  baseUrl: string,
  overrides: Overrides,
): Opened<Client> {
  const clock = createFakeClock();
  const events: TraceEvent[] = [];
  const client = opener({
    baseUrl,
    credentials: { kind: 'token', token: CANARY },
    clock,
    budget: createBudget({ clock }),
    random: () => 1,
    onEvent: (event) => events.push(event),
    ...overrides,
  });
  onTestFinished(() => client.close());
  return { client, clock, events };
}
