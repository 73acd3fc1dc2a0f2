import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlanOutcome } from '../../../src/apply/apply-plan.ts';
import type { DesiredRuleset } from '../../../src/model/ruleset.ts';
import { desiredRuleset } from '../../plan/build.ts';
import type { Fault, Passing } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { Bench } from '../run-against-service.ts';
import { block, entry, limits } from '../blocking.ts';
import {
  carryOutPlan,
  clientThrough,
  converge,
  expectConverged,
  openBench,
  plan,
  zone,
} from '../run-against-service.ts';

const CUSTOM = 'http_request_firewall_custom';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const inner = desiredRuleset([block('in')], { address: { kind: 'custom', phase: CUSTOM, name: 'Inner' } });
const outer = desiredRuleset([
  block('run', { action: 'execute', action_parameters: { id: 'custom:inner' } }),
]);
const redirects = desiredRuleset([], {
  address: { kind: 'entrypoint', phase: 'http_request_dynamic_redirect' },
});

interface Ended extends PlanOutcome {
  readonly requests: readonly string[];
}

/** Makes a plan, lets something happen, and carries the plan out as a saved plan. */
async function saved(
  wanted: readonly DesiredRuleset[],
  meanwhile: () => Promise<unknown>,
  decide: (request: Passing) => Fault = () => ({ kind: 'pass' }),
): Promise<Ended> {
  const scope = await plan(bench, zone(wanted));
  await meanwhile();
  const requests: string[] = [];
  const proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
    requests.push(
      `${request.method} ${request.path.replaceAll(/[0-9a-f]{32}/g, '…').replace('/client/v4/zones/…', '')}`,
    );
    return decide(request);
  });
  const client = clientThrough(bench, proxy);
  try {
    return {
      ...(await carryOutPlan(bench, [scope], { client, preflight: 'off', origin: 'saved' })),
      requests,
    };
  } finally {
    await client.close();
    await proxy.close();
  }
}

const nothing = () => Promise.resolve();
const isList = (request: string) => request.startsWith('GET /rulesets?');

describe('a saved plan of a rewrite', () => {
  const rewrites = {
    ...redirects,
    address: { kind: 'entrypoint', phase: 'http_request_transform' } as const,
    rules: [
      block('hide', {
        action: 'rewrite',
        action_parameters: { uri: { path: { value: '/' } } },
        expression: 'http.request.uri.path eq "/admin"',
      }),
    ],
  };
  const admin = desiredRuleset([block('admin', { expression: 'http.request.uri.path eq "/admin"' })]);

  it.for([
    ['is carried out as it is', false],
    ['writes nothing if it calls neutral what keeps requests from a rule of another ruleset', true],
  ] as const)('%s', async ([, isForged]) => {
    await converge(bench, zone([admin]));
    const honest = await plan(bench, zone([admin, rewrites]));
    const claims = isForged ? { protection: { kind: 'neutral' } as const } : {};
    const steps = honest.steps.map((step) => ({
      ...step,
      changes: step.changes.map((change) => ({ ...change, ...claims })),
    }));
    expect(steps).toHaveLength(1);
    const { outcomes } = await carryOutPlan(bench, [{ ...honest, steps }], { origin: 'saved' });
    const shown = outcomes.map((outcome) => `${outcome.kind} ${'message' in outcome ? outcome.message : ''}`);
    expect(shown[0]).toMatch(
      isForged ? /^refused .*that it does not weaken \(keeps requests from rule admin/u : /^done/u,
    );
  });
});

describe('a saved plan of several rulesets', () => {
  beforeEach(() => converge(bench, zone([entry('a'), limits(10)])));

  it('is carried out if no ruleset has changed, after one request for the list of rulesets', async () => {
    const { outcomes, requests } = await saved([entry('b'), limits(20)], nothing);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(requests.filter(isList)).toHaveLength(1);
    expect(requests).toHaveLength(5);
    await expectConverged(bench, zone([entry('b'), limits(20)]));
  });

  it('writes nothing if any one of the rulesets has changed', async () => {
    for (const moved of [entry('x'), limits(99)]) {
      const wanted = [entry('b'), limits(20)];
      const { outcomes, requests } = await saved(wanted, () => converge(bench, zone([moved])));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['not-reached', 'refused']);
      expect(outcomes.find(({ kind }) => kind === 'refused')).toMatchObject({
        code: 'apply/stale',
        difference: { complete: true },
      });
      expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
      await converge(bench, zone([entry('a'), limits(10)]));
    }
  });

  it('writes nothing if an entry point has appeared that was absent', async () => {
    const wanted = [
      limits(20),
      {
        ...redirects,
        rules: [
          block('r', {
            action: 'redirect',
            action_parameters: { from_value: { target_url: { value: 'https://a.example' } } },
          }),
        ],
      },
    ];
    const { outcomes } = await saved(wanted, () =>
      converge(
        bench,
        zone([
          {
            ...redirects,
            rules: [
              block('other', {
                action: 'redirect',
                action_parameters: { from_value: { target_url: { value: 'https://b.example' } } },
              }),
            ],
          },
        ]),
      ),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['not-reached', 'refused']);
  });

  it('skips rulesets that already match it, and carries out the rest', async () => {
    const wanted = [inner, outer, limits(20)];
    const { outcomes } = await saved(wanted, () => converge(bench, zone([inner, outer])));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', 'skipped', 'skipped']);
    await expectConverged(bench, zone(wanted));
  });

  it('writes nothing if the rulesets cannot be listed', async () => {
    const { outcomes, requests } = await saved([entry('b'), limits(20)], nothing, ({ path }) =>
      path.includes('/rulesets?')
        ? { kind: 'answer', status: 403, body: '{"success":false,"errors":[],"messages":[],"result":null}' }
        : { kind: 'pass' },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'not-reached']);
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  it('writes nothing if it cannot be read whether an entry point is still absent', async () => {
    const phase = 'http_response_headers_transform';
    const headers = desiredRuleset(
      [
        block('h', {
          action: 'rewrite',
          action_parameters: { headers: { 'x-a': { operation: 'remove' } } },
        }),
      ],
      { address: { kind: 'entrypoint', phase } },
    );
    const { outcomes, requests } = await saved([entry('b'), headers], nothing, ({ path }) =>
      path.includes(`${phase}/entrypoint`)
        ? { kind: 'answer', status: 403, body: '{"success":false,"errors":[],"messages":[],"result":null}' }
        : { kind: 'pass' },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['not-reached', 'failed']);
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  it('needs no request for the list if it has only one ruleset', async () => {
    const { outcomes, requests } = await saved([entry('b')], nothing);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    expect(requests).toHaveLength(2);
  });
});
