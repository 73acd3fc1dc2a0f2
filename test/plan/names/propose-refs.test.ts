import { expect, test } from 'vitest';

import { proposeRefs } from '../../../src/plan/names/propose-refs.ts';
import { CAUSE, id, liveRule } from '../build.ts';

test('proposeRefs makes unique refs from descriptions, executed rulesets and actions', () => {
  const live = [
    liveRule(1, { description: 'Admin: office only', action: 'block' }),
    liveRule(2, { action: 'execute' }),
    liveRule(3, { action: 'execute' }),
    liveRule(4, { action: 'block' }),
    liveRule(5, { action: 'block' }),
    liveRule(6, { ref: 'block-2', action: 'log' }),
  ];
  const parameters = new Map([
    [2, { id: 'managed:cloudflare-managed-ruleset' }],
    [3, { id: id(0xaa) }],
  ]);
  const rules = live.map(({ ref, content }, index) => {
    const action_parameters = parameters.get(index + 1);
    return { ref, action: content.action, ...(action_parameters === undefined ? {} : { action_parameters }) };
  });
  const named = proposeRefs({ rules }, live, [])['rules'];
  expect(named).toMatchObject([
    { ref: 'admin-office-only' },
    { ref: 'cloudflare-managed-ruleset' },
    { ref: 'execute' },
    { ref: 'block' },
    { ref: 'block-3' },
    { ref: 'block-2' },
  ]);
});

test('proposeRefs keeps the ref of a rule that is ignored as a whole, by which alone it is recognised', () => {
  const rules = [{ ref: id(1), action: 'block' }];
  const ignore = [{ rule: '0*', reason: 'trial', until: '2030-01-01', cause: CAUSE }];
  expect(proposeRefs({ rules }, [liveRule(1)], ignore)['rules']).toEqual(rules);
});
