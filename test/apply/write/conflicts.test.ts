import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import { openWriteClient } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/network/clock.ts';
import {
  addRule,
  deleteRule,
  deleteRuleset,
  deleteRulesetVersion,
  updateRule,
} from '../../api/ruleset-writes.ts';
import type { Journal } from '../../../src/apply/journal/journal-entry.ts';
import { RulewrightError } from '../../../src/model/error.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { outcomesText } from '../../report/printed.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { Fault, FaultProxy } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { ApplyWith, Bench } from '../run-against-service.ts';
import {
  blockHosts,
  carryOut,
  clientThrough,
  converge,
  expectConverged,
  forgetRequests,
  liveRules,
  memoryJournal,
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

const rule = (ref: string, over: Partial<Parameters<typeof desiredRule>[0]> = {}) =>
  desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}.example"`, ...over });
const wanted = (...refs: readonly string[]) => zone([desiredRuleset(refs.map((ref) => rule(ref)))]);

const live = (): Promise<LiveRuleset> => liveRules(bench, scope);

async function idOf(ref: string): Promise<string> {
  return (await live()).rules.find((one) => one.ref === ref)?.id ?? '';
}

const FORBIDDEN: Fault = {
  kind: 'answer',
  status: 403,
  body: '{"success":false,"errors":[],"result":null}',
};

// What somebody else does in the dashboard.
async function strangerAdds(): Promise<void> {
  const { id } = await live();
  await addRule(
    bench.client,
    { scope, rulesetId: id },
    { ref: 'stranger', action: 'log', expression: 'ssl' },
  );
}
async function strangerAddsTwo(): Promise<void> {
  await strangerAdds();
  const { id } = await live();
  await addRule(bench.client, { scope, rulesetId: id }, { ref: 'second', action: 'log', expression: 'ssl' });
}
async function strangerChanges(): Promise<void> {
  const { id } = await live();
  await updateRule(
    bench.client,
    { scope, rulesetId: id, ruleId: await idOf('b') },
    { ref: 'b', action: 'log', expression: 'ssl' },
  );
}
async function strangerDeletes(ref: string): Promise<void> {
  const { id } = await live();
  await deleteRule(bench.client, { scope, rulesetId: id, ruleId: await idOf(ref) });
}

/** Plans, then applies through a proxy with the faults `on` at the first writes. */
async function applyWith(
  on: Fault | readonly Fault[],
  desired = wanted('x', 'a', 'b', 'c', 'y'),
  options: ApplyWith = {},
) {
  const scopePlan = await plan(bench, desired);
  const faults = [on].flat();
  proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) =>
    method === 'GET' ? { kind: 'pass' } : (faults.shift() ?? { kind: 'pass' }),
  );
  const client = openWriteClient({
    baseUrl: proxy.baseUrl,
    credentials: { kind: 'token', token: bench.emulator.token },
    budget: createBudget({ clock: systemClock, limit: Infinity, limitPerSecond: Infinity }),
  });
  try {
    return await carryOut(bench, scopePlan, { ...options, access: { kind: 'write', client } });
  } finally {
    await client.close();
  }
}

