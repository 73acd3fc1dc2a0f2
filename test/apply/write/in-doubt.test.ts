import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteClient } from '../../../src/api/client.ts';
import { addRule, deleteRuleset } from '../../api/ruleset-writes.ts';
import { resultKind } from '../../../src/app/run/result-kind.ts';
import type { PlanOutcome } from '../../../src/apply/apply-plan.ts';
import type { JournalEntry } from '../../../src/apply/journal/journal-entry.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { desiredRuleset } from '../../plan/build.ts';
import type { Fault, Passing } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { ApplyPlanWith, Bench } from '../run-against-service.ts';
import { block, entry } from '../blocking.ts';
import {
  carryOutPlan,
  clientThrough,
  converge,
  expectConverged,
  liveRules,
  memoryJournal,
  openBench,
  plan,
  read,
  zone,
} from '../run-against-service.ts';

// What the run knows of each write (landed, not landed or unknown), and what others wrote in between.

const PHASE = 'http_request_firewall_custom';
const STEP = `zone:shop.example/${PHASE}`;

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await converge(bench, zone([entry('a', 'b', 'c')]));
});
afterEach(() => bench.close());

async function live(): Promise<LiveRuleset> {
  const { scope } = await read(bench, zone([]));
  return liveRules(bench, scope);
}

const refs = async (): Promise<readonly string[]> => (await live()).rules.map(({ ref }) => ref);

async function strangerAdds(): Promise<void> {
  const { scope } = await read(bench, zone([]));
  await addRule(
    bench.client,
    { scope, rulesetId: (await live()).id },
    { ref: 'theirs', action: 'log', expression: 'ssl' },
  );
}

async function strangerDeletes(): Promise<void> {
  const { scope } = await read(bench, zone([]));
  await deleteRuleset(bench.client, scope, (await live()).id);
}

const failedBody = (code: number): string =>
  JSON.stringify({ result: null, success: false, errors: [{ code, message: 'no' }], messages: [] });

const answer = (status: number, code: number): Fault => ({ kind: 'answer', status, body: failedBody(code) });

const isWrite = ({ method }: Passing): boolean => method !== 'GET';

interface Ended extends PlanOutcome {
  readonly entries: readonly JournalEntry[];
  readonly kind: ReturnType<typeof resultKind>;
}

interface Options extends Pick<ApplyPlanWith, 'onFailure' | 'strategy' | 'signal'> {
  /** The scope of the rulesets; the zone shop.example by default. */
  readonly of?: DesiredScope['scope'];
  /** Wraps the client of the apply. */
  readonly through?: (client: WriteClient) => WriteClient;
}

/** Applies through a proxy that treats each request as `decide` says. */
async function applied(
  wanted: readonly DesiredRuleset[],
  decide: (request: Passing, write: number) => Fault | undefined,
  { of = { kind: 'zone', name: 'shop.example' }, through = (client) => client, ...options }: Options = {},
): Promise<Ended> {
  const scope = await plan(bench, zone(wanted, { scope: of }));
  let count = 0;
  const proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
    count += isWrite(request) ? 1 : 0;
    return decide(request, count) ?? { kind: 'pass' };
  });
  const client = clientThrough(bench, proxy, options.signal);
  const { journal, entries } = memoryJournal();
  try {
    const ended = await carryOutPlan(bench, [scope], {
      ...options,
      client: through(client),
      journal,
      preflight: 'off',
    });
    return { ...ended, entries, kind: resultKind(ended) };
  } finally {
    await client.close();
    await proxy.close();
  }
}

/** A client whose first read after the first write waits until `act` is done. */
const acting =
  (act: () => Promise<void>) =>
  (client: WriteClient): WriteClient => {
    let state: 'before' | 'written' | 'done' = 'before';
    return {
      ...client,
      send: (request) => {
        state = state === 'before' ? 'written' : state;
        return client.send(request);
      },
      get: async (path, options) => {
        if (state === 'written') {
          state = 'done';
          await act();
        }
        return client.get(path, options);
      },
    };
  };

/** A client whose first reads after the first write return what was read before that write. */
const lagging =
  (reads: number) =>
  (client: WriteClient): WriteClient => {
    const known = new Map<string, ReturnType<WriteClient['get']>>();
    let left = 0;
    let written = false;
    return {
      ...client,
      send: (request) => {
        left = written ? left : reads;
        written = true;
        return client.send(request);
      },
      get: (path, options) => {
        const earlier = known.get(path);
        if (earlier !== undefined && left > 0) {
          left -= 1;
          return earlier;
        }
        const read = client.get(path, options);
        known.set(path, read);
        return read;
      },
    };
  };

