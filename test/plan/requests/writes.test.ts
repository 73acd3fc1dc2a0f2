import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/model/plan.ts';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { DesiredRuleset } from '../../../src/model/ruleset.ts';
import { plannedWrites, writesOf } from '../../../src/plan/requests/writes.ts';
import { desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

function stepOf(
  desired: readonly DesiredRule[],
  live: readonly LiveRule[],
  over: Partial<DesiredRuleset> = {},
): Step {
  const [step] = planOne(desiredRuleset(desired, over), liveRuleset(live)).steps;
  if (step === undefined) {
    throw new Error('a step was expected');
  }
  return step;
}

const kinds = (step: Step, strategy: Parameters<typeof writesOf>[1]): readonly string[] =>
  writesOf(step, strategy).map(({ kind }) => kind);

describe('the writes of a step', () => {
  const live = [liveRule(1, { ref: 'a' }), liveRule(2, { ref: 'b', action: 'log' })];
  const [a, b] = [desiredRule({ ref: 'a' }), desiredRule({ ref: 'b', action: 'log' })];
  const softer = desiredRule({ ref: 'a', action: 'log' });
  const firmer = desiredRule({ ref: 'b' });

  it('are a single rule write for one change, and a list for several changes or on request', () => {
    const one = stepOf([a, firmer], live);
    expect(kinds(one, 'auto')).toEqual(['patch-rule']);
    expect(kinds(one, 'ruleset')).toEqual(['put-ruleset']);
    expect(kinds(stepOf([softer, firmer], live), 'auto')).toEqual(['put-ruleset']);
    expect(kinds(stepOf([a, firmer], live, { description: 'new' }), 'auto')).toEqual(['put-ruleset']);
    expect(kinds(stepOf([a, b], live, { description: 'new' }), 'ruleset')).toEqual(['put-ruleset']);
  });

  it('put the description between what strengthens and what weakens', () => {
    const third = liveRule(3, { ref: 'c' });
    const renamed = desiredRule({ ref: 'c', description: 'new' });
    const step = stepOf([softer, firmer, renamed], [...live, third], { description: 'new' });
    const told = plannedWrites(step, 'rules').map(({ write, urgency }) => [write.kind, urgency]);
    expect(told).toEqual([
      ['patch-rule', 'strengthening'],
      ['put-ruleset', 'neutral'],
      ['patch-rule', 'neutral'],
      ['patch-rule', 'weakening'],
    ]);
    expect(writesOf(step, 'rules')[1]).toMatchObject({ description: 'new', rules: null });
  });

  it('have, as a list, the urgency of the most urgent change', () => {
    const urgency = (...desired: readonly DesiredRule[]): unknown =>
      plannedWrites(stepOf(desired, live), 'ruleset').map((planned) => planned.urgency);
    expect(urgency(softer, firmer)).toEqual(['strengthening']);
    expect(urgency(softer, b)).toEqual(['weakening']);
    expect(urgency(desiredRule({ ref: 'a', description: 'new' }), b)).toEqual(['neutral']);
  });

  it('name changed rules of a list by id, so that a rule can get another ref', () => {
    const taken = desiredRule({ ref: 'ours', id: id(1), adopt: true });
    expect(writesOf(stepOf([taken, b], live), 'ruleset')).toMatchObject([
      { rules: [{ id: id(1), ref: 'ours', action: 'block' }, { id: id(2) }] },
    ]);
  });

  it('are single if a rule skips one that this step adds, and a list if it skips a live one', () => {
    const skip = (rule: string): DesiredRule =>
      desiredRule({ ref: 's', action: 'skip', action_parameters: { rules: { [id(0xfff)]: [rule] } } });
    const made = desiredRule({ ref: 'new', expression: 'ssl' });
    expect(kinds(stepOf([skip('rule:new'), a, b, made], live), 'auto')).toEqual(['add-rule', 'add-rule']);
    expect(kinds(stepOf([skip(id(1)), a, b, made], live), 'auto')).toEqual(['put-ruleset']);
  });

  it('are a list only if single writes would make a zone execute a managed ruleset twice', () => {
    const run = (ref: string, target: number, action = 'execute'): DesiredRule =>
      desiredRule({ ref, action, expression: 'true', action_parameters: { id: id(target) } });
    const running = liveRule(1, {
      ref: 'x',
      action: 'execute',
      expression: 'true',
      action_parameters: { id: id(7) },
    });
    const other = liveRule(2, {
      ref: 'y',
      action: 'execute',
      expression: 'true',
      action_parameters: { id: id(8) },
    });
    expect(kinds(stepOf([run('x', 8), run('y', 7)], [running, other]), 'rules')).toEqual(['put-ruleset']);
    const account = { kind: 'account', id: id(2), name: 'Shop', accountId: id(2) } as const;
    const swapped = desiredRuleset([run('x', 8), run('y', 7)]);
    expect(
      planOne(swapped, liveRuleset([running, other]), account).steps.map((step) => kinds(step, 'rules')),
    ).toEqual([['patch-rule', 'patch-rule']]);
    expect(kinds(stepOf([run('x', 9), run('y', 10)], [running, other]), 'rules')).toEqual([
      'patch-rule',
      'patch-rule',
    ]);
    const described = { ...run('x', 7), content: { ...run('x', 7).content, description: 'new' } };
    expect(kinds(stepOf([described, run('z', 9)], [running]), 'rules')).toEqual(['add-rule', 'patch-rule']);
  });
});