describe('a stale plan', () => {
  it('is refused with the live rules that were added, removed, changed and moved', async () => {
    const scopePlan = await plan(bench, wanted('a', 'b', 'c', 'd'));
    const base = await live();
    await strangerAdds();
    await strangerChanges();
    await strangerDeletes('c');
    await updateRule(bench.client, { scope, rulesetId: base.id, ruleId: await idOf('stranger') }, null, {
      before: '',
    });
    await updateRule(bench.client, { scope, rulesetId: base.id, ruleId: await idOf('b') }, null, {
      before: await idOf('a'),
    });
    const [outcome] = await carryOut(bench, scopePlan);
    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'apply/stale',
      difference: {
        from: base.version,
        added: [{ ref: 'stranger' }],
        removed: [{ ref: 'c' }],
        changed: [
          { ref: 'b', fields: [{ path: '/action', before: 'block', after: 'log' }, { path: '/expression' }] },
        ],
        moved: [{ ref: expect.stringMatching(/^[ab]$/) }],
        complete: true,
      },
    });
    const text = outcomesText(
      {
        outcomes: outcome === undefined ? [] : [outcome],
        dryRun: false,
      },
      LOOK,
    );
    for (const part of ['+ stranger  added live', '- c  removed live', '~ b  changed live', 'block → log']) {
      expect(text).toContain(part);
    }
    await converge(bench, wanted('a', 'b', 'c', 'd'));
    await expectConverged(bench, wanted('a', 'b', 'c', 'd'));
  });

  it('is refused with an incomplete difference if the version of its base is gone', async () => {
    const scopePlan = await plan(bench, wanted('a', 'd'));
    const base = await live();
    await strangerAdds();
    await deleteRulesetVersion(bench.client, scope, base.id, base.version);
    const [outcome] = await carryOut(bench, scopePlan);
    expect(outcome).toMatchObject({
      kind: 'refused',
      difference: { added: [{ ref: 'stranger' }], removed: [], complete: false },
    });
  });

  it('is not refused but skipped if live already matches the step', async () => {
    const desired = wanted('a', 'd');
    const scopePlan = await plan(bench, desired);
    await carryOut(bench, scopePlan);
    await forgetRequests(bench);
    expect(await carryOut(bench, scopePlan)).toEqual([
      {
        kind: 'skipped',
        step: `zone:shop.example/${PHASE}`,
        reason: 'live already matches this step',
      },
    ]);
    expect((await requests(bench)).filter(({ wrote }) => wrote)).toEqual([]);
    await expectConverged(bench, desired);
  });
});

