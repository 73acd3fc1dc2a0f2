import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/data/json.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import type { LiveRulesetHead } from '../../../src/model/ruleset.ts';
import { nameTargets, resolveTargets } from '../../../src/plan/names/resolve-targets.ts';
import type { TargetIndex } from '../../../src/plan/names/resolve-targets.ts';
import { content, id, liveRuleset } from '../build.ts';

const PHASE = 'http_request_firewall_custom';

function head(number: number, name: string, over: Partial<LiveRulesetHead> = {}): LiveRulesetHead {
  const { rules: _rules, ...rest } = liveRuleset([]);
  return { ...rest, id: id(number), name, kind: 'custom', ...over };
}

const execute = (target: string): RuleContent =>
  content({ action: 'execute', action_parameters: { id: target } });
const skip = (action_parameters: JsonObject): RuleContent => content({ action: 'skip', action_parameters });

function resolved(rule: RuleContent, index: Partial<TargetIndex>) {
  const { content: said, unresolved } = resolveTargets(rule, PHASE, { catalogue: [], created: [], ...index });
  return unresolved.length === 0
    ? said.action_parameters
    : unresolved.map(({ reference, reason }) => `${reference}: ${reason}`);
}

describe('resolveTargets', () => {
  it('tells a custom ruleset from a managed one of the same name', () => {
    const catalogue = [head(0xa, 'Core', { kind: 'managed' }), head(0xb, 'Core')];
    expect(resolved(execute('managed:core'), { catalogue })).toEqual({ id: id(0xa) });
    expect(resolved(execute('custom:core'), { catalogue })).toEqual({ id: id(0xb) });
  });

  it('keeps the name of a custom ruleset that is to be created in the same phase', () => {
    const created = [{ slug: 'login', phase: PHASE }];
    expect(resolved(execute('custom:login'), { created })).toEqual({ id: 'custom:login' });
    const none = (kind: string, name: string): readonly string[] => [
      `${kind}:${name}: the scope sees no ${kind} ruleset`,
    ];
    expect(resolved(execute('custom:other'), { created })).toEqual(none('custom', 'other'));
    expect(resolved(execute('managed:login'), { created })).toEqual(none('managed', 'login'));
    const elsewhere = [{ slug: 'login', phase: 'http_ratelimit' }];
    expect(resolved(execute('custom:login'), { created: elsewhere })).toEqual(none('custom', 'login'));
  });

  it('refuses a name that two rulesets share, and lists the existing names in order', () => {
    const catalogue = [
      head(0xa, 'Twin'),
      head(0xb, 'Twin'),
      head(0xc, 'Solo'),
      head(0xd, 'Core', { kind: 'managed' }),
    ];
    expect(resolved(execute('custom:twin'), { catalogue })).toEqual([
      `custom:twin: more than one custom ruleset has this name: ${id(0xa)}, ${id(0xb)}`,
    ]);
    expect(resolved(execute('custom:nothing-like-it'), { catalogue })).toEqual([
      'custom:nothing-like-it: no custom ruleset of this name; there are custom:solo, custom:twin',
    ]);
  });

  it('resolves the targets of a skip rule, in lists and in rules', () => {
    const catalogue = [head(0xa, 'A'), head(0xb, 'B')];
    expect(resolved(skip({ rulesets: ['custom:a', id(0xb)], products: ['bic'] }), { catalogue })).toEqual({
      rulesets: [id(0xa), id(0xb)],
      products: ['bic'],
    });
    // An empty list means the whole ruleset, whichever of its two keys has it.
    for (const rules of [
      { 'custom:a': [], [id(0xa)]: [id(1)] },
      { 'custom:a': [id(1)], [id(0xa)]: [] },
    ]) {
      expect(resolved(skip({ rules }), { catalogue })).toEqual({ rules: { [id(0xa)]: [] } });
    }
  });
});

describe('nameTargets', () => {
  const named = (rule: RuleContent, catalogue: readonly LiveRulesetHead[]): unknown =>
    nameTargets(rule, PHASE, catalogue).action_parameters;

  it('replaces an id by a name only if the name leads back to that ruleset alone', () => {
    const core = head(0xa, 'Core', { kind: 'managed' });
    expect(named(execute(id(0xa)), [core, head(0xb, 'Core')])).toEqual({ id: 'managed:core' });
    expect(named(execute(id(0xb)), [core, head(0xb, 'Core')])).toEqual({ id: 'custom:core' });
    expect(named(execute(id(0xb)), [head(0xb, 'Core'), head(0xc, 'core')])).toEqual({ id: id(0xb) });
    expect(named(execute(id(0xb)), [head(0xb, '日本')])).toEqual({ id: id(0xb) });
    expect(named(execute(id(0xb)), [head(0xb, 'Entry', { kind: 'zone' })])).toEqual({ id: id(0xb) });
  });

  it('looks for executed rulesets in the phase, and for skipped ones in all phases', () => {
    const catalogue = [head(0xa, 'Core'), head(0xb, 'Core', { phase: 'http_ratelimit' })];
    expect(named(execute(id(0xa)), catalogue)).toEqual({ id: 'custom:core' });
    expect(named(execute(id(0xb)), catalogue)).toEqual({ id: id(0xb) });
    expect(named(skip({ rulesets: [id(0xa)] }), catalogue)).toEqual({ rulesets: [id(0xa)] });
    const [, other] = catalogue;
    expect(named(skip({ rules: { [id(0xb)]: [id(1)] } }), other === undefined ? [] : [other])).toEqual({
      rules: { 'custom:core': [id(1)] },
    });
  });
});
