import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import { openDryRunClient, openReadClient, openWriteClient } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/network/clock.ts';
import type { ConnectionOptions } from '../../../src/api/connection.ts';
import { createRuleset, updateEntrypoint } from '../../api/ruleset-writes.ts';
import { getEntrypoint } from '../../../src/api/rulesets.ts';
import { preflight } from '../../../src/apply/preflight/preflight.ts';
import { shopSeed } from '../../../src/emulator/index.ts';
import type { DesiredRule } from '../../../src/model/rule.ts';
import type { DesiredRuleset } from '../../../src/model/ruleset.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { Fault, FaultProxy } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { Bench } from '../run-against-service.ts';
import {
  blockHosts,
  carryOutPlan,
  expectConverged,
  forgetRequests,
  memoryJournal,
  openBench,
  plan,
  requests,
  zone,
} from '../run-against-service.ts';

const PHASE = 'http_request_firewall_custom';
const REDIRECTS = 'http_request_dynamic_redirect';
const STEP = `zone:shop.example/${PHASE}`;
const BLOG_STEP = `zone:blog.example/${PHASE}`;

let bench: Bench;
let scope: Scope;
let proxy: FaultProxy | undefined;

async function start(options: Parameters<typeof openBench>[0] = {}): Promise<void> {
  bench = await openBench(options);
  scope = await blockHosts(bench, ['a', 'b', 'c']);
  await forgetRequests(bench);
}

beforeEach(() => start());
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await bench.close();
});

const READER = 'reader-reader-reader-reader-reader-reader';

/** The seed of the shop, with a token that may read rules but not write them. */
function withReader(): unknown {
  return {
    ...(shopSeed as object),
    tokens: { [READER]: [{ permissions: ['Zone WAF Read', 'Zone Read'], resources: ['*'] }] },
  };
}

const rule = (ref: string, over: Partial<Parameters<typeof desiredRule>[0]> = {}): DesiredRule =>
  desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"`, ...over });
const redirects = (...rules: readonly DesiredRule[]) =>
  desiredRuleset(rules, { address: { kind: 'entrypoint', phase: REDIRECTS } });
const wrong = (ref: string, line: number): DesiredRule =>
  rule(ref, {
    expression: 'no.such.field eq 1',
    cause: { file: 'zones/shop.example.yaml', line, column: 9 },
  });

/** A plan with a second step, since a run with a single write needs no preflight. */
async function planOfBlog(...more: readonly string[]): Promise<PlannedScope> {
  const rules = ['blog', ...more].map((ref) => rule(ref));
  return plan(bench, zone([desiredRuleset(rules)], { scope: { kind: 'zone', name: 'blog.example' } }));
}

/** The requests other than GET: method, status, the value of `dry_run` if any, and `wrote` if the service was changed. */
async function sent(): Promise<readonly string[]> {
  return (await requests(bench))
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, status, wrote }) => {
      const dry = /dry_run=(\w+)/.exec(path)?.[1];
      return `${method} ${status}${dry === undefined ? '' : ` ${dry}`}${wrote ? ' wrote' : ''}`;
    });
}

/** Connection options for a client through a proxy that decides on each request. */
async function through(decide: Parameters<typeof openFaultProxy>[1]): Promise<ConnectionOptions> {
  proxy = await openFaultProxy(bench.emulator.baseUrl, decide);
  return connection(proxy.baseUrl);
}

function connection(baseUrl: string, token: string = bench.emulator.token): ConnectionOptions {
  return {
    baseUrl,
    credentials: { kind: 'token', token },
    budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
  };
}

async function liveRefs(): Promise<readonly string[]> {
  return ((await getEntrypoint(bench.client, scope, PHASE))?.rules ?? []).map(({ ref }) => ref);
}

