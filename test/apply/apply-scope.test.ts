import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import type { WriteClient } from '../../src/api/client.ts';
import { openReadClient, openWriteClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/network/clock.ts';
import type { WriteRequest } from '../../src/api/request.ts';
import { addRule, updateEntrypoint } from '../api/ruleset-writes.ts';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import type { LiveRule } from '../../src/model/rule.ts';
import type { Scope } from '../../src/model/scope.ts';
import { desiredRule, desiredRuleset } from '../plan/build.ts';
import { limits } from './blocking.ts';
import type { Fault, FaultProxy } from './campaign/fault-proxy.ts';
import { openFaultProxy } from './campaign/fault-proxy.ts';
import type { Bench } from './run-against-service.ts';
import {
  blockHosts,
  carryOut,
  converge,
  forgetRequests,
  memoryJournal,
  openBench,
  plan,
  read,
  requests,
  zone,
} from './run-against-service.ts';

const PHASE = 'http_request_firewall_custom';
const REDIRECTS = 'http_request_dynamic_redirect';

let bench: Bench;
let scope: Scope;

beforeEach(async () => {
  bench = await openBench();
  scope = await blockHosts(bench, ['a', 'b', 'c']);
});
afterEach(() => bench.close());

const rule = (ref: string, action = 'block') =>
  desiredRule({ ref, action, expression: `http.host eq "${ref}.example"` });
const wanted = (...refs: readonly string[]) => zone([desiredRuleset(refs.map((ref) => rule(ref)))]);

async function liveRefs(): Promise<readonly string[]> {
  return (await liveRules()).map((one) => one.ref);
}

async function liveRules(): Promise<readonly LiveRule[]> {
  return (await getEntrypoint(bench.client, scope, PHASE))?.rules ?? [];
}

/** Adds a rule, as somebody else does in the dashboard. */
function foreignEdit(): Promise<unknown> {
  return getEntrypoint(bench.client, scope, PHASE).then((live) =>
    addRule(
      bench.client,
      { scope, rulesetId: live?.id ?? '' },
      {
        action: 'log',
        expression: 'ssl',
        description: 'somebody else',
      },
    ),
  );
}

describe('a plan that describes its base wrongly', () => {
  it('is refused before the first write, with the rule and the field, and stops its scope', async () => {
    await updateEntrypoint(bench.client, scope, REDIRECTS, {
      rules: [
        {
          ref: 'home',
          action: 'redirect',
          expression: 'http.request.uri.path eq "/home"',
          action_parameters: {
            from_value: { target_url: { value: 'https://shop.example/' }, status_code: 301 },
          },
        },
      ],
    });
    const redirects = desiredRuleset([], { address: { kind: 'entrypoint', phase: REDIRECTS } });
    const weakening = desiredRuleset([rule('a', 'log'), rule('b'), rule('c')]);
    const honest = await plan(bench, zone([weakening, redirects]));
    const forged = honest.steps.map((step) => ({
      ...step,
      // All changes are neutral to protection, so that the steps run in the order of the plan.
      changes: step.changes.map((change) => ({
        ...change,
        ...(change.kind === 'patch' ? { before: change.content, fields: [] } : {}),
        protection: { kind: 'neutral' } as const,
      })),
    }));
    await forgetRequests(bench);
    expect(await carryOut(bench, { ...honest, steps: forged.toReversed() })).toMatchObject([
      {
        kind: 'refused',
        code: 'apply/plan-mismatch',
        message: expect.stringMatching(
          /^the plan does not describe version \d+ of the ruleset: rule a: \/action;/,
        ),
      },
      { kind: 'not-reached' },
    ]);
    expect((await requests(bench)).filter(({ wrote }) => wrote)).toEqual([]);
  });
});

describe('a step', () => {
  it('fails as in doubt if an unexpected exception is thrown after its write was sent', async () => {
    const honest = await plan(bench, wanted('a', 'b', 'c', 'd'));
    const { client } = bench;
    const send = async (request: WriteRequest): Promise<never> => {
      await client.send(request);
      throw new TypeError('nobody thought of this');
    };
    const broken: WriteClient = {
      baseUrl: client.baseUrl,
      get: (path, more) => client.get(path, more),
      send,
    };
    expect(await carryOut(bench, honest, { access: { kind: 'write', client: broken } })).toEqual([
      {
        kind: 'failed',
        step: honest.steps[0]?.id,
        code: 'apply/bug',
        message: expect.stringContaining('nobody thought of this'),
        hint: expect.stringContaining('plan again'),
        inDoubt: true,
        writes: 0,
      },
    ]);
  });

  it('sends one rule operation for one change, and one PUT for several', async () => {
    await forgetRequests(bench);
    await converge(bench, wanted('a', 'b', 'c', 'd'));
    await converge(bench, wanted('d', 'a', 'c', 'e'));
    const writes = (await requests(bench))
      .filter((request) => request.wrote)
      .map((request) => request.method);
    expect(writes).toEqual(['POST', 'PUT']);
  });

  it('keeps the ids and the content of untouched rules', async () => {
    const before = await liveRules();
    await converge(bench, wanted('x', 'a', 'b', 'c', 'y'));
    const after = await liveRules();
    expect(after.slice(1, 4)).toEqual(before);
  });

  it('refuses a stale base before anything is written, and says how to go on', async () => {
    const scopePlan = await plan(bench, wanted('a', 'b'));
    await foreignEdit();
    await forgetRequests(bench);
    const outcomes = await carryOut(bench, scopePlan);
    expect(outcomes).toEqual([
      {
        kind: 'refused',
        step: 'zone:shop.example/http_request_firewall_custom',
        code: 'apply/stale',
        message: expect.stringMatching(
          /^live moved since the plan was made: it was version \d+, it is version \d+$/,
        ),
        hint: 'plan again, review the difference, then apply',
        writes: 0,
        difference: expect.objectContaining({
          added: [expect.objectContaining({ id: expect.any(String) })],
          removed: [],
          changed: [],
          moved: [],
          complete: true,
        }),
      },
    ]);
    expect((await requests(bench)).filter((request) => request.wrote)).toEqual([]);
  });

  it('creates an absent entry point, and is refused if one has appeared since the plan', async () => {
    const redirect = desiredRule({
      ref: 'moved',
      action: 'redirect',
      expression: 'http.host eq "old.example"',
      action_parameters: { from_value: { target_url: { value: 'https://shop.example/' }, status_code: 301 } },
    });
    const desired = zone([desiredRuleset([redirect], { address: { kind: 'entrypoint', phase: REDIRECTS } })]);
    const scopePlan = await plan(bench, desired);
    expect(scopePlan.steps.map((step) => step.operation)).toEqual(['create']);
    await updateEntrypoint(bench.client, scope, REDIRECTS, { rules: [] });
    expect((await carryOut(bench, scopePlan)).map((outcome) => outcome.kind)).toEqual(['refused']);
    await converge(bench, desired);
    expect((await plan(bench, desired)).steps).toEqual([]);
  });

  it('creates a custom ruleset and the rule that executes it in one run, and deletes both in another', async () => {
    const address = { kind: 'custom', phase: PHASE, name: 'Login protection' } as const;
    const execute = desiredRule({
      ref: 'run-login',
      action: 'execute',
      expression: 'http.request.uri.path eq "/login"',
      action_parameters: { id: 'custom:login-protection' },
    });
    const inner = desiredRuleset([rule('inner')], { address });
    const desired = zone([desiredRuleset([rule('a'), execute]), inner]);
    await converge(bench, desired);
    expect((await plan(bench, desired)).steps).toEqual([]);
    const gone = zone([desiredRuleset([rule('a')]), { ...inner, presence: 'absent', rules: [] }]);
    const scopePlan = await plan(bench, gone);
    expect(scopePlan.steps.map((step) => step.operation)).toEqual(['update', 'delete']);
    expect((await carryOut(bench, scopePlan)).map((outcome) => outcome.kind)).toEqual(['done', 'done']);
    expect((await plan(bench, gone)).steps).toEqual([]);
  });

  it('writes the description of a custom ruleset, alone or with its rules, and keeps it if none is desired', async () => {
    const address = { kind: 'custom', phase: PHASE, name: 'Login protection' } as const;
    const described = (description: string | undefined, ...refs: readonly string[]) =>
      zone([
        desiredRuleset(
          refs.map((ref) => rule(ref)),
          { address, ...(description === undefined ? {} : { description }) },
        ),
      ]);
    await converge(bench, described('first', 'a'));
    const steps = [
      [described('second', 'a'), 'second'],
      [described('third', 'b', 'c'), 'third'],
      [described(undefined, 'c', 'b', 'a'), 'third'],
    ] as const;
    for (const [desired, description] of steps) {
      await converge(bench, desired);
      const [live] = (await read(bench, desired)).entries;
      expect(live).toMatchObject({ slot: { kind: 'present', ruleset: { description } } });
    }
  });

  it('fails and writes nothing if its base cannot be read', async () => {
    const scopePlan = await plan(bench, wanted('a', 'b'));
    const stranger = openWriteClient({
      baseUrl: bench.emulator.baseUrl,
      credentials: { kind: 'token', token: 'nobody' },
      budget: createBudget({ clock: systemClock }),
    });
    const outcomes = await carryOut(bench, scopePlan, { access: { kind: 'write', client: stranger } });
    await stranger.close();
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'api/forbidden', writes: 0 }]);
    expect(await liveRefs()).toEqual(['a', 'b', 'c']);
  });

  it('is not begun if a step that it depends on has failed', async () => {
    const address = { kind: 'custom', phase: PHASE, name: 'Login protection' } as const;
    const bad = desiredRule({ ref: 'bad', action: 'redirect', expression: 'ssl', action_parameters: {} });
    const execute = desiredRule({
      ref: 'run',
      action: 'execute',
      expression: 'ssl',
      action_parameters: { id: 'custom:login-protection' },
    });
    const scopePlan = await plan(
      bench,
      zone([desiredRuleset([rule('a'), execute]), desiredRuleset([bad], { address })]),
    );
    const outcomes = await carryOut(bench, scopePlan);
    expect(outcomes).toMatchObject([
      { kind: 'failed' },
      { kind: 'not-reached', reason: `zone:shop.example/${PHASE}/custom:login-protection failed` },
    ]);
    expect(await liveRefs()).toEqual(['a', 'b', 'c']);
  });

  it('stops only the steps that depend on it if it is refused', async () => {
    const address = { kind: 'custom', phase: PHASE, name: 'Inner' } as const;
    const inner = (...refs: readonly string[]) =>
      desiredRuleset(
        refs.map((ref) => rule(ref)),
        { address },
      );
    await converge(bench, zone([inner('in')]));
    const execute = desiredRule({
      ref: 'run',
      action: 'execute',
      expression: 'ssl',
      action_parameters: { id: 'custom:inner' },
    });
    const saved = await plan(bench, zone([inner('in', 'more'), desiredRuleset([execute]), limits(10)]));
    await converge(bench, zone([inner('in', 'foreign')]));
    const [custom, ...rest] = (await carryOut(bench, saved)).map((outcome) => ({
      ...outcome,
      step: outcome.step.split('/').slice(1).join('/'),
    }));
    expect(custom).toMatchObject({ kind: 'refused', code: 'apply/stale', step: `${PHASE}/custom:inner` });
    expect(rest).toMatchObject([
      {
        kind: 'not-reached',
        step: PHASE,
        reason: `it needs zone:shop.example/${PHASE}/custom:inner, which was not done`,
      },
      { kind: 'done', step: 'http_ratelimit' },
    ]);
  });

  it('writes nothing in a dry run, and needs only a client that reads', async () => {
    const client = openReadClient({
      baseUrl: bench.emulator.baseUrl,
      credentials: { kind: 'token', token: bench.emulator.token },
      budget: createBudget({ clock: systemClock }),
    });
    const scopePlan = await plan(bench, wanted('a'));
    await forgetRequests(bench);
    const outcomes = await carryOut(bench, scopePlan, { access: { kind: 'dry-run', client } });
    await client.close();
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['skipped']);
    expect((await requests(bench)).map((request) => request.method)).toEqual(['GET']);
  });

  it('is not begun if the run is interrupted', async () => {
    const outcomes = await carryOut(bench, await plan(bench, wanted('a')), { signal: AbortSignal.abort() });
    expect(outcomes).toEqual([
      {
        kind: 'not-reached',
        step: 'zone:shop.example/http_request_firewall_custom',
        reason: 'the run was interrupted',
      },
    ]);
  });

  it('records an intent and then its result in the journal', async () => {
    const { journal, entries } = memoryJournal();
    await converge(bench, wanted('a', 'b'), { journal });
    expect(entries.map((entry) => entry.kind)).toEqual(['intent', 'landed']);
  });
});

