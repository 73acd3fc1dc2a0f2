import { onTestFinished } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import type { ReadClient } from '../../src/api/client.ts';
import { openReadClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/network/clock.ts';
import { startEmulator } from '../../src/emulator/index.ts';

/** A running embedded service, and what a test needs of it. */
export interface Emulated {
  readonly client: ReadClient;
  /** Opens another client, with a token of the seed. */
  readonly clientWith: (token: string) => ReadClient;
  /** Method and path of all requests since the start or the last call, in order. */
  readonly takeRequests: () => Promise<readonly string[]>;
}

/** Starts the embedded service with a seed; it ends with the test. */
export async function startEmulated(seed?: unknown): Promise<Emulated> {
  const emulator = await startEmulator({ budget: 'off', ...(seed === undefined ? {} : { seed }) });
  onTestFinished(() => emulator.close());
  const clientWith = (token: string): ReadClient => {
    const client = openReadClient({
      baseUrl: emulator.baseUrl,
      credentials: { kind: 'token', token },
      budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
    });
    onTestFinished(() => client.close());
    return client;
  };
  return {
    client: clientWith(emulator.token),
    clientWith,
    takeRequests: async () => {
      const answer = await fetch(`${emulator.controlUrl}/requests`);
      const requests = (await answer.json()) as readonly { method: string; path: string; wrote: boolean }[];
      await fetch(`${emulator.controlUrl}/requests`, { method: 'DELETE' });
      return requests.map(({ method, path, wrote }) => `${method} ${path}${wrote ? ' (wrote)' : ''}`);
    },
  };
}