describe('a step whose ruleset somebody else writes to between its read and its write', () => {
  it.each([
    ['first', []],
    ['last', [{ kind: 'pass' }]],
  ] as const)('reports whether all its writes landed: at the %s of two', async (which, before) => {
    const [outcome] = await applyWith(
      [...before, { kind: 'meanwhile', act: strangerAdds }],
      wanted('x', 'a', 'b', 'c', 'y'),
      { strategy: 'rules' },
    );
    expect(outcome).toMatchObject({ kind: 'conflict', writes: before.length + 1 });
    expect('allLanded' in (outcome ?? {})).toBe(which === 'last');
  });

  it('reports what the other changed and what its own write undid of that, and brings it back', async () => {
    const [outcome] = await applyWith({
      kind: 'meanwhile',
      act: async () => {
        await strangerAdds();
        await strangerChanges();
      },
    });
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      allLanded: true,
      message: expect.stringMatching(/this write undid a part of it: stranger; brought back: stranger$/),
      hint: 'plan again to go on from what is live now',
      broughtBack: [{ id: await idOf('stranger'), ref: 'stranger' }],
      others: [
        { difference: { added: [{ ref: 'stranger' }] }, lost: [{ ref: 'stranger' }] },
        // Rule b keeps the edit, because the list has it by its id alone.
        { difference: { changed: [{ ref: 'b' }] }, lost: [] },
      ],
    });
    const { rules } = await live();
    expect(rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'stranger', 'y']);
    expect(rules[2]?.content.action).toBe('log');
    expect(rules[4]?.content).toMatchObject({ action: 'log', expression: 'ssl' });
    const text = outcomesText(
      {
        outcomes: outcome === undefined ? [] : [outcome],
        dryRun: false,
      },
      LOOK,
    );
    expect(text).toContain('undone by this write: stranger');
    expect(text).toContain('brought back: stranger');
  });

  it('brings several rules back in their order, also at the top', async () => {
    const adds = async (ref: string, position: { readonly before: string } | { readonly after: string }) =>
      addRule(
        bench.client,
        { scope, rulesetId: (await live()).id },
        { ref, action: 'log', expression: 'ssl' },
        position,
      );
    const [outcome] = await applyWith({
      kind: 'meanwhile',
      act: async () => {
        await adds('top', { before: '' });
        await adds('first', { after: await idOf('b') });
        await adds('second', { after: await idOf('first') });
      },
    });
    expect(outcome).toMatchObject({
      kind: 'conflict',
      broughtBack: [{ ref: 'top' }, { ref: 'first' }, { ref: 'second' }],
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual([
      'top',
      'x',
      'a',
      'b',
      'first',
      'second',
      'c',
      'y',
    ]);
  });

  it('brings a rule back even if somebody else writes again before that', async () => {
    const [outcome] = await applyWith([
      { kind: 'meanwhile', act: strangerAdds },
      { kind: 'meanwhile', act: strangerChanges },
    ]);
    expect(outcome).toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/; brought back: stranger$/),
      broughtBack: [{ id: await idOf('stranger'), ref: 'stranger' }],
      others: [
        { difference: { added: [{ ref: 'stranger' }] } },
        { difference: { changed: [{ ref: 'b' }] }, lost: [] },
      ],
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'stranger', 'y']);
  });

  it('does not bring back a rule that was deleted again before its own write', async () => {
    const [outcome] = await applyWith({
      kind: 'meanwhile',
      act: async () => {
        await strangerAdds();
        await strangerDeletes('stranger');
      },
    });
    expect(outcome).toMatchObject({ kind: 'conflict', writes: 1 });
    expect(outcome).not.toHaveProperty('broughtBack');
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'y']);
  });

  it('hints at rollback if the service refuses to take a rule back', async () => {
    const refusal = {
      kind: 'answer',
      status: 403,
      body: JSON.stringify({
        success: false,
        errors: [{ code: 10000, message: 'not now' }],
        messages: [],
        result: null,
      }),
    } as const;
    const [outcome] = await applyWith([{ kind: 'meanwhile', act: strangerAdds }, refusal]);
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      message: expect.stringMatching(/; could not be brought back: stranger, since .*not now/s),
      hint: expect.stringMatching(
        /^to bring back what was lost: rulewright rollback zone:shop\.example http_request_firewall_custom --to \d+ --whole-ruleset;/,
      ),
      broughtBack: [],
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'y']);
  });

  it('reports which rules it brought back and which it could not', async () => {
    const [outcome] = await applyWith([
      { kind: 'meanwhile', act: strangerAddsTwo },
      { kind: 'pass' },
      FORBIDDEN,
    ]);
    expect(outcome).toMatchObject({
      message: expect.stringMatching(/; brought back: stranger; could not be brought back: second, since /),
      broughtBack: [{ id: await idOf('stranger'), ref: 'stranger' }],
    });
  });

  it('brings a rule back even if it could not bring back the one before it', async () => {
    const [outcome] = await applyWith([{ kind: 'meanwhile', act: strangerAddsTwo }, FORBIDDEN]);
    expect(outcome).toMatchObject({
      message: expect.stringMatching(/; brought back: second; could not be brought back: stranger, since /),
      hint: expect.stringMatching(/^to bring back what was lost: /),
      broughtBack: [{ id: await idOf('second'), ref: 'second' }],
    });
  });

  it('brings back a rule without a ref as one that no ownership takes for ours', async () => {
    const named = { ...desiredRuleset([rule('x'), rule('a'), rule('b'), rule('c'), rule('y')]) };
    const desired = zone([{ ...named, ownership: { kind: 'patterns', patterns: ['*'] } }]);
    const act = async (): Promise<void> => {
      const { id } = await live();
      await addRule(bench.client, { scope, rulesetId: id }, { action: 'log', expression: 'ssl' });
    };
    const [outcome] = await applyWith({ kind: 'meanwhile', act }, desired);
    const back = (await live()).rules.find(({ content }) => content.action === 'log');
    // Its ref is the id that it had before, by which other tools know it.
    expect(outcome).toMatchObject({ kind: 'conflict', broughtBack: [{ id: back?.id, ref: back?.ref }] });
    expect(back?.ref).not.toBe(back?.id);
    await expectConverged(bench, desired);
  });

  it('reports a rule as brought back if somebody else adds it again first', async () => {
    const [outcome] = await applyWith([
      { kind: 'meanwhile', act: strangerAdds },
      { kind: 'meanwhile', act: strangerAdds },
    ]);
    expect(outcome).toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/; brought back: stranger$/),
      broughtBack: [{ id: await idOf('stranger'), ref: 'stranger' }],
    });
  });

  it('does not bring back a rule that somebody else has added again and deleted since', async () => {
    const scopePlan = await plan(bench, wanted('x', 'a', 'b', 'c', 'y'));
    let isSent = false;
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) => {
      if (method === 'GET' || isSent) {
        return { kind: 'pass' };
      }
      isSent = true;
      return { kind: 'meanwhile', act: strangerAdds, lost: true };
    });
    const client = clientThrough(bench, proxy);
    let isRead = false;
    const reader = {
      ...client,
      get: async (path: string, options?: object) => {
        if (isSent && !isRead) {
          isRead = true;
          await strangerDeletes('a');
          await strangerAdds();
          await strangerDeletes('stranger');
        }
        return client.get(path, options);
      },
    };
    const [outcome] = await carryOut(bench, scopePlan, { access: { kind: 'write', client: reader } });
    await client.close();
    expect(outcome).toMatchObject({
      kind: 'conflict',
      others: [{ lost: [{ ref: 'stranger' }] }, {}, {}, {}],
    });
    expect(outcome).not.toHaveProperty('broughtBack');
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'b', 'c', 'y']);
  });

  it('brings a rule back even if the run is interrupted meanwhile', async () => {
    const scopePlan = await plan(bench, wanted('x', 'a', 'b', 'c', 'y'));
    const interruption = new AbortController();
    let isSent = false;
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) => {
      if (isSent) {
        interruption.abort();
      }
      if (method === 'GET') {
        return { kind: 'pass' };
      }
      const fault: Fault = isSent ? { kind: 'pass' } : { kind: 'meanwhile', act: strangerAdds };
      isSent = true;
      return fault;
    });
    const client = clientThrough(bench, proxy, interruption.signal);
    const [outcome] = await carryOut(bench, scopePlan, { access: { kind: 'write', client } });
    await client.close();
    expect(interruption.signal.aborted).toBe(true);
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      message: expect.stringMatching(/; brought back: stranger$/),
    });
  });

  it('does not bring back a rule that may have been deleted in the version before its own, which cannot be read', async () => {
    const scopePlan = await plan(bench, wanted('x', 'a', 'b', 'c', 'y'));
    const gone = `/versions/${BigInt((await live()).version) + 2n}`;
    let isSent = false;
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, path }) => {
      if (path.endsWith(gone)) {
        const errors = [{ code: 10000, message: 'gone' }];
        const body = JSON.stringify({ success: false, errors, messages: [], result: null });
        return { kind: 'answer', status: 404, body };
      }
      if (method === 'GET' || isSent) {
        return { kind: 'pass' };
      }
      isSent = true;
      const act = async (): Promise<void> => {
        await strangerAdds();
        await strangerDeletes('stranger');
      };
      return { kind: 'meanwhile', act };
    });
    const client = clientThrough(bench, proxy);
    const [outcome] = await carryOut(bench, scopePlan, { access: { kind: 'write', client } });
    await client.close();
    expect(outcome).toMatchObject({ kind: 'conflict', writes: 1, unread: [{}] });
    expect(outcome).not.toHaveProperty('broughtBack');
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'y']);
  });

  it('brings back the edit of a rule that it sent whole', async () => {
    const [outcome] = await applyWith({ kind: 'meanwhile', act: strangerChanges }, undefined, {
      untouched: 'whole',
    });
    const id = await idOf('b');
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      others: [{ lost: [{ ref: 'b' }] }],
      broughtBack: [{ id, ref: 'b' }],
    });
    expect((await live()).rules.find((one) => one.id === id)?.content).toMatchObject({
      action: 'log',
      expression: 'ssl',
    });
  });

  it('brings a rule back once if another run of the same plan undid it too', async () => {
    const scopePlan = await plan(bench, wanted('x', 'a', 'b', 'c', 'y'));
    const through = async (act: () => Promise<unknown>): Promise<Outcome | undefined> => {
      const faults: Fault[] = [{ kind: 'meanwhile', act }];
      const between = await openFaultProxy(bench.emulator.baseUrl, ({ method }) =>
        method === 'GET' ? { kind: 'pass' } : (faults.shift() ?? { kind: 'pass' }),
      );
      const client = clientThrough(bench, between);
      const [outcome] = await carryOut(bench, scopePlan, { access: { kind: 'write', client } });
      await client.close();
      await between.close();
      return outcome;
    };
    const outcome = await through(() => through(strangerAdds));
    expect(outcome).toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/; brought back: stranger$/),
      broughtBack: [{ id: await idOf('stranger'), ref: 'stranger' }],
      // The stranger, and the other run that brought the rule back.
      others: [{ lost: [{ ref: 'stranger' }] }, { lost: [{ ref: 'stranger' }] }],
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'stranger', 'y']);
  });

  it('leaves rules as somebody else has left them since, if the answer to its own write is lost', async () => {
    const scopePlan = await plan(bench, wanted('x', 'a', 'b', 'c', 'y'));
    let isSent = false;
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) => {
      if (method === 'GET' || isSent) {
        return { kind: 'pass' };
      }
      isSent = true;
      const act = async (): Promise<void> => {
        await strangerAdds();
        await strangerChanges();
      };
      return { kind: 'meanwhile', act, lost: true };
    });
    const client = clientThrough(bench, proxy);
    let isRead = false;
    const reader = {
      ...client,
      get: async (path: string, options?: object) => {
        if (isSent && !isRead) {
          isRead = true;
          const { id } = await live();
          const since = { action: 'challenge', expression: 'http.host eq "since.example"' };
          await addRule(bench.client, { scope, rulesetId: id }, { ref: 'stranger', ...since });
          const ruleId = await idOf('b');
          await updateRule(bench.client, { scope, rulesetId: id, ruleId }, { ref: 'b', ...since });
        }
        return client.get(path, options);
      },
    };
    const [outcome] = await carryOut(bench, scopePlan, {
      access: { kind: 'write', client: reader },
      untouched: 'whole',
    });
    await client.close();
    expect(outcome).toMatchObject({
      kind: 'conflict',
      others: [{ lost: [{ ref: 'stranger' }] }, { lost: [{ ref: 'b' }] }, { lost: [] }, { lost: [] }],
    });
    expect(outcome).not.toHaveProperty('broughtBack');
    expect((await live()).rules.map(({ ref, content }) => [ref, content.action])).toEqual([
      ['x', 'block'],
      ['a', 'block'],
      ['b', 'challenge'],
      ['c', 'block'],
      ['y', 'block'],
      ['stranger', 'challenge'],
    ]);
  });

  it('does not bring back a rule that somebody else recreated with another id and that the plan deletes', async () => {
    const desired = wanted('x', 'a', 'b', 'y');
    const [outcome] = await applyWith(
      {
        kind: 'meanwhile',
        act: async () => {
          await strangerDeletes('c');
          const { id } = await live();
          await addRule(
            bench.client,
            { scope, rulesetId: id },
            { ref: 'c', action: 'log', expression: 'ssl' },
          );
        },
      },
      desired,
    );
    expect(outcome).toMatchObject({ kind: 'conflict', others: [{ lost: [] }, { lost: [{ ref: 'c' }] }] });
    expect(outcome).not.toHaveProperty('broughtBack');
    await expectConverged(bench, desired);
  });

  it('brings back a rule whose ref another rule had when the plan was made', async () => {
    const act = async (): Promise<void> => {
      const { id } = await live();
      const own = { action: 'block', expression: 'http.host eq "b.example"' };
      await updateRule(
        bench.client,
        { scope, rulesetId: id, ruleId: await idOf('b') },
        { ref: 'renamed', ...own },
      );
      await addRule(bench.client, { scope, rulesetId: id }, { ref: 'b', action: 'log', expression: 'ssl' });
    };
    const [outcome] = await applyWith({ kind: 'meanwhile', act });
    expect(outcome).toMatchObject({ kind: 'conflict', broughtBack: [{ id: await idOf('b'), ref: 'b' }] });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'renamed', 'c', 'b', 'y']);
  });

  it('reports a rule as lost if the journal cannot record bringing it back', async () => {
    const { journal, entries } = memoryJournal();
    const full: Journal = {
      ...journal,
      record: async (entry) => {
        if (entries.length === 2) {
          throw new RulewrightError('the disk is full', { code: 'apply/journal', fault: 'user' });
        }
        await journal.record(entry);
      },
    };
    const [outcome] = await applyWith({ kind: 'meanwhile', act: strangerAdds }, undefined, { journal: full });
    expect(entries.map(({ kind }) => kind)).toEqual(['intent', 'failed']);
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      message: expect.stringMatching(/; could not be brought back: stranger, since the disk is full$/),
      others: [{ lost: [{ ref: 'stranger' }] }],
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'b', 'c', 'y']);
  });

  it('keeps the content of the plan for a rule that both change', async () => {
    const desired = zone([
      desiredRuleset([rule('x'), rule('a'), rule('b', { action: 'managed_challenge' }), rule('c')]),
    ]);
    const [outcome] = await applyWith({ kind: 'meanwhile', act: strangerChanges }, desired);
    expect(outcome).toMatchObject({ kind: 'conflict', others: [{ lost: [{ ref: 'b' }] }] });
    expect(outcome).not.toHaveProperty('broughtBack');
    await expectConverged(bench, desired);
  });

  it('reports nothing as lost if both delete the same rule', async () => {
    const desired = wanted('x', 'a', 'b', 'y');
    const [outcome] = await applyWith({ kind: 'meanwhile', act: () => strangerDeletes('c') }, desired, {
      strategy: 'ruleset',
    });
    expect(outcome).toMatchObject({
      kind: 'conflict',
      others: [{ difference: { removed: [{ ref: 'c' }] }, lost: [] }],
    });
    await expectConverged(bench, desired);
  });

  it('brings back the new ref of a rule that it sent whole', async () => {
    const rename = async (): Promise<void> => {
      const { id } = await live();
      await updateRule(
        bench.client,
        { scope, rulesetId: id, ruleId: await idOf('b') },
        { ref: 'renamed', action: 'block', expression: 'http.host eq "b.example"' },
      );
    };
    const [outcome] = await applyWith({ kind: 'meanwhile', act: rename }, undefined, { untouched: 'whole' });
    expect(outcome).toMatchObject({ kind: 'conflict', broughtBack: [{ ref: 'renamed' }] });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['x', 'a', 'renamed', 'c', 'y']);
  });

  it('reads ten versions of the other back, and reports earlier ones as unread', async () => {
    const { version } = await live();
    const [outcome] = await applyWith({
      kind: 'meanwhile',
      act: async () => {
        await strangerAdds();
        const target = { scope, rulesetId: (await live()).id, ruleId: await idOf('stranger') };
        for (let count = 2; count <= 11; count += 1) {
          await updateRule(bench.client, target, {
            ref: 'stranger',
            action: 'log',
            expression: `ip.src eq 192.0.2.${count}`,
          });
        }
      },
    });
    const after = (count: number): string => String(BigInt(version) + BigInt(count));
    expect(outcome).toMatchObject({
      kind: 'conflict',
      unread: [{ from: after(1), to: after(1) }],
      others: Array.from({ length: 10 }, (_, index) => ({ version: after(index + 2) })),
    });
  });

  it('undoes nothing if it adds a single rule', async () => {
    const [outcome] = await applyWith({ kind: 'meanwhile', act: strangerAdds }, wanted('a', 'b', 'c', 'd'));
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      message: expect.stringContaining('nothing of it was lost'),
      others: [{ difference: { added: [{ ref: 'stranger' }] }, lost: [] }],
    });
    expect((await live()).rules.map(({ ref }) => ref).sort()).toEqual(['a', 'b', 'c', 'd', 'stranger']);
  });

  it('is stale if the service refuses its write because of the other one', async () => {
    const [outcome] = await applyWith({ kind: 'meanwhile', act: () => strangerDeletes('b') });
    expect(outcome).toMatchObject({
      kind: 'refused',
      code: 'apply/stale',
      writes: 0,
      difference: { removed: [{ ref: 'b' }] },
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['a', 'c']);
  });

  it('is done if somebody else has deleted the rule that it deletes', async () => {
    const desired = wanted('a', 'b');
    const outcomes = await applyWith({ kind: 'meanwhile', act: () => strangerDeletes('c') }, desired);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    await expectConverged(bench, desired);
  });

  it('is done if somebody else has deleted the ruleset that it deletes', async () => {
    const inner = desiredRuleset([rule('inner')], {
      address: { kind: 'custom', phase: PHASE, name: 'Gone' },
    });
    await converge(bench, zone([inner]));
    const desired = zone([{ ...inner, presence: 'absent', rules: [] }]);
    const scopePlan = await plan(bench, desired);
    const base = scopePlan.steps[0]?.base;
    const act = () => deleteRuleset(bench.client, scope, base?.kind === 'version' ? base.id : '');
    const outcomes = await applyWith({ kind: 'meanwhile', act }, desired);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    await expectConverged(bench, desired);
  });

  it('tells its own write, whose answer is lost, from a later one of the other', async () => {
    const scopePlan = wanted('a', 'b', 'c', 'd');
    let first = true;
    const planned = await plan(bench, scopePlan);
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) => {
      if (method !== 'GET' && first) {
        first = false;
        return { kind: 'cut-after' };
      }
      return { kind: 'pass' };
    });
    const client = openWriteClient({
      baseUrl: proxy.baseUrl,
      credentials: { kind: 'token', token: bench.emulator.token },
      budget: createBudget({ clock: systemClock }),
    });
    // The stranger writes after our write has landed and before the run looks it up.
    const reader = {
      ...client,
      get: async (path: string, options?: object) => {
        if (!first && (await live()).rules.every(({ ref }) => ref !== 'stranger')) {
          await strangerAdds();
        }
        return client.get(path, options);
      },
    };
    const [outcome] = await carryOut(bench, planned, { access: { kind: 'write', client: reader } });
    await client.close();
    expect(outcome).toMatchObject({
      kind: 'conflict',
      writes: 1,
      others: [{ difference: { added: [{ ref: 'stranger' }] }, lost: [] }],
    });
    expect((await live()).rules.map(({ ref }) => ref)).toEqual(['a', 'b', 'c', 'd', 'stranger']);
  });
});

