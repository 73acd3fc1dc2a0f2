import { describe, expect, it } from 'vitest';
import type { Protection } from '../../../src/model/change.ts';
import type { RuleContent } from '../../../src/model/rule.ts';
import { nameRules } from '../../../src/plan/match/name-rules.ts';
import { planRules } from '../../../src/plan/plan-ruleset.ts';
import { CAUSE, content, desiredRule, ruleOptions, id } from '../build.ts';
import { NOT_WEAKENING, WEAKENING } from './catalogue.ts';

/** The verdict of a plan on its only change. */
function protectionOf(before: RuleContent | null, after: RuleContent | null): Protection {
  const live = before === null ? [] : [{ id: id(1), ref: 'rule', content: before }];
  const desired = after === null ? [] : [{ ref: 'rule', adopt: false, content: after, cause: CAUSE }];
  const { changes } = planRules(nameRules(desired), live, ruleOptions());
  return changes[0]?.protection ?? { kind: 'neutral' };
}

const lowering = content({ action: 'set_config', action_parameters: { ssl: 'off' } });
const skip = content({ action: 'skip', action_parameters: { products: ['waf'] } });

describe('what a change does to protection', () => {
  it('has at least 40 cases that weaken and 40 that do not, each with its own name', () => {
    expect(WEAKENING.length).toBeGreaterThanOrEqual(40);
    expect(NOT_WEAKENING.length).toBeGreaterThanOrEqual(40);
    expect(new Set([...WEAKENING, ...NOT_WEAKENING].map(([name]) => name)).size).toBe(
      WEAKENING.length + NOT_WEAKENING.length,
    );
  });

  it.each(WEAKENING)('weakens: %s', (_name, before, after) => {
    expect(protectionOf(before, after)).toMatchObject({
      kind: 'weakening',
      reason: expect.stringMatching(/./),
    });
  });

  it.each(NOT_WEAKENING)('does not weaken: %s', (_name, before, after, kind) => {
    expect(protectionOf(before, after)).toMatchObject({ kind });
  });
});

describe('a sensitive value', () => {
  const secret = (test: string): RuleContent => content({ expression: `http.user_agent ${test}` });

  it('is not compared by the spelling of its reference', () => {
    expect(protectionOf(secret('eq "<sensitive:S>"'), secret('contains "sensitive"'))).toMatchObject({
      kind: 'weakening',
      reason: 'may apply to fewer requests',
    });
    expect(protectionOf(secret('ne "a"'), secret('eq "<sensitive:S>"'))).toMatchObject({ kind: 'weakening' });
  });

  it('equals itself before and after the change', () => {
    const narrow = secret('eq "<sensitive:S>" and ssl');
    expect(protectionOf(narrow, secret('eq "<sensitive:S>"'))).toMatchObject({ kind: 'strengthening' });
  });
});

it.each([
  ['a network phase, where the old one also meant the destination', 'magic_transit'],
  ['a phase that may be one', 'magic_transit_to_come'],
])('renaming ip.geoip.country to ip.src.country weakens in %s', (_, phase) => {
  const address = { kind: 'entrypoint', phase } as const;
  const { changes } = planRules(
    nameRules([desiredRule({ ref: 'rule', expression: 'ip.src.country eq "DE"' })]),
    [{ id: id(1), ref: 'rule', content: content({ expression: 'ip.geoip.country eq "DE"' }) }],
    ruleOptions({ address }),
  );
  expect(changes).toMatchObject([{ protection: { kind: 'weakening' } }]);
});

it.each([
  ['turns off encryption to the origin', null, lowering],
  ['is switched off', content(), content({ enabled: false })],
  ['logs its skips', { ...skip, logging: { enabled: false } }, skip],
  ['skips less', { ...skip, action_parameters: { products: ['bic', 'waf'] } }, skip],
])('a change of protection has the reason: %s', (reason, before, after) => {
  expect(protectionOf(before, after)).toMatchObject({ reason });
});

it('a skip of a phase that has already run does not change protection', () => {
  const past = (...phases: readonly string[]): RuleContent =>
    content({ action: 'skip', action_parameters: { phases: [...phases] } });
  const [early, late] = ['http_request_dynamic_redirect', 'http_ratelimit'];
  expect(protectionOf(null, past(early))).toEqual({ kind: 'neutral' });
  expect(protectionOf(past(late), past(early, late))).toEqual({ kind: 'neutral' });
  expect(protectionOf(past(early), past(early, late))).toMatchObject({ kind: 'weakening' });
});