const lostWrites = (request: Passing): Fault | undefined =>
  isWrite(request) ? { kind: 'cut-before' } : undefined;

describe('a write whose effect the answer does not tell', () => {
  it('is in doubt if live does not show it after all attempts', async () => {
    const { outcomes, entries, kind } = await applied([entry('a', 'b', 'c', 'd')], lostWrites);
    expect(outcomes).toEqual([
      {
        kind: 'failed',
        step: STEP,
        code: 'api/connection-lost',
        message: expect.stringMatching(/not known\. Live does not show it, but it may still land\.$/),
        hint: 'wait a minute, then plan again: the plan shows whether it landed',
        writes: 0,
        inDoubt: true,
      },
    ]);
    expect(kind).toBe('partial');
    expect(entries.at(-1)).toMatchObject({ kind: 'failed', landed: false, inDoubt: true });
  });

  it('is in doubt if live cannot be read to find out, although the service said that it failed', async () => {
    const { outcomes, kind } = await applied([entry('a', 'b', 'c', 'd')], (request, write) =>
      isWrite(request) ? answer(500, 1000) : write === 1 ? answer(403, 10000) : undefined,
    );
    expect(outcomes).toMatchObject([
      {
        kind: 'failed',
        inDoubt: true,
        message: expect.stringContaining('Live could not be read to find out'),
      },
    ]);
    expect(kind).toBe('partial');
  });

  it('is not in doubt if the service says that it failed and live is as it was', async () => {
    const { outcomes, kind } = await applied([entry('a', 'b', 'c', 'd')], (request) =>
      isWrite(request) ? answer(500, 1000) : undefined,
    );
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'api/server-error', writes: 0 }]);
    expect(outcomes[0]).not.toHaveProperty('inDoubt');
    expect(kind).toBe('failed');
  });

  // The first write takes effect although the service says that it failed.
  it.each([
    ['a rule is added', entry('a', 'b', 'c', 'd')],
    ['a rule is deleted', entry('a', 'b')],
    ['rules are changed', entry('x', 'a', 'b', 'c', 'y')],
  ])(
    'is done although the service says that it failed, and the next reads lag behind: %s',
    async (_what, wanted) => {
      const failedAfter: Fault = { kind: 'answer-after', status: 500, body: failedBody(1000) };
      for (const reads of [1, 2]) {
        const { outcomes } = await applied(
          [wanted],
          (request, write) => (isWrite(request) && write === 1 ? failedAfter : undefined),
          { through: lagging(reads) },
        );
        expect(outcomes).toMatchObject([{ kind: 'done', writes: 1 }]);
        await converge(bench, zone([entry('a', 'b', 'c')]));
      }
    },
  );

  // The first write takes effect, the second is refused because of that, and live still does not show it.
  it.each([
    ['a rule is added', entry('a', 'b', 'c', 'd')],
    ['a rule is deleted', entry('a', 'b')],
  ])(
    'is in doubt if the service says that it failed, then refuses it, and reads lag behind: %s',
    async (_what, wanted) => {
      const failedAfter: Fault = { kind: 'answer-after', status: 500, body: failedBody(1000) };
      const { outcomes, kind } = await applied(
        [wanted],
        (request, write) => (isWrite(request) && write === 1 ? failedAfter : undefined),
        { through: lagging(3) },
      );
      expect(outcomes).toMatchObject([
        { kind: 'failed', code: 'api/server-error', writes: 0, inDoubt: true },
      ]);
      expect(kind).toBe('partial');
      await expectConverged(bench, zone([wanted]));
    },
  );

  it('stays in doubt if it is refused when it is sent again', async () => {
    const { outcomes } = await applied([entry('a', 'b', 'c', 'd')], (request, write) =>
      isWrite(request) ? (write === 1 ? { kind: 'cut-before' } : answer(400, 20000)) : undefined,
    );
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'api/connection-lost', inDoubt: true }]);
  });

  it('stays in doubt if the run is interrupted before it is sent again', async () => {
    const stop = new AbortController();
    const interrupted = (request: Passing): Fault | undefined => {
      if (isWrite(request)) {
        stop.abort();
      }
      return lostWrites(request);
    };
    const { outcomes } = await applied([entry('a', 'b', 'c', 'd')], interrupted, { signal: stop.signal });
    expect(outcomes).toMatchObject([{ kind: 'failed', inDoubt: true }]);
  });

  it('is reported with the rule of somebody else that it would undo if it still lands', async () => {
    const { outcomes, kind } = await applied([entry('x', 'a', 'b', 'c', 'y')], lostWrites, {
      through: acting(strangerAdds),
    });
    expect(outcomes).toMatchObject([
      {
        kind: 'conflict',
        writes: 0,
        inDoubt: true,
        message: expect.stringMatching(
          /it may still land\. Meanwhile somebody else wrote version \d+; if it still lands, it undoes a part of that: theirs$/,
        ),
        others: [{ lost: [], atRisk: [{ ref: 'theirs' }] }],
      },
    ]);
    expect(kind).toBe('partial');
  });

  it('puts no rule of others at risk if it adds a single rule', async () => {
    const { outcomes } = await applied([entry('a', 'b', 'c', 'd')], lostWrites, {
      through: acting(strangerAdds),
    });
    expect(outcomes).toMatchObject([{ kind: 'conflict', inDoubt: true, others: [{ lost: [], atRisk: [] }] }]);
  });

  // The service accepts several custom rulesets of the same name.
  it.each<[who: string, fault: Fault, sent: number, doubt: object]>([
    ['nobody says what became of it', { kind: 'cut-before' }, 1, { inDoubt: true }],
    ['a gateway says that it lost it', { kind: 'answer', status: 502, body: '<html>' }, 1, { inDoubt: true }],
    ['the service says that it failed', answer(500, 1000), 3, {}],
  ])('creates no second custom ruleset where %s', async (_who, fault, sent, doubt) => {
    const custom = desiredRuleset([block('in')], {
      address: { kind: 'custom', phase: PHASE, name: 'Inner' },
    });
    let writes = 0;
    const { outcomes } = await applied([custom], (request, write) => {
      writes = write;
      return isWrite(request) ? fault : undefined;
    });
    expect(writes).toBe(sent);
    expect(outcomes).toMatchObject([{ kind: 'failed', writes: 0, ...doubt }]);
  });

  it('is found if it created a custom ruleset of an account', async () => {
    const custom = desiredRuleset([block('in')], {
      address: { kind: 'custom', phase: PHASE, name: 'Inner' },
    });
    const { outcomes } = await applied(
      [custom],
      (request) => (isWrite(request) ? { kind: 'cut-after' } : undefined),
      { of: { kind: 'account', name: 'Example Shop' } },
    );
    expect(outcomes).toMatchObject([{ kind: 'done', writes: 1 }]);
  });

  it('is stale and no longer in doubt if its ruleset has been deleted', async () => {
    const { outcomes, kind } = await applied([entry('a', 'b', 'c', 'd')], lostWrites, {
      through: acting(strangerDeletes),
    });
    expect(outcomes).toMatchObject([{ kind: 'refused', code: 'apply/stale', difference: { to: null } }]);
    expect(kind).toBe('refused');
  });
});