describe('a request that arrives twice', () => {
  const cached = desiredRuleset(
    [rule('k', { action: 'set_cache_settings', action_parameters: { cache: true } })],
    {
      address: { kind: 'entrypoint', phase: 'http_request_cache_settings' },
    },
  );

  it.each([
    ['of a list', wanted('x', 'a', 'b', 'c', 'y')],
    ['of a new rule', wanted('a', 'b', 'c', 'd')],
    ['of a moved rule', wanted('b', 'c', 'a')],
    ['of a deleted rule', wanted('a', 'b')],
    ['of a new entry point', zone([cached])],
  ])('is done once (%s) and is not taken for a write of somebody else', async (_what, desired) => {
    const outcomes = await applyWith({ kind: 'twice' }, desired);
    expect(outcomes.map((outcome) => [outcome.kind, 'writes' in outcome && outcome.writes])).toEqual([
      ['done', 1],
    ]);
    await expectConverged(bench, desired);
  });
});

describe('a write that the service accepts but carries out differently', () => {
  it('fails the step, which reports what differs and counts the write', async () => {
    const [outcome] = await applyWith(
      { kind: 'reword', body: (text) => text.replace('d.example', 'e.example') },
      wanted('a', 'b', 'c', 'd'),
    );
    const { version } = await live();
    expect(outcome).toEqual({
      kind: 'failed',
      step: `zone:shop.example/${PHASE}`,
      code: 'apply/unexpected-result',
      message: `the service took the write and answered with version ${version}, but rule d differs in /expression`,
      hint: 'plan again to see what is left to do',
      writes: 1,
    });
  });
});