describe('a changed condition is told by what is proven of it', () => {
  const outside = (networks: string): string => `not ip.src in {${networks}}`;
  it.each([
    ['block', outside('192.0.2.0/24'), outside('192.0.2.0/24 198.51.100.0/24'), 'applies to fewer requests'],
    ['block', 'cf.bot_management.score lt 30', 'cf.bot_management.score lt 25', 'applies to fewer requests'],
    ['block', 'http.host eq "a"', 'http.host eq "b"', 'no longer applies to what it applied to'],
    ['block', 'http.user_agent contains "a"', 'http.user_agent contains "b"', 'may apply to fewer requests'],
    ['skip', 'ssl and cf.client.bot', 'ssl', 'lets more requests past'],
    ['skip', 'http.host eq "a"', 'http.host eq "b"', 'lets other requests past'],
    ['skip', 'http.user_agent contains "a"', 'http.user_agent contains "b"', 'may let more requests past'],
  ])('%s: %s becomes %s', (action, before, after, reason) => {
    const parameters = action === 'skip' ? { action_parameters: { ruleset: 'current' } } : {};
    expect(
      protectionOf(
        content({ action, ...parameters, expression: before }),
        content({ action, ...parameters, expression: after }),
      ),
    ).toEqual({
      kind: 'weakening',
      reason,
      ...(reason.includes('may ') ? { proven: false } : {}),
    });
  });
});

it.each([
  ['http.request.uri.path matches "^/adm"', 'starts_with(http.request.uri.path, "/adm")', 'neutral'],
  ['not ip.src in {192.0.2.0/24}', 'ip.src in {0.0.0.0/0 ::/0}', 'strengthening'],
  [
    'not ip.src in {192.0.2.0/24}',
    'http.user_agent contains "a" or ip.src in {::/0 0.0.0.0/0}',
    'strengthening',
  ],
  ['not ip.src in {192.0.2.0/24}', 'ip.src in {0.0.0.0/0}', 'weakening'],
])('a block of %s that becomes %s is %s', (before, after, kind) => {
  expect(protectionOf(content({ expression: before }), content({ expression: after }))).toMatchObject({
    kind,
  });
});

describe('several weakenings of one rule', () => {
  it('are listed together, so that none hides behind another', () => {
    const before = content({ expression: 'ssl' });
    const after = content({ expression: 'ssl and http.host eq "a"', action: 'js_challenge' });
    expect(protectionOf(before, after)).toMatchObject({
      reason: 'goes from block to js_challenge; applies to fewer requests',
    });
  });

  it('are listed up to four, with the number of the others', () => {
    const overrides = (count: number): RuleContent =>
      content({
        action: 'execute',
        expression: 'true',
        action_parameters: {
          id: id(9),
          overrides: {
            rules: Array.from({ length: count }, (_, index) => ({ id: id(10 + index), enabled: false })),
          },
        },
      });
    const { reason } = { reason: '', ...protectionOf(overrides(0), overrides(9)) };
    expect(reason.split('; ')).toHaveLength(5);
    expect(reason).toMatch(/; 5 more$/);
  });
});

