import { expect, it } from 'vitest';
import { withUntouchedRules } from '../../../src/apply/write/scope-run.ts';
import { refusalsOf } from '../../../src/apply/write/refusals.ts';
import { ServiceError } from '../../../src/api/service-error.ts';
import type { Write } from '../../../src/plan/requests/writes.ts';
import { writesOf } from '../../../src/plan/requests/writes.ts';
import { planRuleset } from '../../../src/plan/plan-ruleset.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { CAUSE, desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../../plan/build.ts';

const KEPT = liveRule(1, {
  ref: 'kept',
  action: 'block',
  description: 'as it is',
  action_parameters: { response: { status_code: 403 }, not_known_yet: { deep: [1, 2] } },
  extra: { a_field_of_tomorrow: 'x' },
});
const PUT: Write = {
  kind: 'put-ruleset',
  id: id(0xfff),
  description: null,
  rules: [{ id: id(1) }, { ref: 'new', action: 'log', expression: 'ssl', enabled: true }],
};

it('withUntouchedRules fills in all live fields, known or not, of a rule that has only its id', () => {
  expect(withUntouchedRules(PUT, liveRuleset([KEPT]), 'whole')).toMatchObject({
    rules: [
      {
        id: id(1),
        ref: 'kept',
        action: 'block',
        expression: 'ip.src eq 192.0.2.1',
        description: 'as it is',
        enabled: true,
        action_parameters: { response: { status_code: 403 }, not_known_yet: { deep: [1, 2] } },
        a_field_of_tomorrow: 'x',
      },
      { ref: 'new', action: 'log', expression: 'ssl', enabled: true },
    ],
  });
  expect(withUntouchedRules(PUT, liveRuleset([KEPT]), 'by-id')).toBe(PUT);
});

it('refusalsOf finds the rule of an error by its pointer, quoted expression or missing entitlement, if at all', () => {
  const rules = ['a', 'b', 'c'].map((ref, index) =>
    desiredRule({
      ref,
      expression: `http.host eq "${ref}.example"`,
      cause: { file: 'zones/x.yaml', line: index + 10, column: 1 },
    }),
  );
  const desired = desiredRuleset([
    ...rules,
    desiredRule({ ref: 'd', expression: 'http.request.body.raw contains "x"' }),
    desiredRule({ ref: 'e', expression: 'http.host matches "~" or http.host eq "matches"' }),
    desiredRule({ ref: 'f', expression: 'http.host eq "it matches"', action: 'log' }),
    desiredRule({
      ref: 'g',
      expression: 'ssl',
      ratelimit: { characteristics: ['cf.colo.id', 'lower(http.host)', 'http.request.headers["x"]'] },
    }),
  ]);
  const { step } = planRuleset({
    scope: { kind: 'zone', id: id(9), name: 'x.example', accountId: id(8) },
    desired,
    rules: nameRules(desired.rules),
    slot: { kind: 'absent' },
  });
  if (step === null) {
    throw new Error('a step was expected');
  }
  const [write] = writesOf(step, 'auto');
  if (write === undefined) {
    throw new Error('a write was expected');
  }
  const error = new ServiceError('refused', {
    code: 'api/refused',
    method: 'POST',
    path: '/x',
    rayId: null,
    attempts: 1,
    status: 400,
    effect: 'none',
    errors: [
      { message: 'wrong', pointer: '/rules/1/expression', code: 20127 },
      { message: `'http.host eq "c.example"' is not a valid value for expression because it is not` },
      { message: 'not entitled: the use of field http.request.body.raw is not allowed' },
      { message: 'not entitled: the use of operator Matches is not allowed, a Business plan is required' },
      { message: 'not entitled: the use of the log action is not allowed, an Enterprise plan is required' },
      {
        message:
          'not entitled: the use of field http.request.headers is not allowed, a higher plan is required',
      },
      { message: 'not entitled: the use of field http.host is not allowed' },
      { message: 'exceeded the maximum number of rules' },
    ],
  });
  expect(refusalsOf(error, write, { step, live: null })).toMatchObject([
    { rule: 'b', cause: { line: 11 }, pointer: '/rules/1/expression', code: 20127 },
    { rule: 'c', cause: { line: 12 } },
    { rule: 'd' },
    { rule: 'e' },
    { rule: 'f' },
    { rule: 'g' },
    { message: 'not entitled: the use of field http.host is not allowed' },
    { message: 'exceeded the maximum number of rules' },
  ]);
  const last = refusalsOf(error, write, { step, live: null }).slice(-2);
  expect(last.map(({ rule }) => rule)).toEqual([undefined, undefined]);
});

it('refusalsOf finds the rule of an error about a single operation or an untouched rule', () => {
  const desired = [
    desiredRule({ ref: 'new', expression: 'ssl' }),
    desiredRule({ ref: 'kept', action: 'log' }),
  ];
  const live = liveRuleset([KEPT, liveRule(2, { description: 'Old block' }), liveRule(3, { ref: 'stays' })]);
  const { step } = planRuleset({
    scope: { kind: 'zone', id: id(9), name: 'x.example', accountId: id(8) },
    desired: desiredRuleset([...desired, desiredRule({ ref: 'stays' })]),
    rules: nameRules([...desired, desiredRule({ ref: 'stays' })]),
    slot: { kind: 'present', ruleset: live },
  });
  if (step === null) {
    throw new Error('a step was expected');
  }
  const told = (write: Write, message: string, pointer?: string): unknown => {
    const item = { message, ...(pointer === undefined ? {} : { pointer }) };
    const facts = { code: 'api/refused', method: 'POST', path: '/x', rayId: null, attempts: 1 } as const;
    const error = new ServiceError('refused', { ...facts, status: 400, effect: 'none', errors: [item] });
    return refusalsOf(error, write, { step, live });
  };
  const singles = writesOf(step, 'rules').map((write) => [write.kind, told(write, 'wrong')]);
  expect(Object.fromEntries(singles)).toEqual({
    'add-rule': [{ message: 'wrong', rule: 'new', cause: CAUSE }],
    'patch-rule': [{ message: 'wrong', rule: 'kept', cause: CAUSE }],
    'delete-rule': [{ message: 'wrong', rule: id(2), description: 'Old block' }],
  });
  const [list] = writesOf(step, 'ruleset');
  if (list === undefined) {
    throw new Error('a list was expected');
  }
  expect(told(list, 'wrong', '/rules/2')).toEqual([{ message: 'wrong', pointer: '/rules/2', rule: 'stays' }]);
  // `ssl` begins with `ss`, but is another field.
  expect(told(list, 'the use of field ss is not allowed')).toEqual([
    { message: 'the use of field ss is not allowed' },
  ]);
});
