import { describe, expect, it } from 'vitest';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import type { Safety } from '../../../src/model/settings.ts';
import { DEFAULT_SAFETY } from '../../../src/model/settings.ts';
import { guardScope } from '../../../src/plan/guard/guard-scope.ts';
import { CAUSE, content, desiredRuleset, liveRule, liveRuleset } from '../build.ts';
import { planOne } from '../world.ts';

const ENTRYPOINT: RulesetAddress = { kind: 'entrypoint', phase: 'http_request_firewall_custom' };

interface Turn {
  readonly before: RuleContent | null;
  readonly after: RuleContent;
  readonly address?: RulesetAddress;
  readonly safety?: Partial<Safety>;
}

/** What guards find where a rule is turned into another one, or its ruleset made with it. */
function found({ before, after, address = ENTRYPOINT, safety = {} }: Turn): readonly unknown[] {
  const live = before === null ? null : liveRuleset([{ ...liveRule(1, { ref: 'r' }), content: before }]);
  const rule = { ref: 'r', adopt: false, content: after, cause: CAUSE };
  const plan = planOne(desiredRuleset([rule], { address }), live);
  return guardScope(plan, { ...DEFAULT_SAFETY, ...safety }, '2026-06-01').findings;
}

const some = content({ expression: 'http.host eq "a.example"' });
const all = content({ expression: 'true' });
const warning = expect.objectContaining({ kind: 'every-request', effect: 'warn', rule: 'r' }) as unknown;

describe('a rule that ends every request', () => {
  it.each([
    ['a new block', null, all],
    ['a block that was for some', some, all],
    ['a redirect', null, content({ action: 'redirect', expression: 'true' })],
    ['true in other words', null, content({ expression: 'true or ssl' })],
    ['a rule that is switched on', { ...all, enabled: false }, all],
  ])('is warned of: %s', (_name, before, after) => {
    expect(found({ before, after })).toEqual([warning]);
  });

  it('is not warned of where it only comes to be under another ref', () => {
    const live = liveRuleset([{ ...liveRule(1, { ref: 'old' }), content: all }]);
    const rule = { ref: 'new', adopt: false, content: { ...all, description: 'new' }, cause: CAUSE };
    const { findings } = guardScope(planOne(desiredRuleset([rule]), live), DEFAULT_SAFETY, '2026-06-01');
    expect(findings).toEqual([]);
  });

  it('is warned of where a custom ruleset is made for it', () => {
    const address = { kind: 'custom', phase: 'http_request_firewall_custom', name: 'Shared' } as const;
    expect(found({ before: null, after: all, address })).toEqual([warning]);
  });

  it('is refused where the files say so, with place and action', () => {
    expect(found({ before: some, after: all, safety: { everyRequest: 'refuse' } })).toEqual([
      {
        kind: 'every-request',
        effect: 'refuse',
        step: 'zone:shop.example/http_request_firewall_custom',
        rule: 'r',
        reason: 'now applies block to every request',
        message: 'zone:shop.example/http_request_firewall_custom: rule r now applies block to every request',
      },
    ]);
  });

  it.each([
    ['a block for some', null, some],
    ['one that did before', all, { ...all, description: 'still' }],
    ['one that is switched off', null, { ...all, enabled: false }],
    ['a rate limit', null, { ...all, ratelimit: { period: 60 } }],
    ['an action that ends nothing', null, content({ action: 'log', expression: 'true' })],
  ])('is not seen in %s', (_name, before, after) => {
    expect(found({ before, after })).toEqual([]);
  });

  // What a text is, is kept only once it came again.
  it.each([
    ['every request', 'true or not ssl', [warning]],
    ['some', 'ip.src in {198.51.100.7}', []],
    ['a host', 'http.host eq "again.example"', []],
    ['nothing that parses', 'http.host eq', []],
  ])('is seen the same however often a text comes: %s', (_name, expression, expected) => {
    const after = content({ expression });
    for (const time of ['first', 'second', 'third']) {
      expect([time, found({ before: null, after })]).toEqual([time, expected]);
    }
  });
});