describe('the deletion of a rule that the service answers without a result', () => {
  const nothing: Fault = {
    kind: 'reanswer',
    body: () => '{"result":null,"success":true,"errors":[],"messages":[]}',
  };
  const emptied = (request: Passing): Fault | undefined => (isWrite(request) ? nothing : undefined);

  it('is looked up and is done', async () => {
    const { outcomes } = await applied([entry('a', 'b')], emptied);
    expect(outcomes).toMatchObject([{ kind: 'done', writes: 1 }]);
    await expectConverged(bench, zone([entry('a', 'b')]));
  });

  it('is a conflict if the whole ruleset has been deleted by then', async () => {
    const { outcomes, kind } = await applied([entry('a', 'b')], emptied, {
      through: acting(strangerDeletes),
    });
    expect(outcomes).toEqual([
      {
        kind: 'conflict',
        step: STEP,
        message: 'the ruleset is gone: somebody deleted it',
        hint: expect.stringMatching(/plan again/),
        writes: 1,
        others: [],
      },
    ]);
    expect(kind).toBe('partial');
  });
});

describe('a version between read and write that cannot be read', () => {
  const unreadable = [
    ['refused', answer(403, 10000)],
    ['deleted', answer(404, 20003)],
    ['broken', { kind: 'truncate' }],
  ] as const;

  it.each(unreadable)('is reported, not taken for one without a change (%s)', async (_how, fault) => {
    const before = await live();
    const { outcomes } = await applied([entry('x', 'a', 'b', 'c', 'y')], (request, write) =>
      isWrite(request)
        ? { kind: 'meanwhile', act: strangerAdds }
        : write === 1 && request.path.includes('/versions/')
          ? fault
          : undefined,
    );
    const version = String(Number(before.version) + 1);
    expect(outcomes).toEqual([
      {
        kind: 'conflict',
        step: STEP,
        message: `version ${version} cannot be read: what somebody else wrote there, and whether this write undid it, is not known`,
        hint: `rulewright versions zone:shop.example ${PHASE} --show ${version} shows it if it is still kept; compare it with live, then plan again`,
        writes: 1,
        others: [],
        unread: [{ from: version, to: version }],
      },
    ]);
    expect(await refs()).not.toContain('theirs');
  });

  it('is not taken for the first arrival of a write that arrived twice', async () => {
    const { outcomes } = await applied([entry('x', 'a', 'b', 'c', 'y')], (request) =>
      isWrite(request)
        ? { kind: 'twice' }
        : request.path.includes('/versions/')
          ? answer(403, 10000)
          : undefined,
    );
    expect(outcomes).toMatchObject([{ kind: 'conflict', writes: 1, others: [], unread: [{}] }]);
  });
});

