import { describe, expect, it } from 'vitest';
import type { LiveRule } from '../../../src/model/rule.ts';
import { describeDeviation, deviations } from '../../../src/plan/requests/expect-after.ts';
import { content, id, liveRule, liveRuleset } from '../build.ts';

const A = liveRule(1, { ref: 'a' });
const B = liveRule(2, { ref: 'b' });

/** How an answer deviates from what was written: `a`, `b`, and a new rule whose id the service assigns. */
function found(rules: readonly LiveRule[], description = 'ours'): readonly string[] {
  const expected = {
    description: 'ours',
    rules: [A, B, { id: null, ref: 'new', content: content({ action: 'log' }) }],
  };
  return deviations(expected, liveRuleset(rules, { description })).map(describeDeviation);
}

describe('an answer of the service', () => {
  const made = liveRule(3, { ref: 'new', action: 'log' });

  it.each<[how: string, rules: readonly LiveRule[], said: readonly string[]]>([
    ['as it was written, with an id for the new rule', [A, B, made], []],
    ['without a rule', [A, made], ['rule b is not there']],
    ['with a rule that nobody wrote', [A, B, made, liveRule(4, { ref: 'x' })], ['rule x was not expected']],
    ['in another order', [B, A, made], ['the rules are in another order']],
    [
      'with a rule that was made anew',
      [A, { ...B, id: id(9) }, made],
      [`rule b has the id ${id(9)} instead of ${id(2)}`],
    ],
    ['with another content', [A, B, { ...made, content: content() }], ['rule new differs in /action']],
    [
      'with several of these',
      [{ ...B, content: content({ enabled: false }) }, made],
      ['rule a is not there', 'rule b differs in /enabled'],
    ],
  ])('%s', (_how, rules, said) => {
    expect(found(rules)).toEqual(said);
  });

  it('with another description', () => {
    expect(found([A, B, made], 'theirs')).toEqual(['the description differs']);
  });
});
