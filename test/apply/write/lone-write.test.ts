import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteRuleset, updateEntrypoint } from '../../api/ruleset-writes.ts';
import type { PlanOutcome } from '../../../src/apply/apply-plan.ts';
import type { DesiredRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import type { Scope } from '../../../src/model/scope.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { FaultProxy, Passing, Fault } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { ApplyPlanWith, Bench } from '../run-against-service.ts';
import {
  blockHosts,
  carryOutPlan,
  clientThrough,
  expectConverged,
  forgetRequests,
  liveRules,
  openBench,
  plan,
  requests,
  zone,
} from '../run-against-service.ts';

const PHASE = 'http_request_firewall_custom';

let bench: Bench;
let scope: Scope;
let proxy: FaultProxy | undefined;

beforeEach(async () => {
  bench = await openBench();
  scope = await blockHosts(bench, ['a', 'b', 'c']);
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await bench.close();
});

const expressionOf = (ref: string): string => `http.host eq "${ref}.example"`;
const rule = (ref: string, expression = expressionOf(ref)): DesiredRule =>
  desiredRule({ ref, action: 'block', expression });
const ONE_CHANGED = zone([desiredRuleset([rule('a'), rule('b', 'ssl'), rule('c')])]);
const TWO_CHANGED = zone([desiredRuleset([rule('x'), rule('a'), rule('b'), rule('c'), rule('y')])]);

/** Plans, lets something happen, and carries out the plan. `sent` are the requests of that. */
async function run(
  desired: DesiredScope,
  between: () => Promise<unknown> | void = () => undefined,
  more: ApplyPlanWith = {},
): Promise<PlanOutcome & { readonly sent: readonly string[] }> {
  const planned = await plan(bench, desired);
  await between();
  await forgetRequests(bench);
  const outcome = await carryOutPlan(bench, [planned], more);
  const sent = (await requests(bench)).map(
    ({ method, status, wrote }) => `${method} ${status}${wrote ? ' wrote' : ''}`,
  );
  return { ...outcome, sent };
}

const live = (): Promise<LiveRuleset> => liveRules(bench, scope);

/** Runs with a client through a proxy that decides on each request. */
async function runThrough(desired: DesiredScope, decide: (request: Passing) => Fault) {
  proxy = await openFaultProxy(bench.emulator.baseUrl, decide);
  const client = clientThrough(bench, proxy);
  try {
    return await run(desired, undefined, { client });
  } finally {
    await client.close();
  }
}

describe('a run with one write', () => {
  it.each<[string, DesiredScope, string]>([
    ['a rule changes', ONE_CHANGED, 'PATCH 200 wrote'],
    ['several do', TWO_CHANGED, 'PUT 200 wrote'],
  ])('is one read and one write when %s', async (_title, desired, request) => {
    const { outcomes, preflight, sent } = await run(desired);
    expect(sent).toEqual(['GET 200', request]);
    expect(preflight).toEqual({ kind: 'not-needed', steps: [] });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    await expectConverged(bench, desired);
  });

  it('is one read and one write when the entry point is created', async () => {
    await deleteRuleset(bench.client, scope, (await live()).id);
    const { outcomes, sent } = await run(ONE_CHANGED);
    expect(sent).toEqual(['GET 404', 'POST 200 wrote']);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
  });

  it('refuses a stale plan and writes nothing', async () => {
    const moved = await run(TWO_CHANGED, async () => {
      await updateEntrypoint(bench.client, scope, PHASE, { rules: [] });
    });
    expect(moved.outcomes).toMatchObject([{ kind: 'refused', code: 'apply/stale', writes: 0 }]);
    expect(moved.sent.every((request) => request.startsWith('GET'))).toBe(true);
  });

  it('sends whole rules if the service does not accept ids alone', async () => {
    const before = (await live()).rules;
    const { outcomes, sent } = await runThrough(TWO_CHANGED, ({ method, body }) =>
      method === 'PUT' && /\{"id":"[0-9a-f]{32}"\}/.test(body)
        ? {
            kind: 'answer',
            status: 400,
            body: '{"result":null,"success":false,"errors":[{"message":"action is required"}],"messages":[]}',
          }
        : { kind: 'pass' },
    );
    // The refused write never reached the service. Live is read again before the second one.
    expect(sent).toEqual(['GET 200', 'GET 200', 'PUT 200 wrote']);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    expect((await live()).rules.slice(1, 4)).toEqual(before);
  });

  it('fails with the reason of the service if the write is refused, and changes nothing', async () => {
    const before = await live();
    const { outcomes } = await run(
      zone([desiredRuleset([rule('x', 'no.such.field eq 1'), rule('a'), rule('b'), rule('c'), rule('y')])]),
    );
    expect(outcomes).toMatchObject([
      {
        kind: 'failed',
        code: 'api/refused',
        // The reason is in the refusals only.
        message: 'the service refused this write (PUT, 400)',
        writes: 0,
        refusals: [{ rule: 'x', message: expect.stringContaining('no.such.field') }],
      },
    ]);
    expect(await live()).toEqual(before);
  });

  it('still has a preflight in a dry run', async () => {
    const { preflight, sent } = await run(ONE_CHANGED, undefined, { dryRun: true });
    expect(preflight.steps).toMatchObject([{ kind: 'passed' }]);
    expect(sent.filter((request) => request.endsWith('wrote'))).toEqual([]);
  });
});