describe('an answer to a write that leaves the rules out', () => {
  it('is no failure, because live is read instead', async () => {
    const desired = wanted('x', 'a', 'b', 'c', 'y');
    const body = (text: string): string => {
      const { result, ...rest }: { result: object } = JSON.parse(text);
      return JSON.stringify({ ...rest, result: { ...result, rules: undefined } });
    };
    const outcomes = await applyWith({ kind: 'reanswer', body }, desired);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done']);
    await expectConverged(bench, desired);
  });
});

const LOOK = { width: 100, colour: false };

describe('a value that the service keeps in its own form', () => {
  const SKIP = rule('s', {
    action: 'skip',
    expression: 'ssl',
    action_parameters: { products: ['waf', 'bic'] },
  });
  const CACHE = 'http_request_cache_settings';
  const cached = desiredRuleset(
    [
      rule('k', {
        action: 'set_cache_settings',
        action_parameters: {
          cache: true,
          cache_key: { custom_key: { query_string: { include: { list: ['a'] } } } },
        },
      }),
    ],
    { address: { kind: 'entrypoint', phase: CACHE } },
  );

  it('is reported as information, fails no step, and does not show as drift', async () => {
    await fetch(`${bench.emulator.controlUrl}/switches`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queryStrings: 'plain' }),
    });
    const desired = zone([desiredRuleset([rule('a'), SKIP]), cached]);
    const outcomes = await carryOut(bench, await plan(bench, desired));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(outcomes).toMatchObject([
      {},
      {
        normalised: [
          { rule: 'k', fields: [{ path: '/action_parameters/cache_key/custom_key/query_string/include' }] },
        ],
      },
    ]);
    expect(outcomesText({ outcomes, dryRun: false }, LOOK)).toContain(
      'k  kept by the service in its own form:',
    );
    await expectConverged(bench, desired);
  });

  it('is not reported if the service sets it in every such rule, as the logging of a skip', async () => {
    const [outcome] = await carryOut(bench, await plan(bench, zone([desiredRuleset([rule('a'), SKIP])])));
    expect((await live()).rules.find(({ ref }) => ref === 's')?.content.logging).toEqual({ enabled: true });
    expect(outcome?.kind).toBe('done');
    expect(outcome).not.toHaveProperty('normalised');
  });

  it('may be an expression in other notation', async () => {
    const desired = wanted('a', 'd');
    const scopePlan = await plan(bench, desired);
    proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method, body }) =>
      method === 'GET' || !body.includes('d.example')
        ? { kind: 'pass' }
        : { kind: 'reword', body: (text) => text.replace('http.host eq \\"d', 'http.host  ==  \\"d') },
    );
    const client = openWriteClient({
      baseUrl: proxy.baseUrl,
      credentials: { kind: 'token', token: bench.emulator.token },
      budget: createBudget({ clock: systemClock }),
    });
    const [outcome] = await carryOut(bench, scopePlan, { access: { kind: 'write', client } });
    await client.close();
    expect(outcome).toMatchObject({
      kind: 'done',
      normalised: [{ rule: 'd', fields: [{ path: '/expression', after: 'http.host  ==  "d.example"' }] }],
    });
    await expectConverged(bench, desired);
  });
});
