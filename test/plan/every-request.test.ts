import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../src/model/rule.ts';
import { nameRules } from '../../src/plan/name-rules.ts';
import { planRules } from '../../src/plan/plan-rules.ts';
import { CAUSE, content, desiredRuleset, liveRule } from './build.ts';

/** The warnings of a plan that turns one rule into another. */
function warned(before: RuleContent | null, after: RuleContent): readonly string[] {
  const live = before === null ? [] : [{ ...liveRule(1, { ref: 'r' }), content: before }];
  const rules = nameRules([{ ref: 'r', adopt: false, content: after, cause: CAUSE }]);
  return planRules(rules, live, desiredRuleset([])).notes.map((note) => note.kind);
}

const some = content({ expression: 'http.host eq "a.example"' });
const all = content({ expression: 'true' });

describe('a rule that ends every request', () => {
  it.each([
    ['a new block', null, all],
    ['a block that was for some', some, all],
    ['a redirect', null, content({ action: 'redirect', expression: 'true' })],
    ['true in other words', null, content({ expression: 'true or ssl' })],
    ['a rule that is switched on', { ...all, enabled: false }, all],
  ])('is warned of: %s', (_name, before, after) => {
    expect(warned(before, after)).toEqual(['every-request']);
  });

  it.each([
    ['a block for some', null, some],
    ['one that did before', all, { ...all, description: 'still' }],
    ['one that is switched off', null, { ...all, enabled: false }],
    ['a rate limit', null, { ...all, ratelimit: { period: 60 } }],
    ['an action that ends nothing', null, content({ action: 'log', expression: 'true' })],
  ])('is not seen in %s', (_name, before, after) => {
    expect(warned(before, after)).toEqual([]);
  });
});
