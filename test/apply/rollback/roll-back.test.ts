import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRule, deleteRule, deleteRuleset, updateEntrypoint } from '../../api/ruleset-writes.ts';
import type { PlanOutcome } from '../../../src/apply/apply-plan.ts';
import type { JournalEntry } from '../../../src/apply/journal/journal-entry.ts';
import { RulewrightError } from '../../../src/model/error.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import { contentToWire } from '../../../src/model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../../src/model/ruleset.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { Fault, Passing } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { Bench } from '../run-against-service.ts';
import { block, entry, limits } from '../blocking.ts';
import {
  carryOutPlan,
  clientThrough,
  converge,
  memoryJournal,
  openBench,
  plan,
  read,
  zone,
} from '../run-against-service.ts';

const CUSTOM = 'http_request_firewall_custom';
const STEP = `zone:shop.example/${CUSTOM}`;

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const inner = (refs: readonly string[], over: Partial<DesiredRuleset> = {}) =>
  desiredRuleset(
    refs.map((ref) => block(ref)),
    { address: { kind: 'custom', phase: CUSTOM, name: 'Inner' }, ...over },
  );
const run = block('run', { action: 'execute', action_parameters: { id: 'custom:inner' } });

/** A skip rule for the first rule of a ruleset, which it names by its id. */
const exempting = (ruleset: LiveRuleset | undefined) =>
  desiredRuleset(
    [
      desiredRule({
        ref: 'exception',
        action: 'skip',
        expression: 'ip.src eq 192.0.2.7',
        action_parameters: { rules: { [ruleset?.id ?? '']: [ruleset?.rules[0]?.id ?? ''] } },
      }),
    ],
    { address: { kind: 'entrypoint', phase: 'http_request_firewall_managed' } },
  );

async function live(rulesets: readonly DesiredRuleset[]): Promise<readonly LiveRuleset[]> {
  const { entries } = await read(bench, zone(rulesets));
  return entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : []));
}

/** Rulesets and their rules in order, with their ids and content. */
const saying = (rulesets: readonly LiveRuleset[]) =>
  rulesets.map(({ id, name, description, rules }) => ({
    id,
    name,
    description,
    rules: rules.map((rule) => ({ id: rule.id, ref: rule.ref, ...contentToWire(rule.content) })),
  }));

const REFUSED: Fault = {
  kind: 'answer',
  status: 400,
  body: JSON.stringify({
    result: null,
    success: false,
    errors: [{ code: 20000, message: 'no' }],
    messages: [],
  }),
};

const writes = ({ method, path }: Passing): boolean => method !== 'GET' && !path.includes('dry_run');

interface Ended extends PlanOutcome {
  readonly entries: readonly JournalEntry[];
}

const SHARD = { index: 1, count: 2, run: 'e'.repeat(64) };

/** Applies with `--on-failure rollback` through a proxy that treats the writes as `decide` says, by their number, and passes all else. */
async function applied(
  wanted: readonly DesiredRuleset[],
  decide: (request: Passing, write: number) => Fault | undefined,
  strategy: WriteStrategy = 'auto',
): Promise<Ended> {
  const scope = await plan(bench, zone(wanted));
  let count = 0;
  const proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
    count += writes(request) ? 1 : 0;
    return (writes(request) ? decide(request, count) : undefined) ?? { kind: 'pass' };
  });
  const client = clientThrough(bench, proxy);
  const { journal, entries } = memoryJournal();
  try {
    const how = { strategy, preflight: 'off', onFailure: 'rollback', shard: SHARD } as const;
    return { ...(await carryOutPlan(bench, [scope], { client, journal, ...how })), entries };
  } finally {
    await client.close();
    await proxy.close();
  }
}

/** A promise and the function that resolves it. */
function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

const refuseThe = (number: number) => (_request: Passing, write: number) =>
  write === number ? REFUSED : undefined;

