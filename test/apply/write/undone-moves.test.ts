import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateRule } from '../../api/ruleset-writes.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { Fault, FaultProxy } from '../campaign/fault-proxy.ts';
import { openFaultProxy } from '../campaign/fault-proxy.ts';
import type { Bench } from '../run-against-service.ts';
import {
  blockHosts,
  carryOut,
  clientThrough,
  expectConverged,
  liveRules,
  openBench,
  plan,
  zone,
} from '../run-against-service.ts';

let bench: Bench;
let scope: Scope;
let proxy: FaultProxy | undefined;

const PASS: Fault = { kind: 'pass' };

beforeEach(async () => {
  bench = await openBench();
  scope = await blockHosts(bench, ['x-skip', 'm-a', 'm-b', 'x-deny', 'x-log']);
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await bench.close();
});

/** Desired rules in this order. `m-a` and `m-b` differ from the live ones; rules that are not live yet are new. */
const wanted = (...refs: readonly string[]) =>
  zone([
    desiredRuleset(
      refs.map((ref) => desiredRule({ ref, action: 'block', expression: `http.host eq "${ref}2.example"` })),
      { ownership: { kind: 'patterns', patterns: ['m-*'] } },
    ),
  ]);

const refs = async (): Promise<string> =>
  (await liveRules(bench, scope)).rules.map(({ ref }) => ref).join(' ');

/** Moves a rule, as somebody else, behind another one, or to the front. */
async function move(ref: string, behind?: string): Promise<void> {
  const { id: rulesetId, rules } = await liveRules(bench, scope);
  const idOf = (name: string): string => rules.find((one) => one.ref === name)?.id ?? '';
  const place = behind === undefined ? { before: '' } : { after: idOf(behind) };
  await updateRule(bench.client, { scope, rulesetId, ruleId: idOf(ref) }, null, place);
}

/** Applies with these faults at the first write and at the requests after it. */
async function apply(desired: ReturnType<typeof wanted>, ...faults: readonly Fault[]): Promise<Outcome> {
  const planned = await plan(bench, desired);
  const left = [...faults];
  proxy = await openFaultProxy(bench.emulator.baseUrl, ({ method }) =>
    method === 'GET' && left.length === faults.length ? PASS : (left.shift() ?? PASS),
  );
  const client = clientThrough(bench, proxy);
  try {
    const [outcome] = await carryOut(bench, planned, { access: { kind: 'write', client } });
    if (outcome === undefined) {
      throw new Error('there was nothing to apply');
    }
    return outcome;
  } finally {
    await client.close();
  }
}

const during = (...acts: readonly (() => Promise<void>)[]): Fault => ({
  kind: 'meanwhile',
  act: async () => {
    for (const act of acts) {
      await act();
    }
  },
});

describe('a rule of others that is moved while the list of rules is replaced', () => {
  it('is moved back to where they put it, and is reported', async () => {
    const outcome = await apply(
      wanted('m-a', 'm-b'),
      during(() => move('x-deny')),
    );
    expect(await refs()).toBe('x-deny x-skip m-a m-b x-log');
    expect(outcome).toMatchObject({
      kind: 'conflict',
      allLanded: true,
      message: expect.stringMatching(/this write undid a part of it: x-deny; brought back: x-deny$/),
      hint: 'plan again to go on from what is live now',
      others: [{ lost: [{ ref: 'x-deny' }] }],
      broughtBack: [{ ref: 'x-deny' }],
    });
    await expectConverged(bench, wanted('m-a', 'm-b'));
  });

  it.each([
    ['one behind the other', () => move('x-skip', 'x-log'), 'm-b m-a x-deny x-log x-skip'],
    ['one to before a rule of ours that stays', () => move('x-log', 'm-a'), 'x-skip x-log m-b m-a x-deny'],
  ])(
    'keeps its place among the rules of others if the plan moves rules too: %s',
    async (_what, act, left) => {
      await apply(wanted('m-b', 'm-a'), during(act));
      expect(await refs()).toBe(left);
    },
  );

  it('is moved back alone if another rule was moved away and back again', async () => {
    const outcome = await apply(
      wanted('m-a', 'm-b'),
      during(
        () => move('x-log'),
        () => move('x-deny', 'x-log'),
        () => move('x-log', 'm-b'),
      ),
    );
    expect(await refs()).toBe('x-deny x-skip m-a m-b x-log');
    expect(outcome).toMatchObject({ broughtBack: [{ ref: 'x-deny' }] });
  });

  it('stays where it is moved while another rule is moved back', async () => {
    const outcome = await apply(
      wanted('m-a', 'm-b'),
      during(() => move('x-deny')),
      during(() => move('x-log', 'x-skip')),
    );
    expect(await refs()).toContain('x-skip x-log');
    expect(outcome).toMatchObject({
      kind: 'conflict',
      others: [{ lost: [{ ref: 'x-deny' }] }, { lost: [] }],
    });
  });

  it('is reported as at risk if it is unknown whether the list still lands', async () => {
    const outcome = await apply(
      wanted('m-a', 'm-b'),
      { kind: 'answer', status: 504, body: '<html>504</html>', type: 'text/html' },
      during(() => move('x-deny')),
    );
    expect(outcome).toMatchObject({ others: [{ lost: [], atRisk: [{ ref: 'x-deny' }] }] });
  });
});
