import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { DesiredRuleset, LiveRuleset, RulesetAddress } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { addressKey } from '../../../src/model/ruleset.ts';
import { reverseScope } from '../../../src/plan/reverse/reverse-scope.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';
import { CAUSE, desiredRule, desiredRuleset } from '../../plan/build.ts';
import type { Bench } from '../run-against-service.ts';
import { block } from '../blocking.ts';
import { carryOutPlan, converge, openBench, plan, read, zone } from '../run-against-service.ts';

const CUSTOM = 'http_request_firewall_custom';
const LOGIN: RulesetAddress = { kind: 'custom', phase: CUSTOM, name: 'Login' };
const ENTRY: RulesetAddress = { kind: 'entrypoint', phase: CUSTOM };
const MANAGED: RulesetAddress = { kind: 'entrypoint', phase: 'http_request_firewall_managed' };

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const login = (...refs: readonly string[]) =>
  desiredRuleset(
    refs.map((ref) => block(ref)),
    { address: LOGIN },
  );
const skipping = (rules: Readonly<Record<string, readonly string[]>>): DesiredRuleset =>
  desiredRuleset(
    [
      desiredRule({
        ref: 'exception',
        action: 'skip',
        expression: 'ip.src eq 192.0.2.7',
        action_parameters: { rules },
      }),
    ],
    { address: MANAGED },
  );

async function live(desired: DesiredScope): Promise<ReadonlyMap<string, LiveRuleset>> {
  const { entries } = await read(bench, desired);
  return new Map(
    entries.flatMap(({ address, slot }) =>
      slot.kind === 'present' ? [[addressKey(address), slot.ruleset] as const] : [],
    ),
  );
}

const at = (rulesets: ReadonlyMap<string, LiveRuleset>, address: RulesetAddress): LiveRuleset => {
  const ruleset = rulesets.get(addressKey(address));
  if (ruleset === undefined) {
    throw new Error('there is no such ruleset');
  }
  return ruleset;
};
const idsOf = (ruleset: LiveRuleset, ...refs: readonly string[]) =>
  refs.map((ref) => ruleset.rules.find((rule) => rule.ref === ref)?.id);

async function applied(scope: PlannedScope, strategy: WriteStrategy): Promise<readonly string[]> {
  const { outcomes } = await carryOutPlan(bench, [scope], { strategy });
  return outcomes.map(({ kind }) => kind);
}

async function reversed(forward: PlannedScope, desired: DesiredScope): Promise<PlannedScope> {
  const back = reverseScope({ plan: forward, live: await read(bench, desired), cause: CAUSE });
  if (back.kind === 'failed') {
    throw new Error(back.error.message);
  }
  return back;
}

/** The content of a ruleset without action parameters, which name rules by ids that change. */
const saying = ({ description, rules }: LiveRuleset) => ({
  description,
  rules: rules.map(({ ref, content: { action_parameters: _parameters, ...content } }) => ({ ref, content })),
});