describe('what a move does to protection', () => {
  const rules: Readonly<Record<string, RuleContent>> = {
    block: content({ expression: 'http.host eq "a.example"' }),
    skip: content({ action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } }),
    skipToo: content({ action: 'skip', expression: 'true', action_parameters: { ruleset: 'current' } }),
    blockToo: content({ expression: 'ssl' }),
    execute: content({ action: 'execute', expression: 'true', action_parameters: { id: id(9) } }),
    skipElsewhere: content({
      action: 'skip',
      expression: 'http.host eq "b.example"',
      action_parameters: { ruleset: 'current' },
    }),
    challenge: content({ action: 'managed_challenge', expression: 'ssl' }),
    log: content({ action: 'log', expression: 'ssl' }),
    off: content({
      action: 'skip',
      expression: 'ssl',
      enabled: false,
      action_parameters: { ruleset: 'current' },
    }),
    managed: content({ action: 'execute', expression: 'true', action_parameters: { id: id(9) } }),
    newer: content({ action: 'future', expression: 'ssl' }),
    newerElsewhere: content({ action: 'future', expression: 'http.host eq "b.example"' }),
  };

  /** The verdict on the rule that moves when two rules change places. */
  function moved(first: string, second: string): Protection | undefined {
    const names = [first, second];
    const live = names.map((name, index) => ({
      id: id(index + 1),
      ref: name,
      content: rules[name] ?? content(),
    }));
    const desired = names
      .toReversed()
      .map((name) => ({ ...desiredRule({ ref: name }), content: rules[name] ?? content() }));
    const { changes } = planRules(nameRules(desired), live, ruleOptions());
    return changes.find((change) => change.kind === 'move')?.protection;
  }

  it.each([
    ['block', 'skip'],
    ['challenge', 'skip'],
    ['managed', 'skip'],
    ['block', 'challenge'],
    ['execute', 'challenge'],
    ['newer', 'block'],
    ['block', 'newer'],
    ['newer', 'skip'],
    ['log', 'newer'],
    ['newer', 'newerElsewhere'],
  ])('weakens when %s comes to stand behind %s', (first, second) => {
    expect(moved(first, second)?.kind).toBe('weakening');
  });

  it.each([
    ['skip', 'block', 'strengthening'],
    ['block', 'skipElsewhere', 'neutral'],
    ['block', 'newerElsewhere', 'neutral'],
    ['block', 'off', 'neutral'],
    ['block', 'log', 'neutral'],
    ['log', 'skip', 'neutral'],
    ['challenge', 'block', 'neutral'],
    ['block', 'blockToo', 'neutral'],
    ['log', 'challenge', 'neutral'],
    ['skip', 'skipToo', 'neutral'],
  ])('does not weaken when %s comes to stand behind %s', (first, second, kind) => {
    expect(moved(first, second)?.kind).toBe(kind);
  });

  it('weakens when a rule moves behind a skip, even if its own change strengthens', () => {
    const before = content({ expression: 'http.host eq "a.example"' });
    const after = content({ expression: 'http.host in {"a.example" "b.example"}' });
    const skip = { ref: 'skip', content: rules['skip'] ?? content() };
    const { changes } = planRules(
      nameRules([
        { ...skip, adopt: false, cause: CAUSE },
        { ref: 'rule', adopt: false, content: after, cause: CAUSE },
      ]),
      [
        { id: id(1), ref: 'rule', content: before },
        { id: id(2), ...skip },
      ],
      ruleOptions(),
    );
    expect(protectionOf(before, after).kind).toBe('strengthening');
    expect(changes).toMatchObject([{ kind: 'patch', move: {}, protection: { kind: 'weakening' } }]);
  });

  /** The verdict on a rule, new or changed, that stands before another live one. */
  function ahead(before: RuleContent | null, after: RuleContent, other: RuleContent): Protection | undefined {
    const live = [
      ...(before === null ? [] : [{ id: id(1), ref: 'first', content: before }]),
      { id: id(2), ref: 'other', content: other },
    ];
    const desired = [
      { ref: 'first', adopt: false, content: after, cause: CAUSE },
      { ref: 'other', adopt: false, content: other, cause: CAUSE },
    ];
    const { changes } = planRules(nameRules(desired), live, ruleOptions());
    return changes[0]?.protection;
  }

  const soft = content({ action: 'js_challenge', expression: 'http.host eq "a.example"' });
  const apart = content({ action: 'js_challenge', expression: 'http.host eq "b.example"' });
  const firm = content({ expression: 'http.host eq "a.example"' });

  it('weakens when a softer rule is added, widened or switched on before a firmer one', () => {
    expect(ahead(null, soft, firm)?.kind).toBe('weakening');
    expect(ahead({ ...soft, enabled: false }, soft, firm)?.kind).toBe('weakening');
    expect(ahead(apart, { ...apart, expression: 'ssl' }, firm)?.kind).toBe('weakening');
    const more = { ...apart, expression: 'http.host in {"a.example" "b.example"}' };
    expect(ahead(apart, more, firm)?.kind).toBe('weakening');
    // It already took some of the requests of the firmer rule.
    expect(ahead({ ...soft, expression: 'ssl' }, { ...soft, expression: 'true' }, firm)?.kind).toBe(
      'weakening',
    );
    expect(ahead({ ...soft, action: 'log' }, soft, firm)?.kind).toBe('weakening');
    expect(ahead(null, soft, { ...firm, action: 'future' })?.kind).toBe('weakening');
  });

  it('does not weaken when the rules never meet, or the rule behind is no firmer', () => {
    expect(ahead(null, apart, firm)?.kind).toBe('strengthening');
    expect(ahead(null, firm, soft)?.kind).toBe('strengthening');
    expect(ahead(null, firm, firm)?.kind).toBe('strengthening');
    expect(ahead(null, soft, { ...firm, enabled: false })?.kind).toBe('strengthening');
    expect(ahead(soft, { ...soft, description: 'same' }, firm)?.kind).toBe('neutral');
    expect(ahead(soft, { ...soft, expression: 'http.host in {"a.example" "b.example"}' }, firm)?.kind).toBe(
      'strengthening',
    );
  });

  it('does not weaken when a softer rule is added, or switched on, behind a firmer one', () => {
    const behind = (live: readonly RuleContent[], after: readonly RuleContent[]): unknown => {
      const { changes } = planRules(
        nameRules(after.map((said, at) => desiredRule({ ref: `rule-${at}`, ...said }))),
        live.map((said, at) => ({ id: id(at + 1), ref: `rule-${at}`, content: said })),
        ruleOptions(),
      );
      return changes.map(({ protection }) => protection.kind);
    };
    expect(behind([firm], [firm, soft])).toEqual(['strengthening']);
    // A new rule at the end keeps the ruleset from being planned in place.
    const log = content({ action: 'log', expression: 'ssl' });
    expect(behind([firm, { ...soft, enabled: false }], [firm, soft, log])).toEqual([
      'strengthening',
      'neutral',
    ]);
  });
});
