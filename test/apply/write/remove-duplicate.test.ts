import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRuleset } from '../../api/ruleset-writes.ts';
import { listRulesets } from '../../../src/api/rulesets.ts';
import { journalStep } from '../../../src/apply/journal/journal-entry.ts';
import { readLastRun } from '../../../src/apply/journal/read-journal.ts';
import { describeUnfinished } from '../../../src/apply/journal/unfinished-run.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { Fault, FaultProxy, Passing } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { Bench } from '../run-against-service.ts';
import {
  carryOut,
  carryOutPlan,
  clientThrough,
  expectConverged,
  memoryJournal,
  openBench,
  plan,
  read,
  zone,
} from '../run-against-service.ts';

const PHASE = 'http_request_firewall_custom';
const INNER = { kind: 'custom', phase: PHASE, name: 'Inner' } as const;
const DESIRED = zone([
  desiredRuleset([desiredRule({ ref: 'i', action: 'block' })], { address: INNER }),
  desiredRuleset([desiredRule({ ref: 'run', action: 'execute', action_parameters: { id: 'custom:inner' } })]),
]);

let bench: Bench;
let scope: Scope;
let proxy: FaultProxy | undefined;

beforeEach(async () => {
  bench = await openBench();
  scope = (await read(bench, zone([]))).scope;
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await bench.close();
});

async function inners(): Promise<readonly string[]> {
  const heads = await listRulesets(bench.client, scope);
  return heads.flatMap(({ id, name }) => (name === INNER.name ? [id] : []));
}

/** Applies while another run creates the custom ruleset at the same moment; `after` decides on the requests after that. */
async function applyTogether(after: (request: Passing) => Fault) {
  const planned = await plan(bench, DESIRED);
  let made = '';
  const act = async (): Promise<void> => {
    const theirs = { name: INNER.name, kind: 'custom', phase: PHASE, description: '', rules: [] } as const;
    made = (await createRuleset(bench.client, scope, theirs)).id;
  };
  proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
    if (made !== '') {
      return after(request);
    }
    return request.method === 'POST' ? { kind: 'meanwhile', act } : { kind: 'pass' };
  });
  const client = clientThrough(bench, proxy);
  const { journal, entries } = memoryJournal();
  try {
    const outcomes = await carryOut(bench, planned, { access: { kind: 'write', client }, journal });
    return { outcomes, entries, theirs: made, planned };
  } finally {
    await client.close();
  }
}

const first = (outcomes: readonly Outcome[]): Outcome | undefined => outcomes[0];