describe.each(['auto', 'rules', 'ruleset'] satisfies WriteStrategy[])(
  'a reversed plan, carried out (%s)',
  (strategy) => {
    /** A custom ruleset, and an exception in another phase that names two of its rules by their ids. */
    async function begin(): Promise<{
      readonly before: ReadonlyMap<string, LiveRuleset>;
      login: LiveRuleset;
    }> {
      await converge(
        bench,
        zone([login('a', 'goes', 'stays'), desiredRuleset([block('x')], { address: ENTRY })]),
      );
      const made = at(await live(zone([login()])), LOGIN);
      await converge(bench, zone([skipping({ [made.id]: idsOf(made, 'goes', 'stays').map(String) })]));
      const before = await live(zone([login(), skipping({}), desiredRuleset([], { address: ENTRY })]));
      return { before, login: at(before, LOGIN) };
    }

    it('puts the new id of a restored rule into the exception that skips it', async () => {
      const { before, login: old } = await begin();
      const keeps = skipping({ [old.id]: idsOf(old, 'goes', 'stays').map(String) });
      const wanted = zone([login('stays', 'a', 'new'), keeps, desiredRuleset([], { address: ENTRY })]);
      const forward = await plan(bench, wanted);
      expect(await applied(forward, strategy)).toEqual(['done', 'done']);
      const back = await reversed(forward, wanted);
      expect(JSON.stringify(back.steps)).toContain('rule:goes');
      expect(await applied(back, strategy)).toEqual(['done', 'done', 'done']);

      const after = await live(wanted);
      const [gone, kept] = idsOf(at(after, LOGIN), 'goes', 'stays');
      expect(gone).not.toBe(idsOf(old, 'goes')[0]);
      expect(kept).toBe(idsOf(old, 'stays')[0]);
      expect(at(after, MANAGED).rules[0]?.content.action_parameters).toEqual({
        rules: { [old.id]: [gone, kept] },
      });
      expect([...after].map(([key, ruleset]) => [key, saying(ruleset)])).toEqual(
        [...before].map(([key, ruleset]) => [key, saying(ruleset)]),
      );
    });

    it('puts the new ids of a restored ruleset and its rules into the exception that skips them', async () => {
      const { before, login: old } = await begin();
      const wanted = zone([
        desiredRuleset([], { address: LOGIN, presence: 'absent' }),
        skipping({ [old.id]: idsOf(old, 'goes', 'stays').map(String) }),
      ]);
      const forward = await plan(bench, wanted);
      expect(await applied(forward, strategy)).toEqual(['done']);
      expect(await applied(await reversed(forward, wanted), strategy)).toEqual(['done', 'done']);

      const made = at(await live(zone([login()])), LOGIN);
      expect(made.id).not.toBe(old.id);
      expect(saying(made)).toEqual(saying(at(before, LOGIN)));
      const exception = at(await live(wanted), MANAGED).rules[0];
      expect(exception?.content.action_parameters).toEqual({
        rules: { [made.id]: idsOf(made, 'goes', 'stays') },
      });
    });
  },
);

describe('the preflight of a reversed plan', () => {
  it('lets a rule be restored before an exception of the same ruleset that names it', async () => {
    await converge(bench, zone([login('goes', 'stays')]));
    const made = at(await live(zone([login()])), LOGIN);
    const exception = desiredRule({
      ref: 'exception',
      action: 'skip',
      expression: 'ssl',
      action_parameters: { rules: { [made.id]: idsOf(made, 'goes').map(String) } },
    });
    const inner = login('goes', 'stays');
    await converge(bench, zone([{ ...inner, rules: [exception, ...inner.rules] }]));
    const before = at(await live(zone([login()])), LOGIN);

    const wanted = zone([login('stays')]);
    const forward = await plan(bench, wanted);
    expect(await applied(forward, 'auto')).toEqual(['done']);
    expect(await applied(await reversed(forward, wanted), 'auto')).toEqual(['done']);
    const after = at(await live(wanted), LOGIN);
    expect(saying(after)).toEqual(saying(before));
    expect(after.rules[0]?.content.action_parameters).toEqual({
      rules: { [made.id]: idsOf(after, 'goes') },
    });
  });

  it('checks all but the rule that names a restored rule, and says why', async () => {
    await converge(bench, zone([login('goes', 'stays')]));
    const made = at(await live(zone([login()])), LOGIN);
    const names = skipping({ [made.id]: idsOf(made, 'goes').map(String) });
    await converge(bench, zone([names]));
    const wanted = zone([login('stays'), names]);
    const forward = await plan(bench, wanted);
    await applied(forward, 'auto');
    const back = await reversed(forward, wanted);
    const { preflight } = await carryOutPlan(bench, [back]);
    expect(preflight.steps).toEqual([
      { kind: 'passed', step: 'zone:shop.example/http_request_firewall_custom/custom:login', unchecked: [] },
      {
        kind: 'not-checked',
        step: 'zone:shop.example/http_request_firewall_managed',
        code: 'depends',
        reason: 'exception: it names rule:goes, which this plan makes first',
      },
    ]);
  });
});
