import { describe, expect, it } from 'vitest';
import type { MadeIds } from '../../../src/apply/base/name-created.ts';
import { nameCreated, NOTHING_MADE, withMade } from '../../../src/apply/base/name-created.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import type { DesiredRule, LiveRule } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import type { Step } from '../../../src/model/plan.ts';
import { planRuleset } from '../../../src/plan/plan-ruleset.ts';
import type { Write } from '../../../src/plan/requests/writes.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../../plan/build.ts';
import { SCOPE } from '../../plan/world.ts';

const PHASE = 'http_request_firewall_custom';
const LOGIN = { kind: 'custom', phase: PHASE, name: 'Login protection' } as const;
const ENTRY = { kind: 'entrypoint', phase: PHASE } as const;

function stepOf(
  address: RulesetAddress,
  desired: readonly DesiredRule[],
  live: readonly LiveRule[] | null,
): Step {
  const { step } = planRuleset({
    scope: SCOPE,
    desired: desiredRuleset(desired, { address }),
    rules: nameRules(desired),
    slot: live === null ? { kind: 'absent' } : { kind: 'present', ruleset: liveRuleset(live) },
  });
  if (step === null) {
    throw new Error('a step was expected');
  }
  return step;
}

describe('withMade', () => {
  const added = desiredRule({ ref: 'new', expression: 'ssl' });
  const after = liveRuleset([liveRule(1, { ref: 'old' }), liveRule(2, { ref: 'new' })], { id: id(0xa) });

  it('adds the custom ruleset that a step created, and the rules that it added, to those of earlier steps', () => {
    const first = withMade(NOTHING_MADE, stepOf(LOGIN, [added], null), after);
    expect([...first.rulesets]).toEqual([[`${PHASE}/login-protection`, id(0xa)]]);
    expect([...first.rules].map(([ruleset, rules]) => [ruleset, [...rules]])).toEqual([
      [id(0xa), [['new', id(2)]]],
    ]);
    const another = { ...after, id: id(0xb) };
    const second = withMade(first, stepOf({ ...LOGIN, name: 'B' }, [added], null), another);
    expect([...second.rulesets.values()]).toEqual([id(0xa), id(0xb)]);
    expect([...second.rules.keys()]).toEqual([id(0xa), id(0xb)]);
  });

  it('adds no ruleset for an entry point or a changed custom ruleset, and no rule if none was added', () => {
    const entry = withMade(NOTHING_MADE, stepOf(ENTRY, [added], null), after);
    expect([...entry.rulesets]).toEqual([]);
    expect([...entry.rules.keys()]).toEqual([id(0xa)]);
    const changed = stepOf(
      LOGIN,
      [desiredRule({ ref: 'old', action: 'log' })],
      [liveRule(1, { ref: 'old' })],
    );
    expect(withMade(NOTHING_MADE, changed, after)).toEqual(NOTHING_MADE);
    expect(withMade(NOTHING_MADE, stepOf(LOGIN, [added], null), null)).toBe(NOTHING_MADE);
  });
});

describe('nameCreated', () => {
  const made: MadeIds = {
    rulesets: new Map([
      ['http_ratelimit/limits', id(0xa)],
      [`${PHASE}/login`, id(0xb)],
    ]),
    rules: new Map([[id(0xc), new Map([['first', id(1)]])]]),
  };
  const execute = (target: string): JsonObject => ({ action: 'execute', action_parameters: { id: target } });

  const { target } = stepOf(LOGIN, [desiredRule()], null);
  const behind = { kind: 'first' } as const;
  const writes = (rule: JsonObject): readonly Write[] => [
    { kind: 'create-ruleset', target, description: '', rules: [rule] },
    { kind: 'put-ruleset', id: id(9), description: null, rules: [rule] },
    { kind: 'put-ruleset', id: id(9), description: 'x', rules: null },
    { kind: 'add-rule', id: id(9), ref: 'run', rule, behind },
    { kind: 'patch-rule', id: id(9), ruleId: id(8), rule, behind: null },
    { kind: 'patch-rule', id: id(9), ruleId: id(8), rule: null, behind },
  ];

  it('puts the id of a created ruleset into every kind of write that executes it', () => {
    const sent = writes(execute('custom:login')).map((write) => nameCreated(write, PHASE, made));
    expect(sent).toEqual(writes(execute(id(0xb))));
  });

  const one = (rule: JsonObject): unknown => {
    const write: Write = { kind: 'add-rule', id: id(9), ref: 'r', rule, behind };
    const { rule: sent } = { rule: undefined, ...nameCreated(write, PHASE, made) };
    return sent;
  };

  it('resolves an executed ruleset in the phase of the write, and a skipped one in any phase', () => {
    expect(one(execute('custom:limits'))).toEqual(execute('custom:limits'));
    const skip = (rulesets: string[]): JsonObject => ({ action: 'skip', action_parameters: { rulesets } });
    expect(one(skip(['custom:limits', 'custom:login', 'custom:other', 'managed:login', id(5)]))).toEqual(
      skip([id(0xa), id(0xb), 'custom:other', 'managed:login', id(5)]),
    );
  });

  it('resolves a skipped rule to its id', () => {
    const skip = (rules: string[]): JsonObject => ({
      action: 'skip',
      action_parameters: { rules: { [id(0xc)]: rules } },
    });
    expect(one(skip(['rule:first', 'rule:other', id(7)]))).toEqual(skip([id(1), 'rule:other', id(7)]));
  });

  it('leaves a write alone that neither executes nor skips', () => {
    const route = { action: 'route', action_parameters: { id: 'custom:login' } };
    expect(one(route)).toEqual(route);
    expect(nameCreated({ kind: 'delete-rule', id: id(9), ruleId: id(8) }, PHASE, made)).toEqual({
      kind: 'delete-rule',
      id: id(9),
      ruleId: id(8),
    });
  });
});
