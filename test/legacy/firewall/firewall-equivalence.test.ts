import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertFirewall } from '../../../src/legacy/firewall/firewall-conversion.ts';
import type { ConversionInput } from '../../../src/legacy/firewall/firewall-conversion.ts';
import type { ZoneConversion } from '../../../src/legacy/conversion.ts';
import type { Worlds } from '../../../src/legacy/firewall/firewall-equivalence.ts';
import { checkEquivalence, worldsOf } from '../../../src/legacy/firewall/firewall-equivalence.ts';
import { propertyRuns } from '../../property-runs.ts';
import { convertedRef } from '../../../src/legacy/firewall/firewall-convert-rule.ts';
import { customRule, customRules, id, oldFirewall, oldRule } from './old-firewall.ts';

function converted(input: ConversionInput): ZoneConversion {
  const result = convertFirewall(input);
  if (result.kind !== 'converted') {
    throw new Error(`not converted: ${JSON.stringify(result)}`);
  }
  return result;
}

describe('the rules before and after a conversion', () => {
  test('treat every generated request alike, unless the conversion is refused', () => {
    let exercised = 0;
    let clauses = 0;
    fc.assert(
      fc.property(oldFirewall, customRules, fc.constantFrom('list', 'priority'), (old, custom, order) => {
        const result = convertFirewall({ old, custom, order });
        // Custom rules may equal old ones, or leave no place that changes nothing. Without custom rules no conversion is refused.
        const conversion = result.kind === 'converted' ? result : converted({ old, custom: [], order });
        const found = checkEquivalence(worldsOf(conversion));
        const severe = found.differences.filter(
          ({ kind }) => kind === 'outcome' || conversion.place === 'first',
        );
        expect(severe).toEqual([]);
        exercised += found.coverage.exercised;
        clauses += found.coverage.clauses;
      }),
      { numRuns: propertyRuns() },
    );
    // Every clause is exercised: constants such as `true` count as exercised, and the clauses of a paused filter do not differ from others.
    expect(exercised / clauses).toBe(1);
  });

  test.each([
    ['a lost rule', (rules: Worlds['after']) => rules.slice(1)],
    ['another order', (rules: Worlds['after']) => rules.toReversed()],
    [
      'a rule that is on',
      (rules: Worlds['after']) =>
        rules.map((rule) => ({ ...rule, content: { ...rule.content, enabled: true } })),
    ],
  ])('are found to differ with %s', (_, spoil) => {
    const old = [
      oldRule(1, 'allow', 'ip.src in {203.0.113.0/24}'),
      oldRule(2, 'challenge', 'http.host eq "shop.example"', { paused: true }),
      oldRule(3, 'block', 'http.request.uri.path eq "/login"'),
    ];
    const worlds = worldsOf(converted({ old, custom: [] }));
    const found = checkEquivalence({ ...worlds, after: spoil(worlds.after) });
    expect(found.differences.length).toBeGreaterThan(0);
  });

  test('are found to differ if an allow rule before the custom rules takes requests from them', () => {
    const input = {
      old: [
        oldRule(1, 'allow', 'ip.src in {203.0.113.0/24}', { description: 'The office' }),
        oldRule(2, 'challenge', 'http.request.uri.path eq "/login"'),
      ],
      custom: [customRule(1, { expression: 'http.host eq "old.example"' }, 'theirs')],
    };
    expect(convertFirewall(input)).toMatchObject({ kind: 'refused', code: 'firewall/place' });
    expect(checkEquivalence(worldsOf(converted({ ...input, place: 'first' }))).differences).toContainEqual({
      kind: 'outcome',
      request: { 'http.host': 'old.example', 'ip.src': '203.0.113.0' },
      before: {
        end: { action: 'block', rule: 'theirs' },
        acted: [convertedRef(id('rule', 1)), 'theirs'],
        skipped: [],
      },
      after: { end: null, acted: [convertedRef(id('rule', 1))], skipped: [] },
    });
  });
});
