import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../src/model/plan.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { readLive } from '../live/read-live.ts';
import { entry } from './blocking.ts';
import { withRules } from './campaign/campaign-run.ts';
import type { FaultProxy, Passing } from './campaign/fault-proxy.ts';
import { openFaultProxy } from './campaign/fault-proxy.ts';
import type { Bench } from './run-against-service.ts';
import { blockHosts, carryOut, clientThrough, liveRules, openBench, zone } from './run-against-service.ts';

// Answers that lost the rules of a ruleset on their way. A plan from them would replace the rules of others by a list without them.

const DESIRED = zone([{ ...entry('ours'), ownership: { kind: 'patterns', patterns: ['ours'] } }]);

let bench: Bench;
let proxy: FaultProxy;
let scope: Awaited<ReturnType<typeof blockHosts>>;
/** Whether a read of the custom rules loses them. */
let isLost: (request: Passing) => boolean;

beforeEach(async () => {
  bench = await openBench();
  scope = await blockHosts(bench, ['theirs', 'theirs-too']);
  proxy = await openFaultProxy(bench.emulator.baseUrl, (request) =>
    request.method === 'GET' && isLost(request)
      ? { kind: 'reanswer', body: (body) => withRules(body, []) }
      : { kind: 'pass' },
  );
});
afterEach(async () => {
  await proxy.close();
  await bench.close();
});

async function planThrough(): Promise<PlannedScope> {
  const client = clientThrough(bench, proxy);
  try {
    const planned = planScope(DESIRED, await readLive(client, DESIRED));
    if (planned.kind === 'failed') {
      throw planned.error;
    }
    return planned;
  } finally {
    await client.close();
  }
}

describe('an answer that lost its rules', () => {
  it('makes no plan if the version still has them', async () => {
    isLost = ({ path }) => path.endsWith('/entrypoint');
    await expect(planThrough()).rejects.toThrow('it shows no rules, but version');
  });

  it('writes nothing if the version lost them as well, and they are there again before the write', async () => {
    isLost = ({ path }) => path.endsWith('/entrypoint') || path.includes('/versions/');
    const planned = await planThrough();
    isLost = () => false;
    for (const strategy of ['auto', 'ruleset'] as const) {
      const client = clientThrough(bench, proxy);
      const outcomes = await carryOut(bench, planned, { access: { kind: 'write', client }, strategy });
      await client.close();
      expect(outcomes).toMatchObject([{ kind: 'refused', code: 'apply/plan-mismatch', writes: 0 }]);
    }
    expect((await liveRules(bench, scope)).rules.map(({ ref }) => ref)).toEqual(['theirs', 'theirs-too']);
  });
});