describe('a rollback after a failed write', () => {
  it('does not report "as-before" if the write is in doubt, and says what to do', async () => {
    const { rollback, kind } = await applied([entry('a', 'b', 'c', 'd')], lostWrites, {
      onFailure: 'rollback',
    });
    expect(rollback).toEqual({
      result: 'partial',
      outcomes: [
        {
          kind: 'failed',
          step: STEP,
          code: 'apply/in-doubt',
          message: 'is as it was before, but no answer came to a write of this run, which may still land',
          hint: 'wait a minute, then plan again: the plan shows whether it landed',
          writes: 0,
          inDoubt: true,
        },
      ],
      notes: [],
    });
    expect(kind).toBe('partial');
  });

  it('undoes what landed, and reports that a write in doubt may still land', async () => {
    const then = await refs();
    const { rollback } = await applied(
      [entry('x', 'a', 'b', 'c', 'y')],
      (request, write) => (isWrite(request) && write >= 2 && write <= 4 ? { kind: 'cut-before' } : undefined),
      { onFailure: 'rollback', strategy: 'rules' },
    );
    expect(rollback).toMatchObject({
      result: 'partial',
      outcomes: [{ kind: 'failed', code: 'apply/in-doubt', writes: 1, inDoubt: true }],
    });
    expect(rollback?.outcomes).toMatchObject([
      { message: expect.stringMatching(/^was put back to version/) },
    ]);
    expect(await refs()).toEqual(then);
    await expectConverged(bench, zone([entry('a', 'b', 'c')]));
  });

  it('reports the rule of somebody else that a write in doubt puts at risk', async () => {
    // The write is delayed, its look-up fails, somebody else writes, and then the write lands after all.
    let reads = 0;
    const { rollback } = await applied(
      [entry('x', 'a', 'b', 'c', 'y')],
      (request, write) => {
        if (isWrite(request)) {
          return { kind: 'late' };
        }
        reads += write;
        return reads === 1 ? answer(403, 10000) : undefined;
      },
      { onFailure: 'rollback', through: acting(strangerAdds) },
    );
    const { version } = await live();
    expect(rollback?.outcomes).toMatchObject([
      { kind: 'conflict', inDoubt: true, others: [{ lost: [], atRisk: [{ ref: 'theirs' }] }] },
    ]);
    expect(Number(version)).toBeGreaterThan(1);
    expect(await refs()).toEqual(['x', 'a', 'b', 'c', 'y']);
  });

  it('reports "as-before" if the service refused the write', async () => {
    const { rollback } = await applied(
      [entry('a', 'b', 'c', 'd')],
      (request) => (isWrite(request) ? answer(400, 20000) : undefined),
      { onFailure: 'rollback' },
    );
    expect(rollback).toEqual({ result: 'as-before', outcomes: [], notes: [] });
  });
});