describe('a custom ruleset that two runs create at the same moment', () => {
  it('is deleted again by the run that sees the other one, and the next run converges', async () => {
    const { outcomes, entries, theirs } = await applyTogether(() => ({ kind: 'pass' }));
    expect(outcomes).toMatchObject([
      {
        kind: 'conflict',
        writes: 0,
        message: expect.stringContaining(`${theirs}; the one of this run was deleted`),
      },
      { kind: 'not-reached' },
    ]);
    expect(await inners()).toEqual([theirs]);
    expect(entries.map(({ kind }) => kind)).toEqual(['intent', 'landed', 'saved', 'intent', 'landed']);
    const next = await carryOut(bench, await plan(bench, DESIRED));
    expect(next.map(({ kind }) => kind)).toEqual(['done', 'done']);
    await expectConverged(bench, DESIRED);
    expect(await inners()).toEqual([theirs]);
  });

  it.each([
    ['after', 5],
    ['before it knew that', 4],
  ])('counts as not begun once it is deleted, if the run was killed %s', async (_when, lines) => {
    const { entries, planned } = await applyTogether(() => ({ kind: 'pass' }));
    const steps = planned.steps.map((step) => journalStep(step, planned, 'auto'));
    const head = { kind: 'run', purpose: 'apply', plan: 'digest', service: bench.emulator.baseUrl, steps };
    const texts = [head, ...entries.slice(0, lines)].map((entry) =>
      JSON.stringify({ at: 1, run: 'a', ...entry }),
    );
    const folder = await mkdtemp(join(tmpdir(), 'rulewright-remove-duplicate-'));
    try {
      const path = join(folder, 'journal.jsonl');
      await writeFile(path, texts.join('\n'));
      const run = await readLastRun(path);
      const told = run === null ? null : await describeUnfinished(run, () => bench.client, Infinity);
      expect(told?.steps.map(({ state, landed }) => [state, landed])).toEqual([
        ['not-begun', 0],
        ['not-begun', 0],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is reported together with the other one if it cannot be deleted', async () => {
    const { outcomes, theirs } = await applyTogether(({ method }) =>
      method === 'DELETE'
        ? { kind: 'answer', status: 403, body: '{"success":false,"errors":[{"code":10000,"message":"no"}]}' }
        : { kind: 'pass' },
    );
    const ours = (await inners()).find((id) => id !== theirs) ?? '';
    expect(first(outcomes)).toMatchObject({
      kind: 'conflict',
      writes: 1,
      message: expect.stringContaining(`${theirs}, beside ${ours} of this run`),
      hint: expect.stringContaining(`of ${ours} no rule makes use yet`),
    });
  });

  it('is kept if the list of rulesets cannot be read, and the next plan fails because there are two', async () => {
    const { outcomes } = await applyTogether(({ path }) =>
      path.includes('rulesets?') ? { kind: 'answer', status: 500, body: 'down' } : { kind: 'pass' },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(await inners()).toHaveLength(2);
    await expect(plan(bench, DESIRED)).rejects.toThrow('there are 2');
  });
});

/** Changes the id in the answer to the creation of a ruleset, and in nothing else. */
const answeredWithId =
  (id: string) =>
  ({ method, path }: Passing): Fault =>
    method === 'POST' && path.endsWith('/rulesets')
      ? { kind: 'reanswer', body: (body) => body.replace(/"id":"[0-9a-f]{32}"/, `"id":"${id}"`) }
      : { kind: 'pass' };

describe("the id of somebody else's ruleset in the answer to a creation", () => {
  const OTHER = { name: 'Other', kind: 'custom', phase: PHASE, description: '' } as const;
  const rules = [{ ref: 'theirs', action: 'log', expression: 'ssl' }];

  it.each([
    [
      'a ruleset of another name',
      async () => (await createRuleset(bench.client, scope, { ...OTHER, rules })).id,
    ],
    ['a ruleset that does not exist', () => Promise.resolve('0123456789abcdef0123456789abcdef')],
  ])('deletes nothing: %s', async (_what, makeOther) => {
    const other = await makeOther();
    const before = (await listRulesets(bench.client, scope)).map(({ id }) => id);
    const planned = await plan(bench, DESIRED);
    proxy = await openFaultProxy(bench.emulator.baseUrl, answeredWithId(other));
    const client = clientThrough(bench, proxy);
    const outcomes = await carryOut(bench, planned, { access: { kind: 'write', client } });
    await client.close();
    const [made = ''] = await inners();
    expect(first(outcomes)).toMatchObject({ kind: 'conflict', writes: 1 });
    expect(first(outcomes)).toHaveProperty(
      'message',
      `the service answered the creation with the id ${other}, but that is not what this run made; ${made} has this name. Nothing was deleted`,
    );
    expect((await listRulesets(bench.client, scope)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([...before, made]),
    );
  });

  it('deletes nothing when a failed run is put back', async () => {
    const other = (await createRuleset(bench.client, scope, { ...OTHER, rules })).id;
    const header = { operation: 'set', value: '1' };
    const rewrite = desiredRule({
      ref: 's',
      action: 'rewrite',
      action_parameters: { headers: { 'x-a': header } },
    });
    const desired = zone(
      ['http_request_late_transform', 'http_response_headers_transform'].map((phase) =>
        desiredRuleset([rewrite], { address: { kind: 'entrypoint', phase } }),
      ),
    );
    const planned = await plan(bench, desired);
    let writes = 0;
    proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
      writes += request.method === 'GET' ? 0 : 1;
      return writes === 2 && request.method !== 'GET'
        ? { kind: 'answer', status: 400, body: '{"success":false,"errors":[{"code":20000,"message":"no"}]}' }
        : answeredWithId(other)(request);
    });
    const client = clientThrough(bench, proxy);
    const { rollback } = await carryOutPlan(bench, [planned], {
      client,
      preflight: 'off',
      onFailure: 'rollback',
    });
    await client.close();
    expect(rollback).toMatchObject({
      result: 'partial',
      outcomes: [{ kind: 'failed', message: expect.stringContaining('was not put back') }],
    });
    expect((await listRulesets(bench.client, scope)).map(({ id }) => id)).toContain(other);
  });
});

describe('two rulesets of one name, one of them from a creation whose answer was lost', () => {
  it('both stay, since nobody knows which is whose', async () => {
    const planned = await plan(bench, DESIRED);
    let sent = false;
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path, body }) => {
      if (sent || method !== 'POST' || !path.endsWith('/rulesets')) {
        return { kind: 'pass' };
      }
      sent = true;
      const twin = JSON.parse(body) as Parameters<typeof createRuleset>[2];
      return { kind: 'meanwhile', act: () => createRuleset(bench.client, scope, twin), lost: true };
    });
    const client = clientThrough(bench, proxy);
    const outcomes = await carryOut(bench, planned, { access: { kind: 'write', client } });
    await client.close();
    expect(first(outcomes)).toMatchObject({ kind: 'failed', inDoubt: true });
    expect(first(outcomes)).toHaveProperty(
      'message',
      expect.stringContaining('there are 2 custom rulesets named "Inner"'),
    );
    expect(await inners()).toHaveLength(2);
  });
});

describe('a custom ruleset of the account with the same name', () => {
  // The list of rulesets of a zone shows those of its account too.
  it.each<[answer: string, fault: Fault]>([
    ['comes', { kind: 'pass' }],
    ['is lost', { kind: 'cut-after' }],
  ])('is not taken for the one that is created in the zone, whose answer %s', async (_answer, fault) => {
    const account = { kind: 'account', id: scope.kind === 'zone' ? scope.accountId : '' } as const;
    const shared = { name: INNER.name, kind: 'custom', phase: PHASE, description: '', rules: [] } as const;
    const { id } = await createRuleset(bench.client, account, shared);
    const planned = await plan(bench, DESIRED);
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path }) =>
      method === 'POST' && path.endsWith('/rulesets') ? fault : { kind: 'pass' },
    );
    const client = clientThrough(bench, proxy);
    const outcomes = await carryOut(bench, planned, { access: { kind: 'write', client } });
    await client.close();
    expect(outcomes).toMatchObject([
      { kind: 'done', writes: 1 },
      { kind: 'done', writes: 1 },
    ]);
    const both = await inners();
    expect(both).toHaveLength(2);
    expect(both).toContain(id);
    await expectConverged(bench, DESIRED);
  });
});
