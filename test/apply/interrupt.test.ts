import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import { openWriteClient } from '../../src/api/client.ts';
import type { ConnectionOptions } from '../../src/api/connection.ts';
import { createFakeClock } from '../fake-clock.ts';
import { desiredRule, desiredRuleset } from '../plan/build.ts';
import type { Fault, FaultProxy } from './campaign/fault-proxy.ts';
import { openFaultProxy } from './campaign/fault-proxy.ts';
import type { Bench } from './run-against-service.ts';
import {
  blockHosts,
  carryOut,
  expectConverged,
  forgetRequests,
  openBench,
  plan,
  requests,
  zone,
} from './run-against-service.ts';

const PHASE = 'http_request_firewall_custom';

let bench: Bench;
let proxy: FaultProxy;
let control: AbortController;
/** What happens to the next requests other than GET, in order. */
let faults: Fault[];

beforeEach(async () => {
  bench = await openBench();
  control = new AbortController();
  faults = [];
  await blockHosts(bench, ['a', 'b']);
  proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) =>
    method === 'GET' ? { kind: 'pass' } : (faults.shift() ?? { kind: 'pass' }),
  );
});
afterEach(async () => {
  await proxy.close();
  await bench.close();
});

const desired = zone([
  desiredRuleset(
    ['a', 'x', 'b', 'y', 'z'].map((ref) =>
      desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"` }),
    ),
  ),
]);

/** Applies with single rule operations, with a client that knows of the interruption. */
async function apply(over: Partial<ConnectionOptions> = {}) {
  const scopePlan = await plan(bench, desired);
  await forgetRequests(bench);
  const client = openWriteClient({
    baseUrl: proxy.baseUrl,
    credentials: { kind: 'token', token: bench.emulator.token },
    budget: createBudget({ clock: createFakeClock(), limit: Infinity, limitPerSecond: Infinity }),
    clock: createFakeClock(),
    interrupt: control.signal,
    ...over,
  });
  try {
    const options = { strategy: 'rules', signal: control.signal, access: { kind: 'write', client } } as const;
    return await carryOut(bench, scopePlan, options);
  } finally {
    await client.close();
  }
}

function interrupt(): Promise<void> {
  control.abort();
  return Promise.resolve();
}

async function written(): Promise<number> {
  return (await requests(bench)).filter(({ wrote }) => wrote).length;
}

describe('an interruption', () => {
  it('lets the write under way finish, and prevents further writes', async () => {
    faults = [{ kind: 'pass' }, { kind: 'meanwhile', act: interrupt }];
    expect(await apply()).toMatchObject([{ kind: 'failed', code: 'apply/interrupted', writes: 2 }]);
    expect(await written()).toBe(2);
  });

  it('still lets the run look up a write whose answer was lost', async () => {
    faults = [{ kind: 'meanwhile', act: interrupt, lost: true }];
    expect(await apply()).toMatchObject([{ kind: 'failed', code: 'apply/interrupted', writes: 1 }]);
    expect(await written()).toBe(1);
  });

  it('cancels a write that waits for the budget, before it is sent', async () => {
    const clock = createFakeClock();
    const outcomes = await apply({
      clock,
      budget: createBudget({ clock, limit: 2 }),
      onEvent: (event) => {
        if (event.kind === 'waiting') {
          control.abort();
        }
      },
    });
    // The budget of two requests is used up by a read and a write.
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'apply/interrupted', writes: 1 }]);
    expect(await written()).toBe(1);
  });

  it('cancels a write that was answered with 429 and waits to be sent again', async () => {
    const body =
      '{"result":null,"success":false,"errors":[{"code":10100,"message":"slow down"}],"messages":[]}';
    faults = [{ kind: 'answer', status: 429, body, headers: { 'retry-after': '200' } }];
    const outcomes = await apply({
      onEvent: (event) => {
        if (event.kind === 'retrying' || event.kind === 'waiting') {
          control.abort();
        }
      },
    });
    expect(outcomes).toEqual([
      { kind: 'not-reached', step: `zone:shop.example/${PHASE}`, reason: 'the run was interrupted' },
    ]);
    expect(await written()).toBe(0);
  });

  it('leaves a state from which the next run converges', async () => {
    faults = [{ kind: 'meanwhile', act: interrupt }];
    await apply();
    control = new AbortController();
    expect((await apply()).map(({ kind }) => kind)).toEqual(['done']);
    await expectConverged(bench, desired);
  });
});