describe('the preflight of an apply', () => {
  it('checks every write with one dry run, after the service has proven that it honours them', async () => {
    const desired = zone([
      desiredRuleset([rule('d'), rule('a'), rule('c')]),
      redirects(
        rule('r', {
          action: 'redirect',
          action_parameters: {
            from_value: { target_url: { value: 'https://x.example/' }, status_code: 301 },
          },
        }),
      ),
    ]);
    const { outcomes, preflight } = await carryOutPlan(bench, [await plan(bench, desired)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(preflight.steps.map(({ kind }) => kind)).toEqual(['passed', 'passed']);
    expect(await sent()).toEqual([
      'DELETE 404 true',
      'DELETE 400 invalid',
      'POST 200 true',
      'PUT 200 true',
      'PUT 200 wrote',
      'POST 200 wrote',
    ]);
    await expectConverged(bench, desired);
  });

  it('prevents all writes if any would be refused, and names step, rule, place and reason of every refusal', async () => {
    const desired = zone([
      desiredRuleset([rule('a'), rule('b'), wrong('bad', 12), rule('d')]),
      redirects(wrong('worse', 40)),
    ]);
    const { outcomes } = await carryOutPlan(bench, [await plan(bench, desired)]);
    expect(outcomes).toMatchObject([
      {
        kind: 'failed',
        step: `zone:shop.example/${REDIRECTS}`,
        refusals: [{ rule: 'worse', cause: { file: 'zones/shop.example.yaml', line: 40 } }],
      },
      {
        kind: 'failed',
        step: STEP,
        code: 'apply/preflight',
        writes: 0,
        refusals: [
          {
            rule: 'bad',
            cause: { file: 'zones/shop.example.yaml', line: 12 },
            pointer: expect.stringMatching(/^\/rules\/2\//),
            message: expect.stringContaining('no.such.field'),
          },
        ],
      },
    ]);
    expect((await sent()).filter((request) => request.endsWith('wrote'))).toEqual([]);
    expect(await liveRefs()).toEqual(['a', 'b', 'c']);
  });

  it('names the rule of a single rule operation that would be refused', async () => {
    const { outcomes } = await carryOutPlan(bench, [
      await plan(bench, zone([desiredRuleset([rule('a'), wrong('b', 7), rule('c')])])),
    ]);
    expect(outcomes).toMatchObject([{ kind: 'failed', refusals: [{ rule: 'b', cause: { line: 7 } }] }]);
  });

  it('leaves out rules that depend on a ruleset that is not created yet, says so, and checks the rest', async () => {
    const address = { kind: 'custom', phase: PHASE, name: 'Login protection' } as const;
    const execute = rule('run', { action: 'execute', action_parameters: { id: 'custom:login-protection' } });
    const inner = desiredRuleset([rule('inner')], { address });
    const desired = zone([desiredRuleset([rule('a'), execute, rule('d')]), inner]);
    const made = await carryOutPlan(bench, [await plan(bench, desired)]);
    expect(made.outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(made.preflight.steps).toEqual([
      { kind: 'passed', step: `${STEP}/custom:login-protection`, unchecked: [] },
      {
        kind: 'passed',
        step: STEP,
        unchecked: [{ rule: 'run', reason: 'it names custom:login-protection, which this plan makes first' }],
      },
    ]);
    const gone = zone([desiredRuleset([rule('a')]), { ...inner, presence: 'absent', rules: [] }]);
    const removed = await carryOutPlan(bench, [await plan(bench, gone)]);
    expect(removed.outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(removed.preflight.steps[1]).toMatchObject({ kind: 'not-checked', code: 'depends' });
    await expectConverged(bench, gone);
  });

  it('does not check the old form of a rule that it leaves out', async () => {
    const address = { kind: 'entrypoint', phase: 'http_request_firewall_managed' } as const;
    const run = (ref: string): DesiredRule =>
      rule(ref, {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: 'managed:cloudflare-managed-ruleset' },
      });
    const other = rule('b', { action: 'skip', action_parameters: { ruleset: 'current' } });
    const first = await plan(bench, zone([desiredRuleset([run('a'), other], { address })]));
    await carryOutPlan(bench, [first]);
    // The managed ruleset moves from rule a to rule b, and rule a names a ruleset that this plan creates.
    const exempt = rule('a', { action: 'skip', action_parameters: { rulesets: ['custom:inner'] } });
    const desired = zone([
      desiredRuleset([rule('i')], { address: { kind: 'custom', phase: PHASE, name: 'Inner' } }),
      desiredRuleset([exempt, run('b')], { address }),
    ]);
    const { outcomes } = await carryOutPlan(bench, [await plan(bench, desired)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    await expectConverged(bench, desired);
  });

  it('reports a step as stale, not as refused, if the service refuses it because somebody else wrote', async () => {
    const scopePlan = await plan(bench, zone([desiredRuleset([rule('c'), rule('a'), rule('b')])]));
    await updateEntrypoint(bench.client, scope, PHASE, { rules: [] });
    await forgetRequests(bench);
    const { outcomes, preflight } = await carryOutPlan(bench, [scopePlan, await planOfBlog()]);
    expect(preflight.steps.map(({ kind }) => kind)).toEqual(['stale', 'passed']);
    expect(outcomes).toMatchObject([
      {
        kind: 'refused',
        code: 'apply/stale',
        difference: { removed: [{ ref: 'a' }, { ref: 'b' }, { ref: 'c' }] },
      },
      { kind: 'not-reached' },
    ]);
    expect((await sent()).filter((request) => request.endsWith('wrote'))).toEqual([]);
  });

  it('passes a step that the service refuses because live already matches it', async () => {
    const desired = zone([desiredRuleset([rule('a'), rule('b'), rule('c'), rule('d')])]);
    const scopePlan = await plan(bench, desired);
    await blockHosts(bench, ['a', 'b', 'c', 'd']);
    const { outcomes, preflight } = await carryOutPlan(bench, [scopePlan, await planOfBlog()]);
    expect(preflight.steps.map(({ kind }) => kind)).toEqual(['passed', 'passed']);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['skipped', 'done']);
    await expectConverged(bench, desired);
  });

  it('ignores a refusal because of the quota if earlier steps make room', async () => {
    // A Pro zone has 20 custom rules, over the entry point and the custom rulesets that it executes.
    const address = { kind: 'custom', phase: PHASE, name: 'Crowd' } as const;
    const crowd = Array.from({ length: 14 }, (_, index) => rule(`crowd-${index}`));
    const execute = rule('run', { action: 'execute', action_parameters: { id: 'custom:crowd' } });
    const many = Array.from({ length: 10 }, (_, index) => rule(`more-${index}`));
    const level = zone([], { scope: { kind: 'zone', name: 'blog.example' } });
    const first = { ...level, rulesets: [desiredRuleset(crowd, { address }), desiredRuleset([execute])] };
    await carryOutPlan(bench, [await plan(bench, first)]);
    const second = {
      ...level,
      rulesets: [desiredRuleset(crowd.slice(0, 2), { address }), desiredRuleset([execute, ...many])],
    };
    const { outcomes, preflight } = await carryOutPlan(bench, [await plan(bench, second)]);
    expect(preflight.steps[1]).toMatchObject({
      kind: 'passed',
      unchecked: [{ reason: expect.stringContaining('quota has no room before zone:blog.example') }],
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    await expectConverged(bench, second);
    // The other way round, the entry point has to make room and is written first.
    const back = await carryOutPlan(bench, [await plan(bench, first)]);
    expect(back.outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    await expectConverged(bench, first);
  });

  it('passes the creation of a custom ruleset if the deletion of another one makes room for it', async () => {
    // A Pro zone has two custom rulesets.
    const custom = (name: string, over: Partial<DesiredRuleset> = {}) =>
      desiredRuleset([rule('in')], { address: { kind: 'custom', phase: PHASE, name }, ...over });
    const blog = (...rulesets: readonly DesiredRuleset[]) =>
      zone(rulesets, { scope: { kind: 'zone', name: 'blog.example' } });
    await carryOutPlan(bench, [await plan(bench, blog(custom('One'), custom('Two')))]);
    const desired = blog(custom('One', { presence: 'absent', rules: [] }), custom('Two'), custom('Three'));
    const { outcomes, preflight } = await carryOutPlan(bench, [await plan(bench, desired)]);
    expect(preflight.steps).toMatchObject([
      { kind: 'passed', step: `${BLOG_STEP}/custom:one` },
      { kind: 'passed', step: `${BLOG_STEP}/custom:three`, after: [`${BLOG_STEP}/custom:one`] },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    await expectConverged(bench, desired);
  });
});

describe('a service that does not honour dry_run', () => {
  it('is recognised, gets no dry run, and is written to without a preflight', async () => {
    await bench.close();
    await start({ switches: { dryRun: 'ignored' } });
    const desired = zone([desiredRuleset([rule('d'), rule('a'), rule('c')])]);
    const { outcomes, preflight } = await carryOutPlan(bench, [
      await plan(bench, desired),
      await planOfBlog(),
    ]);
    expect(preflight.steps).toEqual(
      [STEP, BLOG_STEP].map((step) => ({
        kind: 'not-checked',
        step,
        code: 'unproven',
        reason: 'the service did not prove that it knows dry runs',
      })),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect((await sent()).toSorted()).toEqual([
      'DELETE 404 invalid',
      'DELETE 404 true',
      'POST 200 wrote',
      'PUT 200 wrote',
    ]);
    await expectConverged(bench, desired);
  });

  it('is not written to by the preflight of a plan', async () => {
    await bench.close();
    await start({ switches: { dryRun: 'ignored' } });
    const options = connection(bench.emulator.baseUrl);
    const client = openReadClient(options);
    const check = openDryRunClient(options);
    const scopePlan = await plan(bench, zone([desiredRuleset([rule('d')])]));
    const result = await preflight({
      scopes: [{ plan: scopePlan, client, check }],
      strategy: 'auto',
      concurrency: 1,
      signal: undefined,
    });
    await Promise.all([client.close(), check.close()]);
    expect(result.preflight.steps).toMatchObject([{ kind: 'not-checked', code: 'unproven' }]);
    expect((await sent()).filter((request) => request.endsWith('wrote'))).toEqual([]);
    expect(await liveRefs()).toEqual(['a', 'b', 'c']);
  });

  it('stops the run when it answers a dry run with a result, since it has written', async () => {
    // A gateway that passes the parameter on for deletions and drops it from everything else.
    const options = await through(({ method }) =>
      method === 'DELETE'
        ? { kind: 'pass' }
        : { kind: 'rewrite', path: (path) => path.replace('?dry_run=true', '') },
    );
    const client = openWriteClient(options);
    const headers = rule('h', {
      action: 'rewrite',
      action_parameters: { headers: { 'x-shop': { operation: 'set', value: '1' } } },
    });
    const later = desiredRuleset([headers], {
      address: { kind: 'entrypoint', phase: 'http_response_headers_transform' },
    });
    const desired = zone([desiredRuleset([rule('d'), rule('a')]), redirects(wrong('never', 1)), later]);
    const { journal, entries } = memoryJournal();
    const { outcomes, preflight } = await carryOutPlan(bench, [await plan(bench, desired)], {
      client,
      journal,
    });
    await client.close();
    const written = { kind: 'failed', step: preflight.steps[1]?.step, landed: true };
    expect(entries.filter(({ kind }) => kind === 'failed')).toMatchObject([written]);
    expect(preflight.steps).toMatchObject([
      { kind: 'refused' },
      { kind: 'wrote' },
      { kind: 'not-checked', code: 'stopped' },
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'failed', code: 'apply/preflight' },
      {
        kind: 'failed',
        code: 'api/dry-run-wrote',
        writes: 1,
        message: expect.stringContaining('it has written'),
      },
      { kind: 'not-reached' },
    ]);
    expect((await sent()).filter((request) => request.endsWith('wrote'))).toEqual(['PUT 200 wrote']);
  });
});

describe('a preflight and its service', () => {
  const edit = () => zone([desiredRuleset([rule('x'), rule('a'), rule('b'), rule('c'), rule('y')])]);
  /** Refuses entries that are an id alone, as a stricter service might. */
  const strict = ({ method, body }: { method: string; body: string }): Fault =>
    method === 'PUT' && /\{"id":"[0-9a-f]{32}"\}/.test(body)
      ? {
          kind: 'answer',
          status: 400,
          body: '{"result":null,"success":false,"errors":[{"message":"action is required"}],"messages":[]}',
        }
      : { kind: 'pass' };

  it('finds out that the service does not accept ids alone, so that whole rules are sent', async () => {
    const before = (await getEntrypoint(bench.client, scope, PHASE))?.rules ?? [];
    const client = openWriteClient(await through(strict));
    const desired = edit();
    const plans = [await plan(bench, desired), await planOfBlog()];
    const { outcomes } = await carryOutPlan(bench, plans, { client });
    await client.close();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect((await getEntrypoint(bench.client, scope, PHASE))?.rules.slice(1, 4)).toEqual(before);
    // The proxy refuses the dry run with ids and that of the unchanged list; the one with whole rules passes, and then they are written.
    const puts = (await sent()).filter((request) => request.startsWith('PUT'));
    expect(puts).toEqual(['PUT 200 true', 'PUT 200 wrote']);
    await expectConverged(bench, desired);
  });

  it('is left out with --preflight off, and the plan is carried out', async () => {
    await updateEntrypoint(bench.client, scope, PHASE, {
      rules: [{ ref: 'a', action: 'skip', expression: 'ssl', action_parameters: { products: ['waf'] } }],
    });
    const desired = zone([
      desiredRuleset([
        rule('x'),
        rule('a', { action: 'skip', expression: 'ssl', action_parameters: { products: ['waf'] } }),
        rule('y'),
      ]),
    ]);
    const { outcomes, preflight } = await carryOutPlan(bench, [await plan(bench, desired)], {
      preflight: 'off',
    });
    expect(preflight).toEqual({ kind: 'off', steps: [] });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    await expectConverged(bench, desired);
  });

  it.each([
    ['a gateway', { status: 502, body: '<html>', type: 'text/html' }],
    [
      'the service',
      { status: 500, body: '{"success":false,"errors":[{"code":1000,"message":"not today"}]}' },
    ],
  ])('repeats a dry run that %s fails, and writes nothing if it keeps failing', async (_who, answer) => {
    let failures = 2;
    const flaky = ({ path }: { path: string }): Fault => {
      failures -= path.includes('dry_run=true') && !path.includes('/rules/') ? 1 : 0;
      return failures >= 0 && path.includes('dry_run=true') && !path.includes('/rules/')
        ? { kind: 'answer', ...answer }
        : { kind: 'pass' };
    };
    const client = openWriteClient(await through(flaky));
    const desired = edit();
    const passed = await carryOutPlan(bench, [await plan(bench, desired), await planOfBlog()], { client });
    expect(passed.outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    failures = 100;
    await forgetRequests(bench);
    const failed = await carryOutPlan(
      bench,
      [await plan(bench, zone([desiredRuleset([rule('x'), rule('z')])])), await planOfBlog('more')],
      { client },
    );
    await client.close();
    expect(failed.outcomes).toMatchObject(
      Array.from({ length: 2 }, () => ({
        kind: 'failed',
        code: 'api/server-error',
        message: expect.not.stringContaining('effect'),
        writes: 0,
      })),
    );
    expect((await sent()).filter((request) => request.endsWith('wrote'))).toEqual([]);
  });

  it('reports a plan without permission to write as not checked, and an apply of it fails', async () => {
    await bench.close();
    await start({ seed: withReader() });
    const options = connection(bench.emulator.baseUrl, READER);
    const reader = openReadClient(options);
    const check = openDryRunClient(options);
    const desired = zone([desiredRuleset([rule('a')])]);
    const scopePlan = await plan(bench, desired);
    const result = await preflight({
      scopes: [{ plan: scopePlan, client: reader, check }],
      strategy: 'auto',
      concurrency: 1,
      signal: undefined,
    });
    await Promise.all([reader.close(), check.close()]);
    expect(result.preflight.steps).toEqual([
      {
        kind: 'not-checked',
        step: STEP,
        code: 'forbidden',
        reason: 'the credentials have no permission to write',
      },
    ]);
    const client = openWriteClient(options);
    const { outcomes } = await carryOutPlan(bench, [scopePlan], { client });
    await client.close();
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'api/forbidden', writes: 0 }]);
    expect((await sent()).filter((request) => request.endsWith('wrote'))).toEqual([]);
  });

  it('never sends a WAF migration as a dry run', async () => {
    const check = openDryRunClient(connection(bench.emulator.baseUrl));
    const request = {
      method: 'PUT',
      path: `/zones/${scope.id}/rulesets/phases/${PHASE}/entrypoint`,
    } as const;
    await expect(check.check({ ...request, query: { waf_migration: 'validation' } })).rejects.toMatchObject({
      code: 'api/misuse',
    });
    await check.close();
    expect(await sent()).toEqual([]);
  });

  it('has the service prove once for two zones that it honours dry runs', async () => {
    await createRuleset(bench.client, scope, { name: 'default', kind: 'zone', phase: REDIRECTS });
    const blog = zone([desiredRuleset([rule('n')])], { scope: { kind: 'zone', name: 'blog.example' } });
    const shop = edit();
    const plans = [await plan(bench, shop), await plan(bench, blog)];
    await forgetRequests(bench);
    const { outcomes } = await carryOutPlan(bench, plans);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect((await sent()).filter((request) => request.startsWith('DELETE'))).toEqual([
      'DELETE 404 true',
      'DELETE 400 invalid',
    ]);
    await expectConverged(bench, shop);
    await expectConverged(bench, blog);
  });
});
