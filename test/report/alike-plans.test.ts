import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedScope } from '../../src/model/plan.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { alikePlans } from '../../src/report/alike-plans.ts';
import type { Detail } from '../../src/report/theme.ts';
import { planText } from '../../src/report/text/plan.ts';
import { rulesetCases } from '../plan/arbitraries.ts';
import { CAUSE, id } from '../plan/build.ts';
import { propertyRuns } from '../property-runs.ts';
import { plan } from './plan-builder.ts';

/** Plans of one scope; each begins as a plan of `zone-0.example` and gets its own name and ids by `asZone`. */
const plans: fc.Arbitrary<PlannedScope> = rulesetCases(4).map(({ desired, live }) => {
  const planned = planScope(
    {
      scope: { kind: 'zone', name: 'zone-0.example' },
      rulesetOwnership: 'declared',
      rulesets: [desired],
      cause: CAUSE,
    },
    {
      scope: { kind: 'zone', id: id(0xaaa), name: 'zone-0.example', accountId: id(0xbbb) },
      entries: [{ address: desired.address, slot: { kind: 'present', ruleset: live } }],
      catalogue: [],
    },
  );
  if (planned.kind === 'failed') {
    throw new Error(planned.error.message);
  }
  return planned;
});

/** The same plan of another zone: name, ids, version and file are its own. */
function asZone(planned: PlannedScope, number: number): PlannedScope {
  const own: PlannedScope = JSON.parse(
    JSON.stringify(planned)
      .replaceAll('zone-0.example', `zone-${number}.example`)
      .replaceAll(/0{16}([0-9a-f]{16})/g, `${String(number).padStart(16, '0')}$1`)
      .replaceAll('"version":"1"', `"version":"${number}"`)
      .replaceAll('zones/shop.example.yaml', `zones/${number}.yaml`),
  );
  return own;
}

/** Some zones, many of which change alike. */
const zones: fc.Arbitrary<readonly PlannedScope[]> = fc
  .array(plans, { minLength: 1, maxLength: 3 })
  .chain((some) => fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 5 }))
  .map((chosen) => chosen.map((planned, index) => asZone(planned, index + 1)));

const EMPTY = plan();

/** What is told of scopes, without the lines about the whole plan. */
function body(scopes: readonly PlannedScope[], detail: Detail): string {
  const text = `\n${planText({ ...EMPTY, scopes }, { width: 100, colour: false, detail })}`;
  return text.slice(text.indexOf('\nzone ') + 1, text.lastIndexOf('\n\n') + 2);
}

function changed(scopes: readonly PlannedScope[]): readonly PlannedScope[] {
  return scopes.filter(({ steps, notes }) => steps.length + notes.length > 0);
}

/** What is told of a scope by itself, without what is its own. */
function told(planned: PlannedScope): string {
  return body([planned], 'each')
    .replaceAll(planned.scope.name, 'NAME')
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/version \d+/g, 'VERSION')
    .replaceAll(/zones\/\d+\.yaml/g, 'FILE');
}

describe('scopes that change alike', () => {
  it('hide nothing: what is told of each is what is told of the first', () => {
    fc.assert(
      fc.property(zones, (scopes) => {
        for (const [first, others] of alikePlans(scopes)) {
          for (const other of others) {
            expect(told(other)).toBe(first.kind === 'planned' ? told(first) : '');
          }
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('are each named exactly once, where the first of its kind stands', () => {
    fc.assert(
      fc.property(zones, (scopes) => {
        const text = body(scopes, 'summed-up');
        for (const { scope } of changed(scopes)) {
          expect(text.match(new RegExp(`${scope.name.replaceAll('.', '\\.')}\\b`, 'g'))).toHaveLength(1);
        }
        const firsts = [...alikePlans(scopes).keys()];
        expect(firsts).toEqual(scopes.filter((scope) => firsts.includes(scope)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('are shown one by one where each is wanted: as if each were the only one', () => {
    fc.assert(
      fc.property(zones, (scopes) => {
        fc.pre(changed(scopes).length > 0);
        const one = changed(scopes).map((scope) => body([scope], 'each'));
        expect(body(scopes, 'each')).toBe(one.join(''));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('are those of which the plans are the same but for what is their own', () => {
    const changing = plans.filter(({ steps }) => steps.length > 0);
    fc.assert(
      fc.property(changing, (planned) => {
        const scopes = [1, 2, 3].map((number) => asZone(planned, number));
        expect([...alikePlans(scopes).values()]).toEqual([scopes.slice(1)]);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