describe('a write without a usable answer', () => {
  let proxy: FaultProxy | undefined;
  afterEach(() => proxy?.close());

  /** Applies through a proxy that does this to the first write. */
  async function applyThrough(fault: Fault, desired = wanted('a', 'b', 'c', 'd')) {
    const scopePlan = await plan(bench, desired);
    let open = true;
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) => {
      if (method === 'GET' || !open) {
        return { kind: 'pass' };
      }
      open = false;
      return fault;
    });
    const client = openWriteClient({
      baseUrl: proxy.baseUrl,
      credentials: { kind: 'token', token: bench.emulator.token },
      budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
    });
    try {
      return await carryOut(bench, scopePlan, { access: { kind: 'write', client } });
    } finally {
      await client.close();
    }
  }

  const html = '<html><h1>502 Bad Gateway</h1></html>';

  it.each([
    ['cut before it arrived', { kind: 'cut-before' }],
    ['cut after it was done', { kind: 'cut-after' }],
    [
      'answered by a broken gateway before it was done',
      { kind: 'answer', status: 502, body: html, type: 'text/html' },
    ],
    ['answered by a broken gateway after it was done', { kind: 'answer-after', status: 502, body: html }],
    ['answered by half an envelope', { kind: 'answer-after', status: 200, body: '{"result": {' }],
  ] satisfies readonly (readonly [string, Fault])[])('is done in the end: %s', async (_name, fault) => {
    const outcomes = await applyThrough(fault);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['done']);
    expect(await liveRefs()).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['a rule added', () => wanted('a', 'b', 'c', 'd')],
    ['a rule changed', () => zone([desiredRuleset([rule('a'), rule('b', 'log'), rule('c')])])],
    ['a rule deleted', () => wanted('a', 'c')],
    ['a list', () => wanted('d', 'c', 'a')],
  ])('is not taken for one of somebody else if it takes effect late: %s', async (_name, desired) => {
    const outcomes = await applyThrough({ kind: 'late' }, desired());
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['done']);
    expect((await plan(bench, desired())).steps).toEqual([]);
  });

  it('is a conflict if somebody else wrote as well, and no rule is lost', async () => {
    const outcomes = await applyThrough({ kind: 'meanwhile', act: foreignEdit });
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['conflict']);
    expect((await liveRules()).map((one) => one.content.description)).toContain('somebody else');
    expect(await liveRefs()).toContain('d');
  });

  it('stops its scope if somebody else wrote as well', async () => {
    const desired = zone([desiredRuleset(['a', 'b', 'c', 'd'].map((ref) => rule(ref))), limits(10)]);
    const outcomes = await applyThrough({ kind: 'meanwhile', act: foreignEdit }, desired);
    expect(outcomes).toMatchObject([
      { kind: 'conflict' },
      { kind: 'not-reached', reason: `zone:shop.example/${PHASE} met a conflict` },
    ]);
  });

  it('fails with the reason of the service if it is refused, and leaves live as it was', async () => {
    const body = '{"result":null,"success":false,"errors":[{"code":20127,"message":"wrong"}],"messages":[]}';
    const outcomes = await applyThrough({ kind: 'answer', status: 400, body });
    expect(outcomes).toMatchObject([
      { kind: 'failed', writes: 0, refusals: [{ message: 'wrong', code: 20127 }] },
    ]);
    expect(await liveRefs()).toEqual(['a', 'b', 'c']);
  });

  it('deletes a rule once, even if the answer is lost', async () => {
    const outcomes = await applyThrough({ kind: 'cut-after' }, wanted('a', 'b'));
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['done']);
    expect(await liveRefs()).toEqual(['a', 'b']);
  });
});