describe('--on-failure rollback', () => {
  it('restores the base of every ruleset that was written, with its ids', async () => {
    const before = [entry('a', 'b', 'c'), limits(10)];
    await converge(bench, zone(before));
    const then = saying(await live(before));
    const { outcomes, rollback } = await applied([entry('c', 'n', 'b', 'a'), limits(20)], refuseThe(2));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', 'failed']);
    expect(rollback?.result).toBe('as-before');
    expect(rollback?.outcomes).toMatchObject([{ kind: 'done', writes: 1 }]);
    expect(saying(await live(before))).toEqual(then);
  });

  it('undoes a step that failed half-way through its single writes', async () => {
    const before = [entry('a', 'b', 'c', 'd')];
    await converge(bench, zone(before));
    const then = saying(await live(before));
    const { outcomes, rollback } = await applied(
      [entry('d', 'c', 'x', 'a', 'b', 'y')],
      refuseThe(3),
      'rules',
    );
    expect(outcomes).toMatchObject([{ kind: 'failed', writes: 2 }]);
    expect(rollback).toMatchObject({ result: 'as-before', notes: [] });
    expect(saying(await live(before))).toEqual(then);
  });

  it('also restores a scope whose steps succeed after another scope has failed', async () => {
    const blog = (...rules: readonly DesiredRuleset[]) =>
      zone(rules, { scope: { kind: 'zone', name: 'blog.example' } });
    const limit = async () => {
      const { entries } = await read(bench, blog(limits(0)));
      return saying(entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : [])));
    };
    await converge(bench, zone([entry('a')]));
    await converge(bench, blog(limits(10)));
    const before = await limit();
    const plans = [await plan(bench, zone([entry('a', 'n')])), await plan(bench, blog(limits(20)))];
    const { promise: failed, resolve: fail } = deferred();
    const shop = plans[0]?.scope.id ?? '';
    const proxy = await openFaultProxy(bench.emulator.baseUrl, (request) =>
      !writes(request)
        ? { kind: 'pass' }
        : request.path.includes(shop)
          ? REFUSED
          : { kind: 'meanwhile', act: () => failed },
    );
    const client = clientThrough(bench, proxy);
    try {
      const { outcomes, rollback } = await carryOutPlan(bench, plans, {
        client,
        preflight: 'off',
        onFailure: 'rollback',
        report: (event) => {
          if (event.kind === 'step-ended' && event.outcome.kind === 'failed') {
            fail();
          }
        },
      });
      expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'done']);
      expect(rollback).toMatchObject({ result: 'as-before', outcomes: [{ kind: 'done' }] });
      expect(await limit()).toEqual(before);
    } finally {
      await client.close();
      await proxy.close();
    }
  });

  it('restores a deleted rule with its ref, reports that its id is new, and updates the exception that names it', async () => {
    await converge(bench, zone([inner(['a', 'b'])]));
    const [made] = await live([inner([])]);
    const exception = exempting(made);
    await converge(bench, zone([exception, limits(10)]));
    const { rollback } = await applied([inner(['b']), exception, limits(20)], refuseThe(2));
    expect(rollback?.result).toBe('new-ids');
    expect(rollback?.outcomes.map(({ kind, step }) => [kind, step])).toEqual([
      ['done', `${STEP}/custom:inner`],
      ['done', 'zone:shop.example/http_request_firewall_managed'],
    ]);
    expect(rollback?.notes.map(({ rule, message }) => [rule, message])).toEqual([
      ['a', `comes back with its ref and a new id; the old one was ${made?.rules[0]?.id}`],
      ['exception', 'names what comes back by its new id'],
    ]);
    const [again, names] = await live([inner([]), exception]);
    expect(again?.rules.map(({ ref }) => ref)).toEqual(['a', 'b']);
    expect(again?.rules[0]?.id).not.toBe(made?.rules[0]?.id);
    expect(names?.rules[0]?.content.action_parameters).toEqual({
      rules: { [again?.id ?? '']: [again?.rules[0]?.id] },
    });
  });

  it('updates the exception that names a restored rule when other rulesets are restored too', async () => {
    await converge(bench, zone([inner(['a', 'b']), entry('e')]));
    const [made] = await live([inner([])]);
    const exception = exempting(made);
    await converge(bench, zone([exception, limits(10)]));
    const { outcomes, rollback } = await applied(
      [inner(['b']), exception, limits(20), entry('e', 'f')],
      refuseThe(3),
    );
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(2);
    expect(rollback?.result).toBe('new-ids');
    expect(rollback?.outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
    const [again, names] = await live([inner([]), exception]);
    expect(names?.rules[0]?.content.action_parameters).toEqual({
      rules: { [again?.id ?? '']: [again?.rules[0]?.id] },
    });
  });

  it('does not report "as-before" if a rule came back with another id', async () => {
    await converge(bench, zone([entry('a', 'b'), limits(10)]));
    const { rollback } = await applied([entry('b'), limits(20)], refuseThe(2));
    expect(rollback).toMatchObject({ result: 'new-ids', notes: [{ kind: 'id-lost', rule: 'a' }] });
  });

  it('writes nothing and fails if its start cannot be recorded in the journal', async () => {
    await converge(bench, zone([entry('a'), limits(10)]));
    const scope = await plan(bench, zone([entry('a', 'n'), limits(20)]));
    const proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
      count += writes(request) ? 1 : 0;
      return writes(request) && count === 2 ? REFUSED : { kind: 'pass' };
    });
    let count = 0;
    const client = clientThrough(bench, proxy);
    const { journal } = memoryJournal();
    try {
      const { rollback } = await carryOutPlan(bench, [scope], {
        client,
        preflight: 'off',
        onFailure: 'rollback',
        journal: {
          ...journal,
          record: async (one) => {
            await journal.record(one);
            if (one.kind === 'run' && one.purpose === 'rollback') {
              throw new RulewrightError('No room.', { code: 'apply/journal', fault: 'user' });
            }
          },
        },
      });
      expect(rollback).toMatchObject({
        result: 'partial',
        outcomes: [{ kind: 'failed', code: 'apply/journal', message: 'No room.', writes: 0 }],
      });
      expect(count).toBe(2);
    } finally {
      await client.close();
      await proxy.close();
    }
  });

  it('deletes the rule that executes a new ruleset before the ruleset, whose content the journal has first', async () => {
    await converge(bench, zone([entry('a'), limits(10)]));
    const then = saying(await live([entry(), limits(0), inner([])]));
    const wanted = [inner(['in']), desiredRuleset([run, block('a')]), limits(20)];
    const { rollback, entries } = await applied(wanted, refuseThe(3));
    expect(rollback?.result).toBe('as-before');
    expect(rollback?.outcomes.map(({ step }) => step)).toEqual([STEP, `${STEP}/custom:inner`]);
    expect(saying(await live([entry(), limits(0), inner([])]))).toEqual(then);
    const kinds = entries.map((one) =>
      one.kind === 'intent' ? JSON.stringify(one.write).slice(0, 25) : one.kind,
    );
    expect(kinds.indexOf('saved')).toBeGreaterThan(kinds.lastIndexOf('run'));
    expect(kinds.indexOf('saved')).toBe(kinds.indexOf('{"kind":"delete-ruleset",') - 1);
    expect(entries.filter(({ kind }) => kind === 'run')).toMatchObject([
      { shard: SHARD },
      { purpose: 'rollback', shard: SHARD },
    ]);
  });

  it('restores a deleted ruleset with a new id, and the rule that executes it with that id', async () => {
    const zeta = (presence: 'present' | 'absent') =>
      inner(presence === 'present' ? ['z'] : [], {
        address: { kind: 'custom', phase: CUSTOM, name: 'Zeta' },
        presence,
      });
    await converge(
      bench,
      zone([inner(['in'], { description: 'Ours' }), zeta('present'), desiredRuleset([run])]),
    );
    const [old, other] = await live([inner([]), zeta('present')]);
    const wanted = [inner([], { presence: 'absent' }), zeta('absent'), entry()];
    const { outcomes, rollback, entries } = await applied(wanted, ({ method, path }) =>
      method === 'DELETE' && path.includes(other?.id ?? '-') ? REFUSED : undefined,
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'failed']);
    expect(rollback?.result).toBe('new-ids');
    expect(rollback?.notes.map(({ kind, rule, message }) => [kind, rule, message])).toEqual([
      ['id-lost', '', `comes back with a new id, without its versions; the old id was ${old?.id}`],
      ['id-lost', 'in', `comes back with its ref and a new id; the old one was ${old?.rules[0]?.id}`],
      ['id-lost', 'run', expect.stringContaining('comes back with its ref and a new id')],
      ['reversed', 'run', 'names what comes back by its new id'],
    ]);
    const [again, first] = await live([inner([]), entry()]);
    expect(again).toMatchObject({ name: 'Inner', description: 'Ours', rules: [{ ref: 'in' }] });
    expect(first?.rules).toMatchObject([{ ref: 'run', content: { action_parameters: { id: again?.id } } }]);
    expect(entries.find(({ kind }) => kind === 'saved')).toMatchObject({
      ruleset: { id: old?.id, rules: [{ ref: 'in' }] },
    });
  });

  it('refuses to restore rulesets to which somebody else has added a rule since', async () => {
    await converge(bench, zone([entry('a'), limits(10)]));
    let touched = 0;
    const { outcomes, rollback } = await applied([entry('a', 'n'), limits(20)], (_request, write) => {
      if (write !== 2) {
        return undefined;
      }
      return {
        kind: 'meanwhile',
        lost: true,
        act: async () => {
          touched += 1;
          for (const ruleset of await live([entry(), limits(0)])) {
            const { scope } = await read(bench, zone([]));
            const ratelimit = ruleset.rules[0]?.content.ratelimit;
            await addRule(
              bench.client,
              { scope, rulesetId: ruleset.id },
              {
                ref: 'theirs',
                action: 'log',
                expression: 'ssl',
                ...(ratelimit === undefined ? {} : { ratelimit }),
              },
            );
          }
        },
      };
    });
    expect(touched).toBe(1);
    expect(outcomes.some(({ kind }) => kind !== 'done')).toBe(true);
    expect(rollback?.result).toBe('partial');
    expect(rollback?.outcomes).toMatchObject([
      { kind: 'refused', code: 'apply/touched', difference: { added: [{ ref: 'theirs' }] } },
      { kind: 'refused', code: 'apply/touched' },
    ]);
    const now = await live([entry(), limits(0)]);
    expect(now.every(({ rules }) => rules.some(({ ref }) => ref === 'theirs'))).toBe(true);
  });

  it('has nothing to restore if its only write was refused, although somebody else wrote in the meantime', async () => {
    await converge(bench, zone([entry('a', 'b')]));
    const [ruleset] = await live([entry()]);
    const [first] = ruleset?.rules ?? [];
    const { scope } = await read(bench, zone([]));
    const { outcomes, rollback } = await applied([entry('a', 'b', 'n', 'o')], (_request, write) =>
      write === 1
        ? {
            kind: 'meanwhile',
            act: () =>
              deleteRule(bench.client, {
                scope,
                rulesetId: ruleset?.id ?? '',
                ruleId: first?.id ?? '',
              }),
          }
        : undefined,
    );
    expect(outcomes).toMatchObject([{ kind: 'refused', code: 'apply/stale', writes: 0 }]);
    expect(rollback).toMatchObject({ result: 'as-before', outcomes: [] });
    expect((await live([entry()])).map(({ rules }) => rules.map(({ ref }) => ref))).toEqual([['b']]);
  });

  it('refuses to restore a ruleset into which the run brought back a rule of somebody else', async () => {
    await converge(bench, zone([entry('a')]));
    const { scope } = await read(bench, zone([]));
    const theirs = { ref: 'theirs', action: 'log', expression: 'ssl' };
    const { outcomes, rollback } = await applied([entry('m', 'a', 'n')], (_request, write) => ({
      kind: 'meanwhile',
      act: async () => {
        for (const { id } of write === 1 ? await live([entry()]) : []) {
          await addRule(bench.client, { scope, rulesetId: id }, theirs);
        }
      },
    }));
    expect(outcomes).toMatchObject([{ kind: 'conflict', broughtBack: [{ ref: 'theirs' }] }]);
    expect(rollback?.outcomes).toMatchObject([
      { kind: 'refused', code: 'apply/touched', difference: { removed: [] } },
    ]);
    const [now] = await live([entry()]);
    expect(now?.rules.map(({ ref }) => ref)).toEqual(['m', 'a', 'theirs', 'n']);
  });

  it.each<[what: string, rules: readonly JsonObject[] | null, difference: object]>([
    ['deleted', null, { removed: [{ ref: 'a' }, { ref: 'n' }], to: null }],
    [
      'deleted and made anew',
      [{ ref: 'theirs', action: 'log', expression: 'ssl' }],
      { removed: [{ ref: 'a' }, { ref: 'n' }], added: [{ ref: 'theirs' }] },
    ],
  ])('refuses to restore a ruleset that somebody else has %s since', async (_what, rules, difference) => {
    await converge(bench, zone([entry('a'), limits(10)]));
    const { scope } = await read(bench, zone([]));
    const { rollback } = await applied([entry('a', 'n'), limits(20)], (_request, write) => {
      const act = async (): Promise<void> => {
        // The rate limits are deleted as well, so that the write to them fails.
        for (const { id } of await live([entry(), limits(0)])) {
          await deleteRuleset(bench.client, scope, id);
        }
        if (rules !== null) {
          await updateEntrypoint(bench.client, scope, CUSTOM, { rules });
        }
      };
      return write === 2 ? { kind: 'meanwhile', act } : undefined;
    });
    expect(rollback?.result).toBe('partial');
    expect(rollback?.outcomes.find(({ step }) => step === STEP)).toMatchObject({
      kind: 'refused',
      code: 'apply/touched',
      difference,
    });
    expect((await live([entry()])).flatMap((one) => one.rules.map(({ ref }) => ref))).toEqual(
      rules === null ? [] : ['theirs'],
    );
  });

  it('undoes a write that landed although its answer was lost', async () => {
    const before = [entry('a')];
    await converge(bench, zone(before));
    const then = saying(await live(before));
    const scope = await plan(bench, zone([entry('a', 'n')]));
    // After the write nothing can be read until the run has given up.
    let cut = 0;
    const proxy = await openFaultProxy(bench.emulator.baseUrl, (request) => {
      if (writes(request)) {
        cut += 1;
        return cut === 1 ? { kind: 'cut-after' } : { kind: 'pass' };
      }
      return cut === 1 && (dark += 1) <= 12 ? { kind: 'answer', status: 503, body: '' } : { kind: 'pass' };
    });
    let dark = 0;
    const client = clientThrough(bench, proxy);
    const ended: PlanOutcome[] = [];
    try {
      ended.push(
        await carryOutPlan(bench, [scope], {
          client,
          preflight: 'off',
          onFailure: 'rollback',
          report: ({ kind }) => {
            dark = kind === 'step-ended' ? 99 : dark;
          },
        }),
      );
    } finally {
      await client.close();
      await proxy.close();
    }
    expect(ended).toMatchObject([{ outcomes: [{ kind: 'failed' }], rollback: { result: 'as-before' } }]);
    expect(saying(await live(before))).toEqual(then);
  });

  it('does nothing if the run was interrupted or if nothing was written', async () => {
    await converge(bench, zone([entry('a', 'b'), limits(10)]));
    const scope = await plan(bench, zone([entry('b', 'n', 'm'), limits(20)]));
    const stop = new AbortController();
    const { rollback, outcomes } = await carryOutPlan(bench, [scope], {
      onFailure: 'rollback',
      signal: stop.signal,
      report: ({ kind }) => kind === 'step-ended' && stop.abort(),
    });
    expect(outcomes.map(({ kind }) => kind)).toContain('not-reached');
    expect(rollback).toBeNull();
    const refused = await applied([entry('z'), limits(30)], refuseThe(1));
    expect(refused.rollback).toEqual({ result: 'as-before', outcomes: [], notes: [] });
    expect(refused.entries.filter(({ kind }) => kind === 'run')).toHaveLength(1);
  });
});
