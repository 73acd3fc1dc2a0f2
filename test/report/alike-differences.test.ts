import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/data/collections.ts';
import type { PlanDifference } from '../../src/model/plan-difference.ts';
import { alikeDifferences } from '../../src/report/alike-plans.ts';
import { outcomesPage, outcomesMarkdown, differencesText } from './printed.ts';
import { joinPieces } from '../../src/report/pieces.ts';
import { outcomesJson } from '../../src/report/json-documents.ts';
import { propertyRuns } from '../property-runs.ts';
import { plan } from './plan-builder.ts';

const LOOK = { width: 80, colour: false };

/** A rule that becomes something else in a zone. */
function differs(zone: string, after = 'log'): PlanDifference {
  return {
    kind: 'different',
    place: `zone:${zone}/http_ratelimit`,
    rule: 'limit',
    message: 'the rule becomes something else',
    fields: [{ kind: 'changed', path: '/action', before: 'block', after }],
  };
}

const zones = ['a.example', 'b.example', 'c.example', 'd.example'];
const differences = zones.map((zone) => differs(zone, zone === 'c.example' ? 'skip' : 'log'));

describe('zones in which the plan differs from the reviewed one in the same way', () => {
  it('are shown once, apart from zones in which it differs in another way', () => {
    expect(differencesText(differences, LOOK)).toBe(`The plan is not the one that was reviewed:
- only reviewed   + only now   ~ differs

zone:a.example/http_ratelimit and 2 more zones alike
  ~ limit  the rule becomes something else
      action  reviewed block · now log
  Identical but for names, ids, versions, times, locations and unchanged rules:
    b.example, d.example

zone:c.example/http_ratelimit
  ~ limit  the rule becomes something else
      action  reviewed block · now skip
`);
  });

  it('are shown once in Markdown and in the page', () => {
    const document = outcomesJson(plan(), {
      result: 'refused',
      dryRun: false,
      refusals: [],
      outcomes: [],
      differences,
    });
    const text = outcomesMarkdown(document);
    expect(text.match(/^##### .*$/gm)).toEqual([
      '##### zone:a.example/http&#95;ratelimit and 2 more zones alike',
      '##### zone:c.example/http&#95;ratelimit',
    ]);
    expect(text).toContain('locations and unchanged rules: `b.example`, `d.example`');
    expect(joinPieces(outcomesPage(plan(), document))).toContain('and 2 more zones alike');
  });

  it('are shown one by one with the detail “each”', () => {
    const text = differencesText(differences, { ...LOOK, detail: 'each' });
    expect(text.match(/^zone:.*$/gm)).toEqual(differences.map(({ place }) => place));
  });

  it('are grouped only if all of their rulesets differ in the same way', () => {
    const also = (zone: string, message: string): PlanDifference => ({
      kind: 'only-fresh',
      place: `zone:${zone}/http_request_cache_settings`,
      message,
    });
    const twice = zones.flatMap((zone, index) => [
      differs(zone),
      also(
        zone,
        index === 1 ? 'the ruleset is deleted, 1 rule in it' : 'the ruleset is updated, 1 rule in it',
      ),
    ]);
    expect(alikeDifferences(twice).map(({ places, others }) => [[...places.keys()], others])).toEqual([
      [
        ['zone:a.example/http_ratelimit', 'zone:a.example/http_request_cache_settings'],
        ['zone:c.example', 'zone:d.example'],
      ],
      [['zone:b.example/http_ratelimit', 'zone:b.example/http_request_cache_settings'], []],
    ]);
  });

  it('do not include accounts or the plan as a whole', () => {
    const places = ['the plan', 'account:A/prod', 'account:B/prod'];
    const told = alikeDifferences(
      places.map((place) => ({ kind: 'only-fresh', place, message: 'the scope could not be planned' })),
    );
    expect(told.map((group) => [...group.places.keys()])).toEqual(places.map((place) => [place]));
    expect(told.flatMap(({ others }) => others)).toEqual([]);
  });

  it('are each named exactly once, and differ as the first zone of their group does', () => {
    const actions = fc.array(fc.constantFrom('log', 'skip', 'block'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(actions, (chosen) => {
        const all = chosen.map((after, index) => differs(`z${index}.example`, after));
        const groups = alikeDifferences(all);
        const named = groups.flatMap(({ places, others }) => [
          ...places.keys(),
          ...others.map((scope) => `${scope}/http_ratelimit`),
        ]);
        expect(named.toSorted()).toEqual(all.map(({ place }) => place).toSorted());
        const counts = [...groupBy(chosen, (action) => action).values()].map(({ length }) => length);
        // Two alike zones are shown one by one.
        expect(groups).toHaveLength(counts.reduce((sum, count) => sum + (count > 2 ? 1 : count), 0));
        for (const { places, others } of groups) {
          const shown = [...places.values()].flat().map(({ fields }) => fields);
          for (const scope of others) {
            expect(
              all.filter(({ place }) => place.startsWith(`${scope}/`)).map(({ fields }) => fields),
            ).toEqual(shown);
          }
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
