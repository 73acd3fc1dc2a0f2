import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import type { PlannedScope } from '../../src/model/plan.ts';
import { alikePlans } from '../../src/report/alike-plans.ts';
import { shownNotes } from '../../src/report/notes.ts';
import type { Detail } from '../../src/report/layout.ts';
import { driftPieces, planText } from './printed.ts';
import { rulesetCases } from '../plan/arbitraries.ts';
import { id } from '../plan/build.ts';
import { planOne } from '../plan/world.ts';
import { propertyRuns } from '../property-runs.ts';
import { planMarkdown } from './printed.ts';
import { add, plan, scope, update } from './plan-builder.ts';

/** Plans of one scope; each begins as a plan of `zone-0.example` and gets its own name and ids by `asZone`. */
const plans: fc.Arbitrary<PlannedScope> = rulesetCases(4).map(({ desired, live }) =>
  planOne(desired, live, { kind: 'zone', id: id(0xaaa), name: 'zone-0.example', accountId: id(0xbbb) }),
);

/** The same plan for another zone, with a name, ids, a version, a file and untouched rules of its own. */
function asZone(planned: PlannedScope, number: number): PlannedScope {
  const own: PlannedScope = JSON.parse(
    untouched(planned)
      .reduce((text, ref) => text.replaceAll(`"${ref}"`, `"${ref}-of-${number}"`), JSON.stringify(planned))
      .replaceAll('zone-0.example', `zone-${number}.example`)
      .replaceAll(/0{16}([0-9a-f]{16})/g, `${String(number).padStart(16, '0')}$1`)
      .replaceAll('"version":"1"', `"version":"${number}"`)
      .replaceAll('zones/shop.example.yaml', `zones/${number}.yaml`),
  );
  return own;
}

/** Refs of unchanged rules that a place names, except for rules whose ref is only their id. */
function untouched({ steps }: PlannedScope): readonly string[] {
  return steps.flatMap(({ changes }) => {
    const changed = new Set(changes.map(({ ref }) => ref));
    const named = changes.flatMap((change) =>
      change.kind === 'move' ? [change.move.from.after, change.move.to.after] : [change.place.after],
    );
    return named.flatMap((ref) => (ref === null || changed.has(ref) || !ref.includes('-') ? [] : [ref]));
  });
}

/** Some zones, many of which change alike. */
const zones: fc.Arbitrary<readonly PlannedScope[]> = fc
  .array(plans, { minLength: 1, maxLength: 3 })
  .chain((some) => fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 5 }))
  .map((chosen) => chosen.map((planned, index) => asZone(planned, index + 1)));

const EMPTY = plan();

/** The text about the scopes, without the lines about the whole plan. */
function body(scopes: readonly PlannedScope[], detail: Detail): string {
  const text = `\n${planText({ ...EMPTY, scopes }, { width: 100, colour: false, detail })}`;
  return text.slice(text.indexOf('\nzone ') + 1, text.lastIndexOf('\n\n') + 2);
}

function changed(scopes: readonly PlannedScope[], detail: Detail): readonly PlannedScope[] {
  return scopes.filter((planned) => planned.steps.length + shownNotes(planned, detail).length > 0);
}

/** The text about a single scope, as a plan and as drift, with placeholders for what is its own. */
function told(planned: PlannedScope): string {
  const drift = [
    ...driftPieces(driftOf({ ...EMPTY, scopes: [planned] }), {
      width: 100,
      colour: false,
      detail: 'summed-up',
    }),
  ].join('');
  return `${body([planned], 'summed-up')}${drift}`
    .replaceAll(planned.scope.name, 'NAME')
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/version\s+\d+/g, 'VERSION')
    .replaceAll(/\d{4}-\d\d-\d\d\s+\d\d:\d\d:\d\d\s+UTC/g, 'TIME')
    .replaceAll(/zones\/\d+\.yaml/g, 'FILE');
}

describe('scopes that change alike', () => {
  it('are grouped only if the text about each is the text about the first', () => {
    fc.assert(
      fc.property(zones, (scopes) => {
        for (const [first, others] of alikePlans(scopes)) {
          for (const other of others) {
            expect(told(other)).toBe(told(first));
          }
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('are each named exactly once, where the first of their group stands', () => {
    fc.assert(
      fc.property(zones, (scopes) => {
        const text = body(scopes, 'summed-up');
        for (const { scope } of changed(scopes, 'summed-up')) {
          expect(text.match(new RegExp(`${scope.name.replaceAll('.', '\\.')}\\b`, 'g'))).toHaveLength(1);
        }
        const firsts = [...alikePlans(scopes).keys()];
        expect(firsts).toEqual(scopes.filter((scope) => firsts.includes(scope)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('are shown one by one with the detail “each”, as if each were the only one', () => {
    fc.assert(
      fc.property(zones, (scopes) => {
        fc.pre(changed(scopes, 'each').length > 0);
        const one = changed(scopes, 'each').map((scope) => body([scope], 'each'));
        expect(body(scopes, 'each')).toBe(one.join(''));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it('are grouped if their plans differ only in what is their own', () => {
    const changing = plans.filter(
      (planned) => planned.steps.length > 0 && told(asZone(planned, 1)) === told(asZone(planned, 2)),
    );
    fc.assert(
      fc.property(changing, (planned) => {
        const scopes = [1, 2, 3].map((number) => asZone(planned, number));
        expect([...alikePlans(scopes).values()]).toEqual([scopes.slice(1)]);
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe('scopes that change alike in Markdown', () => {
  const zone = (number: number, ref = 'block'): PlannedScope => {
    const name = `z${number}.example`;
    return scope([update([add(ref)], { id: `zone:${name}/http_request_firewall_custom` })], {
      scope: { kind: 'zone', id: id(number), name, accountId: id(0) },
    });
  };

  it('share one heading, with their names below it', () => {
    const text = planMarkdown(plan(zone(1), zone(2, 'other'), zone(3)), null);
    expect(text.match(/^####.*$/gm)).toEqual([
      '#### zone `z1.example` and 1 more zone alike',
      '#### zone `z2.example`',
    ]);
    expect(text).toContain(
      '\n\nIdentical but for names, ids, versions, times, locations and unchanged rules: `z3.example`\n\n',
    );
  });

  it('are listed in rows of a fold if they are many', () => {
    const text = planMarkdown(plan(...Array.from({ length: 42 }, (_, index) => zone(index + 1))), null);
    expect(text).toContain(
      '</details>\n\n<details><summary>Identical but for names, ids, versions, times, locations and unchanged rules</summary>\n\n- `z2.example`, ',
    );
    expect(text.match(/^- `z.*$/gm)).toHaveLength(3);
    for (let number = 2; number <= 42; number += 1) {
      expect(text.split(`\`z${number}.example\``)).toHaveLength(2);
    }
  });

  it('share one row of the table, which counts the changes of all', () => {
    const text = planMarkdown(plan(zone(1), zone(2, 'other'), zone(3)), null);
    const firewall = 'WAF custom rules `http_request_firewall_custom`';
    expect(text).toContain(`| zone \`z1.example\` and 1 more zone alike | ${firewall} |  | 2 |`);
    expect(text).toContain(`| zone \`z2.example\` | ${firewall} |  | 1 |`);
  });

  it('count with all of their rulesets in the row for what the table leaves out', () => {
    const alone = Array.from({ length: 12 }, (_, index) => zone(index + 1, `rule-${index}`));
    const text = planMarkdown(plan(...alone, zone(20), zone(21), zone(22)), null);
    expect(text).toContain('4 more rulesets, below |  | 4 |');
  });
});
