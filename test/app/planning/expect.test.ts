import { describe, expect, it } from 'vitest';
import { expectPlan } from '../../../src/app/planning/expect.ts';
import type { Plan, ScopePlan } from '../../../src/model/plan.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { makePlan } from '../../../src/plan/document/make-plan.ts';
import { desiredRule, desiredRuleset, id, liveRule, liveRuleset } from '../../plan/build.ts';
import { planOne, SCOPE } from '../../plan/world.ts';

const SERVICE = 'https://api.cloudflare.com/client/v4';
const REFS = ['a', 'b', 'c'];

/** The plan for three new rules when the first `live` of them are live already. */
function left(live: number, scope: Scope = SCOPE): ScopePlan {
  return planOne(
    desiredRuleset(REFS.map((ref) => desiredRule({ ref }))),
    liveRuleset(REFS.slice(0, live).map((ref, at) => liveRule(at + 1, { ref }))),
    scope,
  );
}

/** The same plan for the zone with this id. */
const inZone = (number: number, live: number): ScopePlan => left(live, { ...SCOPE, id: id(number) });

const UNREADABLE: ScopePlan = {
  kind: 'failed',
  scope: { kind: 'zone', name: 'blog.example' },
  error: { code: 'api/forbidden', message: 'the token may not read it' },
};

const planOf = (scopes: readonly ScopePlan[], service = SERVICE): Plan => makePlan(service, scopes, []);

describe('expectPlan', () => {
  const reviewed = planOf([left(0)]);

  it('takes a fresh plan that lacks changes of a step for a part of the reviewed plan', () => {
    const [step = ''] = reviewed.scopes.flatMap((scope) =>
      scope.kind === 'planned' ? scope.steps.map(({ id }) => id) : [],
    );
    expect(expectPlan(reviewed, planOf([left(1)]))).toMatchObject({
      kind: 'part',
      lacks: new Set(),
      smaller: new Set([step]),
    });
  });

  it.each<[what: string, reviewed: Plan, fresh: Plan]>([
    ['a part of it would be done at another service', reviewed, planOf([left(1)], 'https://other.example')],
    ['nothing is left at another service', reviewed, planOf([left(3)], 'https://other.example')],
    ['a part is left beside a scope that cannot be read', reviewed, planOf([left(1), UNREADABLE])],
    [
      'a scope could not be read in review either',
      planOf([left(0), UNREADABLE]),
      planOf([left(1), UNREADABLE]),
    ],
    ['nothing is left where it can be read', planOf([left(0), UNREADABLE]), planOf([left(3), UNREADABLE])],
    ['more is left than was reviewed', planOf([left(1)]), planOf([left(0)])],
    ['another zone of the name is to get the same', reviewed, planOf([inZone(2, 0)])],
    ['a part of it is left in another zone of the name', reviewed, planOf([inZone(2, 1)])],
    ['nothing is left in another zone of the name', reviewed, planOf([inZone(2, 3)])],
  ])('says that the fresh plan is another one when %s', (_what, before, fresh) => {
    expect(expectPlan(before, fresh).kind).toBe('other');
  });

  it('reports another zone of the same name once, and only if the plan has changes for it', () => {
    const [one, other] = [inZone(1, 0), inZone(2, 0)];
    const account = `(account ${SCOPE.accountId})`;
    expect(expectPlan(planOf([one]), planOf([other]))).toEqual({
      kind: 'other',
      differences: [
        {
          kind: 'different',
          place: 'zone:shop.example',
          message: `it is another zone of the same name: the plan was reviewed for ${id(1)} ${account}, this run is about ${id(2)} ${account}`,
        },
      ],
    });
    const changing = left(0, { ...SCOPE, id: id(5), name: 'blog.example' });
    expect(expectPlan(planOf([inZone(1, 3), changing]), planOf([inZone(2, 3), changing])).kind).toBe('same');
  });
});
