import { expect, it } from 'vitest';
import type { GuardFinding } from '../../src/model/guard.ts';
import type { PlannedScope } from '../../src/model/plan.ts';
import { refusedKinds } from '../../src/model/scope-plans.ts';

const found = (kind: GuardFinding['kind'], effect: GuardFinding['effect'] = 'refuse'): GuardFinding => ({
  kind,
  effect,
  message: kind,
});
const scope = (...findings: readonly GuardFinding[]): PlannedScope => ({
  kind: 'planned',
  scope: { kind: 'zone', id: '1', name: 'shop.example', accountId: '2' },
  bases: [],
  steps: [],
  findings,
  notes: [],
});

it('refusedKinds names each kind once that guards refuse and somebody can allow', () => {
  const scopes = [
    scope(found('emptied'), found('weakened', 'warn')),
    scope(found('emptied'), found('account')),
  ];
  expect(refusedKinds({ scopes, findings: [found('scopes')] })).toEqual(['scopes', 'emptied']);
  expect(refusedKinds({ scopes: [] })).toEqual([]);
});
